/** Answers with success as what they should be. */
import { DecodeError } from '../errors.ts';
import { apiVersionOf } from '../group-version.ts';
import type { KubernetesList, ListMeta } from '../meta.ts';
import type { Operation } from '../rest/types.ts';
import type { ResourceIdentity } from './paths.ts';

/** An object of the wire whose members are not known. */
export interface WireObject {
  apiVersion?: unknown;
  kind?: unknown;
  metadata?: unknown;
  items?: unknown;
}

function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/**
 * The answer as an object. Its members are what the server's schema says they are, which is not checked.
 * @throws {DecodeError} it is something else
 */
export function decodeObject<T>(value: unknown, operation: Operation): T {
  if (!isObject(value)) throw new DecodeError(`the answer is ${kindOf(value)}, not an object`, operation);
  // Wire decoding: the server answers for the type.
  return value as T;
}

/** What items are that do not say it: of the resource's kind, or else of the kind that their list is a list of. */
function itemsOf(list: WireObject, resource: ResourceIdentity): { apiVersion: string; kind?: string } {
  const { kind } = resource;
  if (kind !== undefined) return { apiVersion: apiVersionOf(resource), kind };
  const apiVersion = typeof list.apiVersion === 'string' ? list.apiVersion : apiVersionOf(resource);
  const listed = typeof list.kind === 'string' ? /^(.+)List$/.exec(list.kind)?.[1] : undefined;
  return { apiVersion, ...(listed !== undefined && { kind: listed }) };
}

/** An answer that is a list, and what to do to each of its items. */
export interface DecodedList {
  readonly list: WireObject;
  readonly items: readonly unknown[];
  /**
   * Makes an item say what it is.
   * @throws {DecodeError} it is no object, or has no metadata
   */
  complete(item: unknown): void;
}

/**
 * The answer as a list whose items are not yet complete.
 * @throws {DecodeError} it is something else
 */
export function listOf(value: unknown, resource: ResourceIdentity, operation: Operation): DecodedList {
  const list = decodeObject<WireObject>(value, operation);
  // Servers write a list without items as null, too. What has none may be anything: it must not pass for an empty list.
  if (list.items === null) list.items = [];
  if (!Array.isArray(list.items))
    throw new DecodeError(`the answer is not a list: it has no items`, operation);
  const meta: ListMeta = {};
  list.metadata ??= meta;
  const { apiVersion, kind } = itemsOf(list, resource);
  const complete = (item: unknown): void => {
    if (!isObject(item))
      throw new DecodeError(`an item of the list is ${kindOf(item)}, not an object`, operation);
    if (!isObject(item.metadata)) throw new DecodeError('an item of the list has no metadata', operation);
    item.apiVersion ??= apiVersion;
    if (kind !== undefined) item.kind ??= kind;
  };
  return { list, items: list.items, complete };
}

/**
 * The answer as a list whose items say their apiVersion and kind, which servers leave out.
 * @throws {DecodeError} it is something else
 */
export function decodeList<L extends KubernetesList<unknown>>(
  value: unknown,
  resource: ResourceIdentity,
  operation: Operation,
): L {
  const { list, items, complete } = listOf(value, resource, operation);
  for (const item of items) complete(item);
  // Wire decoding: the server answers for the types of the items.
  return list as L;
}

/** Items that are completed at once, in well below a millisecond. */
const few = 1000;

/**
 * The same for a list of any length, without holding the event loop.
 * @throws {DecodeError} it is something else
 */
export async function decodeLongList<L extends KubernetesList<unknown>>(
  value: unknown,
  resource: ResourceIdentity,
  operation: Operation,
): Promise<L> {
  const { list, items, complete } = listOf(value, resource, operation);
  if (items.length <= few) for (const item of items) complete(item);
  else {
    const { inSlices } = await import('../codec/time-slice.ts');
    await inSlices(items, complete);
  }
  // Wire decoding: the server answers for the types of the items.
  return list as L;
}
