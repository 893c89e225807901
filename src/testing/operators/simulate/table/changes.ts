/** Objects that exist before a reconcile, and changes that cause it. */
import { createHash } from 'node:crypto';
import { type KubernetesObject, RESTClient, type Stored } from '@kgen/runtime';
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { equal, type JsonObject, object, omit, own, text } from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import type { FaultOptions } from '@kgen/testserver/internal/http/faults';
import { apiVersionOf } from '@kgen/testserver/internal/resources/type';
import { idOf, type ObjectId } from '../cluster.ts';
import { type AdmissionStep, review } from './admission.ts';
import type { TableCluster } from './cluster.ts';

/**
 * A change of a user, made by `created`, `edited` or `deleted`; a fault of requests, made by `failing`; or a
 * function that changes objects with the client of an administrator.
 */
export type TableChange = TableObjectChange | RequestFailure | ((rest: RESTClient) => Promise<unknown>);

/** A change of one object by a user, as returned by `created`, `edited` and `deleted`. */
export interface TableObjectChange {
  readonly type: 'created' | 'edited' | 'deleted';
  readonly target: ObjectId;
  /** Returns the changed object, for an edit; the argument is not modified. */
  readonly edit: (value: JsonObject) => JsonObject;
}

/** A fault of requests that the operator sends during the reconcile. */
export interface RequestFailure {
  readonly type: 'failing';
  readonly fault: FaultOptions;
}

/**
 * Returns an object as a server stores it: with `apiVersion`, `kind`, a namespace (default: `default`) and a
 * uid, so that it can own other objects.
 * @example
 * ```ts
 * import { setControllerReference } from '@kgen/runtime/objects';
 * import { stored } from '@kgen/testing';
 * import { myApps } from './generated/my.domain/v1/index.js';
 *
 * const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });
 * const owned = setControllerReference({ metadata: { name: 'b', namespace: 'default' } }, app);
 * console.log(app.metadata.uid, owned);
 * ```
 */
export function stored<R extends Resource>(resource: R, value: ObjectOf<R>): Stored<ObjectOf<R>> {
  const { group, version, kind, scope } = resource;
  // seam: objects of Kubernetes are objects, whatever their type is.
  const given = copyOf(value as object);
  const metadata = {
    ...(scope === 'Namespaced' && { namespace: 'default' }),
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...object(given, 'metadata'),
  };
  const id = idOf({ ...given, apiVersion: apiVersionOf(group, version), kind, metadata });
  const whole = { ...given, apiVersion: id.apiVersion, kind, metadata: { uid: uidOf(id), ...metadata } };
  // seam: the object has the type of the resource, and the members that a server adds.
  return whole as unknown as Stored<ObjectOf<R>>;
}

/** Returns a uid that depends on the identity only. */
function uidOf(id: ObjectId): string {
  const hash = createHash('sha256').update(JSON.stringify(id)).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

/** Returns a change of a table test: a user creates the object. Its status is stored, too. */
export function created(value: KubernetesObject): TableObjectChange {
  const copy = copyOf(value);
  return { type: 'created', target: idOf(copy), edit: () => copy };
}

/**
 * Returns a change of a table test: a user changes the object. `edit` changes a copy; changes of the status
 * are written as a controller writes them.
 */
export function edited<T extends KubernetesObject>(
  value: T,
  edit: (object: Stored<T>) => void,
): TableObjectChange;
/**
 * Returns a change of a table test: a user changes the object with the name `name` or `namespace/name`, by a
 * function that changes a copy of it.
 */
export function edited<R extends Resource>(
  resource: R,
  name: string,
  edit: (object: Stored<ObjectOf<R>>) => void,
): TableObjectChange;
export function edited(
  value: KubernetesObject | Resource,
  ...rest: readonly [edit: (object: never) => void] | readonly [name: string, edit: (object: never) => void]
): TableObjectChange {
  const [name, edit] = rest.length === 1 ? ['', rest[0]] : rest;
  return {
    type: 'edited',
    target: targetOf(value, name),
    edit: (before) => {
      const draft = copyOf(before);
      // seam: the server validates objects with the schema of the type that `edit` expects.
      edit(draft as never);
      return copyOf(draft);
    },
  };
}

/**
 * Returns a change of a table test: a user deletes the object. With finalizers it is marked for deletion, and
 * exists until they are removed.
 */
export function deleted(value: KubernetesObject): TableObjectChange;
/**
 * Returns a change of a table test: a user deletes the object with the name `name` or `namespace/name`.
 */
export function deleted(resource: Resource, name: string): TableObjectChange;
export function deleted(value: KubernetesObject | Resource, name = ''): TableObjectChange {
  return { type: 'deleted', target: targetOf(value, name), edit: (before) => before };
}

function targetOf(value: KubernetesObject | Resource, name: string): ObjectId {
  if (!('plural' in value)) return idOf(copyOf(value));
  const { group, version, kind } = value;
  const [namespace, own] = name.includes('/') ? name.split('/', 2) : ['', name];
  return { apiVersion: apiVersionOf(group, version), kind, namespace: namespace ?? '', name: own ?? '' };
}

/**
 * Returns a fault of a table test: requests of the reconcile fail, such as the next one with `{ status: 409,
 * reason: 'Conflict', match: { verb: 'patch', resource: 'deployments' } }`.
 */
export function failing(fault: FaultOptions): RequestFailure {
  return { type: 'failing', fault };
}

/**
 * Performs a change.
 * @throws {Error} if an object does not exist, or with the reason of the server
 */
export async function apply(cluster: TableCluster, change: TableChange | AdmissionStep): Promise<void> {
  if (typeof change === 'function') return perform(cluster, change);
  if (change.type === 'reviewed') return review(cluster, change);
  if (change.type === 'failing') return cluster.faults.add(change.fault);
  const { type, target } = change;
  if (type === 'created') return cluster.seed([change.edit({})]);
  const before = cluster.stored(target);
  if (type === 'deleted') return cluster.remove(target);
  const after = change.edit(before);
  if (!equal(omit(before, 'status'), omit(after, 'status'))) await cluster.put(target, after);
  if (equal(own(before, 'status'), own(after, 'status'))) return;
  const resourceVersion = text(cluster.stored(target), 'metadata', 'resourceVersion');
  const current = { ...after, metadata: { ...object(after, 'metadata'), resourceVersion } };
  await cluster.put(target, current, 'status');
}

async function perform(cluster: TableCluster, work: (rest: RESTClient) => Promise<unknown>): Promise<void> {
  const rest = new RESTClient(cluster.configOf('user'), { transport: cluster.transport, encoding: 'json' });
  try {
    await work(rest);
  } finally {
    await rest.close();
  }
}
