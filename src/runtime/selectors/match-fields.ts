import type { KubernetesObject } from '../api/meta.ts';
import { type FieldSelectorInput, fieldSelectorText } from './fields.ts';
import { type FieldRequirement, parseFieldSelector } from './parse-fields.ts';

/**
 * Returns the requirements of a selector in any of its forms; an empty list if it matches every object.
 * @throws {TypeError} the value is not a field selector
 */
export function fieldRequirements(selector: FieldSelectorInput | undefined): readonly FieldRequirement[] {
  return parseFieldSelector(fieldSelectorText(selector) ?? '');
}

/**
 * Returns whether an object's fields meet all requirements. A field is found by its path (`spec.nodeName`).
 * An absent field is `''`; numbers and booleans are compared in their JSON form. The result equals that of
 * the server for custom resources, and for fields of built-in kinds that are stored under their selector
 * name. A few selector names of built-in kinds are computed by the server (`status.successful` of jobs).
 */
export function matchFields(object: KubernetesObject, requirements: readonly FieldRequirement[]): boolean {
  return requirements.every(
    ({ field, operator, value }) => (fieldText(object, field) === value) === (operator === '='),
  );
}

function fieldText(object: KubernetesObject, path: string): string {
  let value: unknown = object;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return '';
    value = Reflect.get(value, key);
  }
  return typeof value === 'object' ? '' : String(value ?? '');
}
