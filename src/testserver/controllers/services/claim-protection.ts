/** Protection of claims that Pods use. */
import { array, type JsonObject, strings, text } from '@kgen/schema/values/json';
import { isDeleting, namespaceOf } from '../../store/object-facts.ts';
import { withFinalizers } from '../../verbs/deletion.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { pods, volumeClaims } from '../workloads/paths.ts';
import { isFinished } from '../workloads/values.ts';

const finalizer = 'kubernetes.io/pvc-protection';

/** Removes the finalizer of deleted claims that no Pod uses. */
export const claimProtectionController: Controller = {
  name: 'claimProtection',
  keys: ({ resource, key, object: value }) => {
    if (resource === storageOf(volumeClaims)) return [key];
    return resource === storageOf(pods) ? claimsOf(value).map((name) => keyOf(namespaceOf(value), name)) : [];
  },
  *reconcile(key, cluster) {
    const claim = cluster.get(volumeClaims, key);
    if (claim === undefined || !isDeleting(claim) || isUsed(cluster, claim)) return;
    const finalizers = strings(claim, 'metadata', 'finalizers');
    if (!finalizers.includes(finalizer)) return;
    yield* cluster.update(
      volumeClaims,
      withFinalizers(
        claim,
        finalizers.filter((each) => each !== finalizer),
      ),
    );
  },
};

function isUsed(cluster: Cluster, claim: JsonObject): boolean {
  const name = text(claim, 'metadata', 'name');
  return cluster
    .list(pods, namespaceOf(claim))
    .some((pod) => !isFinished(pod) && claimsOf(pod).includes(name));
}

function claimsOf(pod: JsonObject): readonly string[] {
  return array(pod, 'spec', 'volumes')
    .map((volume) => text(volume, 'persistentVolumeClaim', 'claimName'))
    .filter((name) => name !== '');
}
