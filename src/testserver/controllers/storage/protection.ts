/** Protection of claims, volumes and attribute classes that are used. */
import { type JsonObject, strings, text } from '@kgen/schema/values/json';
import { attributesClassesOf } from '../../resources/kinds/claims.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import type { Change } from '../../store/store.ts';
import { withFinalizers } from '../../verbs/deletion.ts';
import { type Cluster, keyOf, type ResourcePath, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { withoutFinalizer } from '../workloads/ownership.ts';
import { pods, volumeAttributesClasses, volumeClaims, volumes } from '../workloads/paths.ts';
import { claimsOf, consumersOf } from './consumers.ts';

/** A kind whose objects have a finalizer while others use them. */
interface Protection {
  readonly path: ResourcePath;
  readonly finalizer: string;
  /** Returns the keys of objects that a change of another kind may release. */
  readonly released: (change: Change) => readonly string[];
  readonly isUsed: (cluster: Cluster, value: JsonObject) => boolean;
}

const protections: readonly Protection[] = [
  {
    path: volumeClaims,
    finalizer: 'kubernetes.io/pvc-protection',
    released: ({ resource, object: value }) =>
      resource === storageOf(pods) ? claimsOf(value).map(({ name }) => keyOf(namespaceOf(value), name)) : [],
    // A Pod that is not on a node cannot start any more once its claim is being deleted.
    isUsed: (cluster, claim) =>
      consumersOf(cluster, claim).some((pod) => text(pod, 'spec', 'nodeName') !== ''),
  },
  {
    path: volumes,
    finalizer: 'kubernetes.io/pv-protection',
    released: () => [],
    isUsed: (_, volume) => text(volume, 'status', 'phase') === 'Bound',
  },
  {
    path: volumeAttributesClasses,
    finalizer: 'kubernetes.io/vac-protection',
    released: ({ resource, object: value, previous }) =>
      resource === storageOf(volumeClaims) || resource === storageOf(volumes)
        ? [...attributesClassesOf(value), ...attributesClassesOf(previous ?? {})]
        : [],
    isUsed: (cluster, value) =>
      [...cluster.list(volumeClaims), ...cluster.list(volumes)].some((user) =>
        attributesClassesOf(user).includes(nameOf(value)),
      ),
  },
];

/** Adds missing finalizers, and removes those of deleted objects that nothing uses. */
export const storageProtectionController: Controller = {
  name: 'claimProtection',
  keys: (change) =>
    protections.flatMap(({ path, released }) =>
      (change.resource === storageOf(path) ? [change.key] : released(change)).map(
        (key) => `${storageOf(path)} ${key}`,
      ),
    ),
  *reconcile(id, cluster) {
    const [resource = '', key = ''] = id.split(' ');
    const protection = protections.find(({ path }) => storageOf(path) === resource);
    const value = protection === undefined ? undefined : cluster.get(protection.path, key);
    if (protection === undefined || value === undefined) return;
    const { path, finalizer, isUsed } = protection;
    const finalizers = strings(value, 'metadata', 'finalizers');
    const isHeld = finalizers.includes(finalizer);
    if (isDeleting(value) === !isHeld) return;
    if (!isDeleting(value)) {
      yield* cluster.update(path, withFinalizers(value, [...finalizers, finalizer]));
    } else if (!isUsed(cluster, value)) {
      yield* cluster.update(path, withoutFinalizer(value, finalizer));
    }
  },
};
