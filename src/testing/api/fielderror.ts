import type { Json } from '../values/json.ts';
import { writeJson } from '../values/wire.ts';

/** Why a field is refused; also the `reason` of the cause in a Status. */
export type FieldReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/** One field that does not validate. */
export interface FieldError {
  readonly reason: FieldReason;
  /** Path as the API server writes it: `spec.items[0].name`; `<nil>` for the whole object. */
  readonly field: string;
  /** The value refused, where the message quotes it. */
  readonly value?: Json;
  readonly detail?: string;
}

const TITLES: Readonly<Record<FieldReason, string>> = {
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

/** The message without the field's name. */
export function fieldBody(error: FieldError): string {
  const value = error.value === undefined ? '' : `: ${writeJson(error.value)}`;
  const detail = error.detail === undefined || error.detail === '' ? '' : `: ${error.detail}`;
  return `${TITLES[error.reason]}${value}${detail}`;
}

/** The whole message, field first. */
export function fieldMessage(error: FieldError): string {
  return `${error.field}: ${fieldBody(error)}`;
}

/** A field that must be there. */
export function required(field: string, detail?: string): FieldError {
  return { reason: 'FieldValueRequired', field, ...(detail === undefined ? {} : { detail }) };
}

/** A value that breaks a rule. */
export function invalidValue(field: string, value: Json, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, value, detail };
}

/** A field that may not be set, or not be changed in this way. */
export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, detail };
}

/** A value outside its list. */
export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const list = supported.map((item) => writeJson(item)).join(', ');
  const detail = supported.length === 0 ? {} : { detail: `supported values: ${list}` };
  return { reason: 'FieldValueNotSupported', field, value, ...detail };
}
