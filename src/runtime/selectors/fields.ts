/**
 * Formatting of field selectors.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */
import type { FieldRequirement } from './parse-fields.ts';

/** Field selector value that excludes objects: those whose field has one of the given values. */
export interface NotEqual {
  readonly not: string | readonly string[];
}

/**
 * A field selector: a string (`metadata.name=web`), or fields that must be equal:
 * `{ 'spec.nodeName': 'n1', 'status.phase': { not: ['Succeeded', 'Failed'] } }`.
 */
export type FieldSelectorInput<Field extends string = string> =
  | string
  | { readonly [F in Field | 'metadata.name' | 'metadata.namespace']?: string | NotEqual };

/** Escapes backslash, comma and equals sign. */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, '\\$&');
}

/**
 * Formats a selector for a request, in the order of its fields. A string is returned unchanged.
 * @throws {TypeError} a value that is not a string, or a field that cannot be written
 */
export function fieldSelectorText(input: FieldSelectorInput | undefined): string | undefined {
  if (input === undefined || typeof input === 'string') return input;
  return Object.entries(input).flatMap(requirementsOf).sort().join(',');
}

function requirementsOf([field, requested]: readonly [string, unknown]): readonly string[] {
  if (typeof requested !== 'object' || requested === null || !('not' in requested)) {
    return [requirement(field, '=', requested)];
  }
  const unwanted: readonly unknown[] = Array.isArray(requested.not) ? requested.not : [requested.not];
  return unwanted.map((value) => requirement(field, '!=', value));
}

function requirement(field: string, operator: FieldRequirement['operator'], value: unknown): string {
  if (typeof value !== 'string') {
    throw new TypeError(`field selector: not a value for the field ${field}: ${JSON.stringify(value)}`);
  }
  if (field.trim() === '' || /[\\,=!]/.test(field)) {
    throw new TypeError(`field selector: not a field: ${JSON.stringify(field)}`);
  }
  return `${field}${operator}${escapeFieldValue(value)}`;
}

/**
 * Formats requirements, as returned by `fieldRequirements`.
 * @throws {TypeError} a value that is not a string, or a field that cannot be written
 */
export function fieldRequirementsText(requirements: readonly FieldRequirement[]): string {
  return requirements
    .map(({ field, operator, value }) => requirement(field, operator, value))
    .sort()
    .join(',');
}
