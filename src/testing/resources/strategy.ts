import type { FieldError } from '../api/fielderror.ts';
import { equal, type JsonObject, object, omit, own, putAt, replace } from '../values/json.ts';
import type { ResourceType } from './type.ts';

/** What differs from kind to kind when objects are written. */
export interface Strategy {
  /** The object as it is created: without what clients may not set, with what the server fills in. */
  readonly prepareCreate: (value: JsonObject, type: ResourceType) => JsonObject;
  /** The object as it is updated through `subresource` ('' for itself). */
  readonly prepareUpdate: (
    value: JsonObject,
    old: JsonObject,
    type: ResourceType,
    subresource: string,
  ) => JsonObject;
  /** Errors of an object that is created (`old` undefined) or updated. */
  readonly validate: (
    value: JsonObject,
    old: JsonObject | undefined,
    type: ResourceType,
    subresource: string,
  ) => readonly FieldError[];
  /** Whether an update may leave out `metadata.resourceVersion`. */
  readonly unconditionalUpdate: boolean;
}

/** `value` with the status of `old`: an update outside the status subresource cannot change it. */
export function keepStatus(value: JsonObject, old: JsonObject): JsonObject {
  const status = own(old, 'status');
  return status === undefined ? omit(value, 'status') : replace(value, 'status', status);
}

/** `old` with the status and the managed fields of `value`: an update of the status subresource changes no more. */
export function onlyStatus(value: JsonObject, old: JsonObject): JsonObject {
  const status = own(value, 'status');
  const managed = own(object(value, 'metadata'), 'managedFields');
  const base = status === undefined ? omit(old, 'status') : replace(old, 'status', status);
  const metadata = omit(object(old, 'metadata'), 'managedFields');
  return replace(
    base,
    'metadata',
    managed === undefined ? metadata : replace(metadata, 'managedFields', managed),
  );
}

/** `value` with the generation of `old`, one more when anything outside metadata (and `except`) changed. */
export function bumpGeneration(value: JsonObject, old: JsonObject, ...except: readonly string[]): JsonObject {
  const changed = !equal(omit(value, 'metadata', ...except), omit(old, 'metadata', ...except));
  const generation = own(object(old, 'metadata'), 'generation');
  if (typeof generation !== 'number') return value;
  return putAt(value, ['metadata', 'generation'], generation + (changed ? 1 : 0));
}
