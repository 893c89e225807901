/**
 * Refuses writes that would add a reference to an owner that is being deleted. The informer of an object may
 * show that the garbage collector has removed its reference before the informer of the owner shows the
 * deletion. Before a reference is added to an existing object, the owner is therefore read from the server,
 * as by the controllers of Kubernetes before they adopt an object.
 * @see https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/controller/controller_ref_manager.go
 */

import type { Informer, KubernetesObject } from '@kgen/runtime';
import { OwnerTerminatingError } from '@kgen/runtime/objects';
import { isObject, isTerminating, type JsonObject, member, metadataString } from '../members.ts';
import { groupOf } from '../sources/sources.ts';
import { liveObject } from './live-object.ts';
import type { RequestTarget } from './request-target.ts';

/** Informers of owners. */
export interface OwnerCaches {
  /** Returns an informer of a kind in any version, of the manager's cluster. */
  ofKind(group: string, kind: string): Informer<KubernetesObject> | undefined;
}

/** A write that may add references. */
export interface ReferringWrite {
  /** Object, merge patch or JSON patch. */
  readonly body: unknown;
  readonly target: RequestTarget;
  /** The newest cached object, if an informer of the resource has it. */
  readonly cached: object | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks a write before it is sent. Returns `undefined` if it may be sent at once, or a promise if owners are
 * read first, which rejects with the errors below, and those of the read. A write of an object that has the
 * reference is sent if it has the `resourceVersion` of that object as precondition.
 * @throws {OwnerTerminatingError} if the write would add a reference to an owner that is being deleted
 */
export function checkOwners(write: ReferringWrite, caches: OwnerCaches): Promise<void> | undefined {
  const { body, target, cached } = write;
  const references = ownerReferencesOf(body);
  if (references.length === 0) return undefined;
  const version = versionOf(body);
  const isBase = version === undefined || version === metadataString(cached, 'resourceVersion');
  const present = new Set(isBase ? ownerReferencesOf(cached).map(({ uid }) => uid) : []);
  const unknown: Owner[] = [];
  for (const reference of references) {
    const owner = ownerOf(reference, target, caches);
    if (owner === undefined) continue;
    const isPresent = present.has(owner.uid);
    // The server refuses the write if the reference was removed since.
    if (isPresent && version !== undefined) continue;
    const found = owner.informer.find(owner.place);
    const isCached = found !== undefined && found.metadata.uid === owner.uid;
    if (isCached && isTerminating(found)) throw refusal(owner, 'is being deleted');
    // A creation, or a change of an object that has the reference.
    if (isCached && (isPresent || cached === undefined)) continue;
    unknown.push(owner);
  }
  return unknown.length === 0 ? undefined : checkLive(unknown, write.signal);
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly uid: string;
  readonly place: { readonly name: string; readonly namespace: string | undefined };
  readonly informer: Informer<KubernetesObject>;
}

/** Returns the owner of a reference; `undefined` if no informer has its kind. */
function ownerOf(
  { apiVersion, kind, name, uid }: JsonObject,
  { namespace }: RequestTarget,
  caches: OwnerCaches,
): Owner | undefined {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  if (typeof name !== 'string' || typeof uid !== 'string') return undefined;
  const informer = caches.ofKind(groupOf(apiVersion) ?? '', kind);
  if (informer === undefined) return undefined;
  const isNamespaced = informer.resource.scope !== 'Cluster';
  return {
    apiVersion,
    kind,
    uid,
    place: { name, namespace: isNamespaced ? namespace : undefined },
    informer,
  };
}

async function checkLive(owners: readonly Owner[], signal: AbortSignal | undefined): Promise<void> {
  for (const owner of owners) {
    const { informer, place, uid } = owner;
    const live = await liveObject(informer.informers.rest, informer.resource, place, signal);
    if (live === undefined || live.metadata.uid !== uid) throw refusal(owner, 'is deleted');
    if (isTerminating(live)) throw refusal(owner, 'is being deleted');
  }
}

function refusal({ apiVersion, kind, place, uid }: Owner, state: string): OwnerTerminatingError {
  const { namespace, name } = place;
  const shown = namespace === undefined ? name : `${namespace}/${name}`;
  const metadata = { ...place, uid };
  return new OwnerTerminatingError(`no object may refer to ${kind} ${shown}: it ${state}`, {
    apiVersion,
    kind,
    metadata,
  });
}

/** Returns the references that an object, a merge patch or a JSON patch has or sets. */
function ownerReferencesOf(body: unknown): readonly JsonObject[] {
  const values: readonly unknown[] = Array.isArray(body)
    ? body.flatMap(referencesOfOperation)
    : [member(member(body, 'metadata'), 'ownerReferences')].flat();
  // Items of strategic merge patches with `$patch` delete references.
  return values.filter(isObject).filter((each) => each['$patch'] === undefined);
}

function referencesOfOperation(operation: unknown): readonly unknown[] {
  const [op, path] = [member(operation, 'op'), member(operation, 'path')];
  if ((op !== 'add' && op !== 'replace') || typeof path !== 'string') return [];
  if (!/^\/metadata\/ownerReferences(\/[^/]*)?$/.test(path)) return [];
  return [member(operation, 'value')].flat();
}

/** Returns the version of the object to which the server limits a write. */
function versionOf(body: unknown): unknown {
  if (!Array.isArray(body)) return metadataString(body, 'resourceVersion') || undefined;
  const test = body.find(
    (each) => member(each, 'op') === 'test' && member(each, 'path') === '/metadata/resourceVersion',
  );
  return member(test, 'value');
}
