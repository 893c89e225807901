/** Values of documents: the functions of `@kgen/schema`, and steps of pointers. */

export { describe, own } from '@kgen/schema/rules/members';
export { array as listOf, isArray as isList, isObject } from '@kgen/schema/values/json';

/** Returns a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
