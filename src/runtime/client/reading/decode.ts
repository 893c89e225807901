/** Checks and completion of successful responses. */

import { DecodeError } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import type { KubernetesList, ListMeta } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { isFields } from '../../common/fields.ts';
import { onDemand } from '../../common/on-demand.ts';
import type { ResourceIdentity } from '../requests/paths.ts';

const timeSlice = onDemand(() => import('../../common/time-slice.ts'));

/** Decoded object with unknown members. */
export interface WireObject {
  apiVersion?: unknown;
  kind?: unknown;
  metadata?: unknown;
  items?: unknown;
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/**
 * Returns a response as an object. Its members are not validated against the schema of the server.
 * @throws {DecodeError} if the response is not an object
 */
export function decodeObject<T>(value: unknown, operation: RequestOperation): T {
  if (!isFields(value)) throw new DecodeError(`the response is ${kindOf(value)}, not an object`, operation);
  // Decoded data: the server is trusted for the type.
  return value as T;
}

/**
 * Returns whether an object is a list, as client-go decides it. Servers encode an empty list as `items: []`,
 * as `items: null`, or, with `omitempty` in its Go type, without `items`. An object without `items` must not
 * pass for an empty list unless its kind is that of a list.
 */
export function isList({ items, kind }: WireObject): boolean {
  return items === undefined ? listedKind(kind) !== undefined : items === null || Array.isArray(items);
}

/** Returns the kind of the items of a list by the kind of the list. */
function listedKind(kind: unknown): string | undefined {
  return typeof kind === 'string' ? /^(.*)List$/.exec(kind)?.[1] : undefined;
}

/** Decoded list, and the function that completes its items. */
export interface DecodedList {
  readonly list: WireObject;
  readonly items: readonly unknown[];
  /**
   * Adds apiVersion and kind to an item.
   * @throws {DecodeError} if the item is not an object, or has no metadata
   */
  complete(item: unknown): void;
}

/**
 * Returns a response as a list whose items are not completed yet.
 * @throws {DecodeError} if the response is not a list
 */
export function listOf(value: unknown, resource: ResourceIdentity, operation: RequestOperation): DecodedList {
  const list = decodeObject<WireObject>(value, operation);
  if (isList(list)) list.items ??= [];
  if (!Array.isArray(list.items))
    throw new DecodeError(`the response is not a list: it has no items`, operation);
  const meta: ListMeta = {};
  list.metadata ??= meta;
  const { apiVersion, kind } = itemsOf(list, resource);
  const complete = (item: unknown): void => {
    if (!isFields(item))
      throw new DecodeError(`an item of the list is ${kindOf(item)}, not an object`, operation);
    const object: WireObject = item;
    if (!isFields(object.metadata)) throw new DecodeError('an item of the list has no metadata', operation);
    object.apiVersion ??= apiVersion;
    if (kind !== undefined) object.kind ??= kind;
  };
  return { list, items: list.items, complete };
}

/**
 * Returns the apiVersion and kind of items without their own: those of the resource, or else those derived
 * from the kind of the list.
 */
function itemsOf(list: WireObject, resource: ResourceIdentity): { apiVersion: string; kind?: string } {
  const { kind } = resource;
  if (kind !== undefined) return { apiVersion: apiVersionOf(resource), kind };
  const apiVersion = typeof list.apiVersion === 'string' ? list.apiVersion : apiVersionOf(resource);
  const listed = listedKind(list.kind);
  return { apiVersion, ...(listed && { kind: listed }) };
}

/**
 * Returns a response as a list. Adds apiVersion and kind to its items, as servers omit them.
 * @throws {DecodeError} if the response is not a list of objects
 */
export function decodeList<L extends KubernetesList<unknown>>(
  value: unknown,
  resource: ResourceIdentity,
  operation: RequestOperation,
): L {
  const { list, items, complete } = listOf(value, resource, operation);
  for (const item of items) complete(item);
  // Decoded data: the server is trusted for the types of the items.
  return list as L;
}

/** Number of items that are completed synchronously, in well below a millisecond. */
const few = 1000;

/**
 * Returns a response as a list of any length, without blocking the event loop. Adds apiVersion and kind to
 * its items.
 * @throws {DecodeError} if the response is not a list of objects
 */
export async function decodeLongList<L extends KubernetesList<unknown>>(
  value: unknown,
  resource: ResourceIdentity,
  operation: RequestOperation,
): Promise<L> {
  const { list, items, complete } = listOf(value, resource, operation);
  if (items.length <= few) for (const item of items) complete(item);
  else {
    const { inSlices } = await timeSlice();
    await inSlices(items, complete);
  }
  // Decoded data: the server is trusted for the types of the items.
  return list as L;
}
