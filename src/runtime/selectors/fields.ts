/**
 * Field selectors as text.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */
import type { FieldSelectorInput } from '../options.ts';

/** Escapes what has a meaning in a field selector: backslash, comma and equals sign. */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, '\\$&');
}

function equals([field, value]: readonly [string, unknown]): string {
  if (typeof value !== 'string') {
    throw new TypeError(`field selector: not a value for the field ${field}: ${JSON.stringify(value)}`);
  }
  return `${field}=${escapeFieldValue(value)}`;
}

/**
 * Writes a selector as the server reads it, in the order of the fields. Text is passed on as it is.
 * @throws {TypeError} a value that is not text
 */
export function fieldSelectorText(input: FieldSelectorInput | undefined): string | undefined {
  if (input === undefined || typeof input === 'string') return input;
  return Object.entries(input).map(equals).sort().join(',');
}
