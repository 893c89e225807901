/** Answers with success as what they should be. */
import { DecodeError } from '../errors.ts';
import { apiVersionOf } from '../group-version.ts';
import type { KubernetesList, ListMeta } from '../meta.ts';
import type { ResourceFacts } from '../resource.ts';
import type { Operation } from '../rest/types.ts';

/** An object of the wire whose members are not known. */
interface WireObject {
  apiVersion?: unknown;
  kind?: unknown;
  metadata?: unknown;
  items?: unknown;
}

function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
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

/**
 * The answer as a list whose items say their apiVersion and kind, which servers leave out.
 * @throws {DecodeError} it is something else
 */
export function decodeList<L extends KubernetesList<unknown>>(
  value: unknown,
  resource: ResourceFacts,
  operation: Operation,
): L {
  const list = decodeObject<WireObject>(value, operation);
  // Servers write a list without items as null, too.
  list.items ??= [];
  if (!Array.isArray(list.items))
    throw new DecodeError(`the answer is not a list: it has no items`, operation);
  const meta: ListMeta = {};
  list.metadata ??= meta;
  const apiVersion = apiVersionOf(resource);
  for (const item of list.items) {
    if (!isObject(item))
      throw new DecodeError(`an item of the list is ${kindOf(item)}, not an object`, operation);
    if (!isObject(item.metadata)) throw new DecodeError('an item of the list has no metadata', operation);
    item.apiVersion ??= apiVersion;
    item.kind ??= resource.kind;
  }
  // Wire decoding: the server answers for the types of the items.
  return list as L;
}
