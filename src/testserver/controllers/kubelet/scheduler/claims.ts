/** Claims for which pods wait, as the plugin VolumeBinding of the scheduler of Kubernetes checks them. */

import { type JsonObject, text } from '@kgen/schema/values/json';
import { classOfClaim } from '../../../resources/kinds/claims.ts';
import { isDeleting, nameOf, namespaceOf } from '../../../store/object-facts.ts';
import { type Cluster, keyOf } from '../../cluster.ts';
import { claimsOf, isBound, isOfPod } from '../../storage/consumers.ts';
import {
  annotation,
  annotations,
  bestVolume,
  isReachable,
  waitsForConsumer,
} from '../../storage/matching.ts';
import { nodes, storageClasses, volumeClaims, volumes } from '../../workloads/paths.ts';

/** Name of the node of a server without declared nodes. */
export const defaultNode = 'test-node';

/**
 * Returns why a pod cannot be scheduled on any node. The default node accepts all pods: claims need a class,
 * which tests of operators seldom create.
 */
export function claimProblem(cluster: Cluster, pod: JsonObject): string | undefined {
  const used = claimsOf(pod);
  if (used.length === 0 || cluster.list(nodes).every((node) => nameOf(node) === defaultNode))
    return undefined;
  for (const { name, template } of used) {
    const claim = claimOf(cluster, pod, name);
    const quoted = JSON.stringify(name);
    if (claim === undefined) {
      return template === undefined
        ? `persistentvolumeclaim ${quoted} not found`
        : `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`;
    }
    if (text(claim, 'status', 'phase') === 'Lost') {
      const volume = JSON.stringify(text(claim, 'spec', 'volumeName'));
      return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`;
    }
    if (isDeleting(claim)) return `persistentvolumeclaim ${quoted} is being deleted`;
    if (template !== undefined && !isOfPod(claim, pod)) {
      const id = `${namespaceOf(pod)}/${name}`;
      return `PVC ${id} was not created for pod ${namespaceOf(pod)}/${nameOf(pod)} (pod is not owner)`;
    }
  }
  const isWaiting = waitingClaims(cluster, pod).some((claim) => !isDelayed(cluster, claim));
  return isWaiting ? 'pod has unbound immediate PersistentVolumeClaims' : undefined;
}

function claimOf(cluster: Cluster, pod: JsonObject, name: string): JsonObject | undefined {
  return cluster.get(volumeClaims, keyOf(namespaceOf(pod), name));
}

function waitingClaims(cluster: Cluster, pod: JsonObject): readonly JsonObject[] {
  return existingClaims(cluster, pod).filter((claim) => !isBound(claim));
}

function existingClaims(cluster: Cluster, pod: JsonObject): readonly JsonObject[] {
  return claimsOf(pod)
    .map(({ name }) => claimOf(cluster, pod, name))
    .filter((claim) => claim !== undefined);
}

/** Returns whether a claim is bound once its pod is scheduled. */
function isDelayed(cluster: Cluster, claim: JsonObject): boolean {
  return text(claim, 'spec', 'volumeName') === '' && waitsForConsumer(classOf(cluster, claim));
}

function classOf(cluster: Cluster, claim: JsonObject): JsonObject | undefined {
  const name = classOfClaim(claim);
  return name === '' ? undefined : cluster.get(storageClasses, name);
}

/** Returns why a pod cannot use its volumes on a node. */
export function volumeProblem(cluster: Cluster, pod: JsonObject, node: JsonObject): string | undefined {
  const claims = nameOf(node) === defaultNode ? [] : existingClaims(cluster, pod);
  const bound = claims
    .filter(isBound)
    .map((claim) => cluster.get(volumes, text(claim, 'spec', 'volumeName')));
  if (bound.some((volume) => volume !== undefined && !isReachable(volume, node)))
    return "node(s) didn't match PersistentVolume's node affinity";
  if (claims.some((claim) => !isBound(claim) && !isBindable(cluster, claim, node)))
    return "node(s) didn't find available persistent volumes to bind";
  const isMissing = bound.includes(undefined);
  return isMissing ? 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)' : undefined;
}

function isBindable(cluster: Cluster, claim: JsonObject, node: JsonObject): boolean {
  const selected = annotation(claim, annotations.selectedNode);
  if (selected !== '') return selected === nameOf(node);
  if (text(classOf(cluster, claim), 'provisioner') !== 'kubernetes.io/no-provisioner') return true;
  const reachable = cluster.list(volumes).filter((volume) => isReachable(volume, node));
  return bestVolume(claim, reachable, false) !== undefined;
}
