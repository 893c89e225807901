/** The two objects of a history, and the outcomes of their writes. */

import { ApiError, DecodeError, RESTClient } from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { lost } from './faulty-transport.ts';
import type { History, Write } from './history.ts';
import { type Fields, kinds, ownerName, owners, pathOf } from './kinds.ts';
import { fieldsOf, type Place } from './object-client.ts';
import { type Cluster, operator } from './other-processes.ts';

/** The two objects at one moment; `undefined` if they do not exist. */
export interface Pair {
  readonly managed: Fields | undefined;
  readonly plain: Fields | undefined;
}

/** Result of a write: `ok`, the code of an error, or `lost`. */
export type Result = string;

/** Outcome of a write. */
export interface Outcome {
  readonly result: Result;
  /** Object that the client returned. */
  readonly object: Fields | undefined;
}

/** Waits for a write. An error of the server is an outcome. */
export async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const object = await work();
    return { result: 'ok', object: object === undefined ? undefined : fieldsOf(object) };
  } catch (error) {
    return { result: resultOf(error), object: undefined };
  }
}

function resultOf(error: unknown): Result {
  if (error instanceof DecodeError) return 'lost';
  if (error instanceof ApiError) return error.code === 504 ? 'lost' : String(error.code);
  if (error instanceof Error && error.message.endsWith(lost)) return 'lost';
  throw error;
}

/** Whether both writes returned the object itself. */
export function isObjectPair(pair: Pair | undefined): pair is Pair {
  const objects = [pair?.managed, pair?.plain];
  return objects.every((object) => object?.['kind'] !== 'Status' && versionOf(object) !== undefined);
}

/** Returns a client that sends every write. */
export function clientOf({ config }: Cluster, transport: Transport): RESTClient {
  return new RESTClient(config, { transport, fieldManager: operator, onWarning: () => undefined });
}

/** Returns the resourceVersion of an object. */
export function versionOf(object: Fields | undefined): string | undefined {
  const version = fieldsOf(object?.['metadata'])['resourceVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** Creates the namespace and the owner of a twin. */
export async function placeOf(rest: RESTClient, { kind }: History, namespace: string): Promise<Place> {
  await rest.post('/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  });
  await rest.post(pathOf(owners, owners.version, namespace), {
    body: {
      apiVersion: `${owners.group}/${owners.version}`,
      kind: owners.kind,
      metadata: { name: ownerName },
    },
  });
  return { kind: kinds[kind], namespace, name: 'web' };
}

/** No objects. */
export const absent: Pair = { managed: undefined, plain: undefined };

/** Returns the objects whose version the body of a write has. `cached` is that of the cached object. */
export function basisOf(
  { verb, resourceVersion }: Write,
  states: readonly Pair[],
  cached: string | undefined,
): Pair {
  if (verb === 'changeCached' || resourceVersion === 'cached') {
    return states.findLast(({ managed }) => versionOf(managed) === cached) ?? absent;
  }
  if (resourceVersion === undefined || resourceVersion === 'none') return absent;
  const present = states.filter(({ managed }) => managed !== undefined);
  const versions = [...new Set(present.map(({ managed }) => versionOf(managed)))];
  const expected = resourceVersion === 'old' ? versions.at(-2) : versions.at(-1);
  return present.findLast(({ managed }) => versionOf(managed) === expected) ?? absent;
}
