import type { KubernetesObject } from '../meta.ts';
import type { FieldSelectorInput } from '../options.ts';
import { fieldSelectorText } from './fields.ts';
import { type FieldRequirement, parseFieldSelector } from './parse-fields.ts';

/**
 * The requirements of a selector in any of its forms. None where everything is selected.
 * @throws {TypeError} for what is no field selector
 */
export function fieldRequirements(selector: FieldSelectorInput | undefined): readonly FieldRequirement[] {
  return parseFieldSelector(fieldSelectorText(selector) ?? '');
}

/**
 * Whether an object's fields meet all requirements. A field is found by its path (`spec.nodeName`); one that is absent
 * is `''`, numbers and booleans are compared as they are written. The server decides alike for custom resources and for
 * what built-in kinds store as it is named; a few names of built-in kinds mean something computed (`status.successful` of
 * jobs), which only the server knows.
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
