/**
 * Errors of fields, with the messages of API servers.
 * @see https://pkg.go.dev/k8s.io/apimachinery/pkg/util/validation/field
 */
import type { FieldReason } from '../api/failure-reasons.ts';
import { jsonOf } from '../codec/integers/write-json.ts';
import { isFields } from '../common/fields.ts';

/** A value of JSON; integers beyond 2^53 are bigints. */
export type FieldValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue };

/** A validation error of one field. */
export interface FieldError {
  readonly reason: FieldReason;
  /** Path in the notation of the API server: `spec.items[0].name`; `<nil>` for the whole object. */
  readonly field: string;
  /** The invalid value, if the message quotes it. */
  readonly value?: FieldValue;
  readonly detail?: string;
}

const titles: Readonly<Record<FieldReason, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

/** Returns the message without the name of the field. */
export function fieldBody(error: FieldError): string {
  const value = error.value === undefined ? '' : `: ${printValue(error.value)}`;
  const detail = error.detail === undefined || error.detail === '' ? '' : `: ${error.detail}`;
  return `${titles[error.reason]}${value}${detail}`;
}

/** Objects and lists are printed by Go's encoder, which escapes the characters of HTML. */
function printValue(value: FieldValue): string {
  const json = jsonOf(value) ?? 'null';
  if (typeof value === 'string') return json.replace(/\\(?:u00(..)|.)/g, goEscape);
  if (typeof value !== 'object') return json;
  return json.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** Strings are quoted by Go, which has other escape sequences of control characters. */
function goEscape(sequence: string, code?: string): string {
  return code === undefined ? sequence : ({ '07': '\\a', '0b': '\\v' }[code] ?? `\\x${code}`);
}

/** Returns the whole message, starting with the field. */
export function fieldMessage(error: FieldError): string {
  return `${error.field}: ${fieldBody(error)}`;
}

/** Returns whether a value has the members of a field error. */
export function isFieldError(value: unknown): value is FieldError {
  if (!isFields(value)) return false;
  const { reason, field, detail } = value;
  return (
    typeof reason === 'string' &&
    Object.hasOwn(titles, reason) &&
    typeof field === 'string' &&
    (detail === undefined || typeof detail === 'string')
  );
}

/** Object that field errors are about. */
export interface InvalidObject {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The variable parts of the Status of an invalid object. */
export interface InvalidStatus {
  readonly code: 422;
  readonly reason: 'Invalid';
  readonly message: string;
  readonly details: InvalidObject & { readonly causes: InvalidCause[] };
}

/** Cause of a Status, from one field error. */
export interface InvalidCause {
  readonly reason: FieldReason;
  readonly message: string;
  readonly field: string;
}

/**
 * Returns the Status of an object with field errors: 422, with one cause per error. The message has equal
 * errors once.
 * @see https://pkg.go.dev/k8s.io/apimachinery/pkg/api/errors#NewInvalid
 */
export function invalidStatus(
  { group, kind, name }: InvalidObject,
  errors: readonly FieldError[],
): InvalidStatus {
  const messages = [...new Set(errors.map(fieldMessage))];
  const list = messages.length === 1 ? messages.join('') : `[${messages.join(', ')}]`;
  const causes = errors.map((error) => ({
    reason: error.reason,
    message: fieldBody(error),
    field: error.field,
  }));
  return {
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} ${JSON.stringify(name)} is invalid: ${list}`,
    details: { name, group, kind, causes },
  };
}

/** Returns the error of a missing field. */
export function required(field: string, detail?: string): FieldError {
  return { reason: 'FieldValueRequired', field, ...(detail === undefined ? {} : { detail }) };
}

/** Returns the error of a value that violates a rule. */
export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, value: fieldValue(value), detail };
}

/** Returns the error of a field that must not be set, or not be changed in this way. */
export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, detail };
}

/** Returns the error of a value outside its list. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(', ');
  const detail = supported.length === 0 ? {} : { detail: `supported values: ${list}` };
  return { reason: 'FieldValueNotSupported', field, value: fieldValue(value), ...detail };
}

function fieldValue(value: unknown): FieldValue {
  // It is only printed, as JSON.
  return value as FieldValue;
}
