/** Interface of the behaviour of writes that differs between kinds. */
import type { FieldError } from '@kgen/runtime/objects';
import { equal, type JsonObject, object, omit, own, putAt, replace } from '@kgen/schema/values/json';
import type { Cluster } from './kinds/support/rules.ts';
import type { ResourceType } from './type.ts';

/** Behaviour of writes that differs between kinds. */
export interface Strategy {
  /**
   * Returns the object to create: without fields that clients must not set, with fields that the server sets.
   */
  readonly prepareCreate: (value: JsonObject, type: ResourceType, cluster: Cluster) => JsonObject;
  /** Returns the object to store for an update through `subresource` ('' for the object itself). */
  readonly prepareUpdate: (
    value: JsonObject,
    old: JsonObject,
    type: ResourceType,
    subresource: string,
    cluster: Cluster,
  ) => JsonObject;
  /**
   * Returns the errors of an object that is created (`old` is `undefined`) or updated. Violations that an
   * update did not cause are passed to `warn`.
   */
  readonly validate: (
    value: JsonObject,
    old: JsonObject | undefined,
    type: ResourceType,
    subresource: string,
    cluster: Cluster,
    warn?: (warning: string) => void,
  ) => readonly FieldError[];
  /** Returns a new object with the labels that the server sets for its creator. */
  readonly label?: (value: JsonObject) => JsonObject;
  /** Whether an update may omit `metadata.resourceVersion`. */
  readonly unconditionalUpdate: boolean;
  /** Whether a PUT creates an object that does not exist. */
  readonly createOnUpdate?: boolean;
  /**
   * Applies the admission plugins that the API server enables by default.
   * @throws {Failure} 403
   */
  readonly admit?: (
    value: JsonObject,
    old: JsonObject | undefined,
    type: ResourceType,
    cluster: Cluster,
  ) => JsonObject;
  /**
   * Checks a complete object against the quotas of its namespace.
   * @throws {Failure} 403
   */
  readonly checkQuotas?: (
    value: JsonObject,
    old: JsonObject | undefined,
    type: ResourceType,
    cluster: Cluster,
  ) => void;
  /** Returns warnings that do not prevent a write. */
  readonly warnings?: (value: JsonObject, old: JsonObject | undefined) => readonly string[];
}

/** Returns `value` with the status of `old`: an update outside of the status subresource cannot change it. */
export function keepStatus(value: JsonObject, old: JsonObject): JsonObject {
  const status = own(old, 'status');
  return status === undefined ? omit(value, 'status') : replace(value, 'status', status);
}

/**
 * Returns `old` with the status and the managed fields of `value`: an update of the status subresource
 * changes nothing else.
 */
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

/**
 * Returns `value` with the generation of `old`, incremented if anything outside of metadata (and `except`)
 * changed.
 */
export function bumpGeneration(value: JsonObject, old: JsonObject, ...except: readonly string[]): JsonObject {
  const changed = !equal(omit(value, 'metadata', ...except), omit(old, 'metadata', ...except));
  const generation = own(object(old, 'metadata'), 'generation');
  if (typeof generation !== 'number') return value;
  return putAt(value, ['metadata', 'generation'], generation + (changed ? 1 : 0));
}
