/** Informers of a manager's controllers, as caches in which own writes are recorded. */

import type { Informer, KubernetesObject, RESTClient, SharedInformers } from '@kgen/runtime';
import { isOlder } from '../apply/write-comparison.ts';
import type { CachedObject, WriteCaches } from '../client/managed-client.ts';
import type { OwnerCaches } from '../client/owner-guard.ts';
import type { RequestTarget } from '../client/request-target.ts';
import { currentRun } from '../client/run-scope.ts';
import { metadataString } from '../members.ts';

/** Informers by resource. */
export class ManagedCaches implements WriteCaches, OwnerCaches {
  readonly #informers = new Map<string, readonly Informer<KubernetesObject>[]>();
  /** Those of `#informers` in which writes are recorded. */
  readonly #written = new Map<string, readonly Informer<KubernetesObject>[]>();
  readonly #sets = new Set<SharedInformers>();
  readonly #isOwn: (rest: RESTClient) => boolean;

  /** Writes are recorded in informers that use one of the clients for which `isOwn` returns true. */
  constructor(isOwn: (rest: RESTClient) => boolean) {
    this.#isOwn = isOwn;
  }

  /** Sets of informers, which the manager starts and stops. */
  get sets(): readonly SharedInformers[] {
    return [...this.#sets];
  }

  /** All informers. */
  get informers(): readonly Informer<KubernetesObject>[] {
    return [...this.#informers.values()].flat();
  }

  /** Adds an informer, unless it was added before. */
  add(informer: Informer<KubernetesObject>): void {
    this.#sets.add(informer.informers);
    const key = keyOf(informer.resource);
    const known = this.#informers.get(key) ?? [];
    if (known.includes(informer)) return;
    const all = [...known, informer];
    this.#informers.set(key, all);
    this.#written.set(
      key,
      all.filter(({ informers }) => this.#isOwn(informers.rest)),
    );
  }

  get(target: RequestTarget): CachedObject | undefined {
    const { name, namespace } = target;
    if (name === undefined) return undefined;
    let newest: CachedObject | undefined;
    for (const informer of this.#of(target)) {
      const object = informer.find({ namespace, name });
      if (object === undefined || !('kind' in object) || object.kind === 'PartialObjectMetadata') continue;
      const found = { object, isWhole: informer.isWhole };
      newest = newest === undefined ? found : newestOf(newest, found);
    }
    return newest;
  }

  ofKind(group: string, kind: string): Informer<KubernetesObject> | undefined {
    for (const informers of this.#written.values()) {
      const [informer] = informers;
      if (informer?.resource.group === group && informer.resource.kind === kind) return informer;
    }
    return undefined;
  }

  wrote(target: RequestTarget, object: object): boolean {
    for (const set of this.#sets) if (this.#isOwn(set.rest)) set.recordWrite(target, { object });
    const { name, namespace } = target;
    if (name === undefined) return false;
    const uid = metadataString(object, 'uid');
    return this.#of(target).every((informer) => {
      const cached = informer.find({ namespace, name });
      return cached !== undefined && cached.metadata.uid === uid;
    });
  }

  deleted(target: RequestTarget, uid: string | undefined): void {
    for (const set of this.#sets) if (this.#isOwn(set.rest)) set.recordWrite(target, { deleted: { uid } });
  }

  #of(target: RequestTarget): readonly Informer<KubernetesObject>[] {
    return this.#written.get(keyOf(target)) ?? [];
  }
}

/** Attributes reads of an informer's cache to their runs. Returns the function that ends it. */
export function noteReads(informer: Informer<KubernetesObject>): () => void {
  const { resource } = informer;
  return informer.observeReads((read) => currentRun()?.read({ resource, ...read }));
}

/** Returns the newer of two states, and a whole one if both have the same version. */
function newestOf(a: CachedObject, b: CachedObject): CachedObject {
  const [first, second] = [a, b].map(({ object }) => metadataString(object, 'resourceVersion'));
  if (first === second) return a.isWhole ? a : b;
  if (isOlder(second, first)) return a;
  // Without an order, neither shows the present state.
  return isOlder(first, second) ? b : { ...b, isWhole: false };
}

function keyOf({ group, version, resource }: Pick<RequestTarget, 'group' | 'version' | 'resource'>): string {
  return `${group}/${version}/${resource}`;
}
