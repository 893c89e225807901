/** Values of documents: the functions of `@kgen/schema`, and steps of pointers. */

import { isArray as isList, isObject, type Json } from '@kgen/schema/values/json';

export { describe, own } from '@kgen/schema/rules/members';
export { isList, isObject };

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** Returns a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
