/** Functions for common parts of objects: conditions, finalizers, owner references, integers beyond 2^53. */

export type { FieldReason } from '../api/failure-reasons.ts';
export type { FieldPath } from '../codec/integers/int64.ts';
export { int64, setInt64 } from '../codec/integers/int64.ts';
export { parseBytes } from '../codec/integers/keep-digits.ts';
export { jsonOf } from '../codec/integers/write-json.ts';
export type { AnyCondition, ConditionToSet, SetConditionOptions } from '../objects/conditions.ts';
export {
  findCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from '../objects/conditions.ts';
export type {
  FieldError,
  FieldValue,
  InvalidCause,
  InvalidObject,
  InvalidStatus,
} from '../objects/field-errors.ts';
export {
  fieldBody,
  fieldMessage,
  forbiddenField,
  invalidStatus,
  invalidValue,
  isFieldError,
  notSupported,
  required,
} from '../objects/field-errors.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from '../objects/finalizers.ts';
export type { OwnerObject, OwnerReferenceOptions } from '../objects/owners.ts';
export {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  isOwnerTerminating,
  OwnerTerminatingError,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from '../objects/owners.ts';
