/** Claims of Pods: those that they name, and those of their generic ephemeral volumes. */
import { array, isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { controllerOf, isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, keyOf, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { pods, volumeClaims } from '../workloads/paths.ts';
import { annotations, hasAnnotation } from './matching.ts';

/** A claim that a volume of a Pod uses. */
interface UsedClaim {
  readonly name: string;
  /** Template of a claim that belongs to the Pod. */
  readonly template: JsonObject | undefined;
}

/** Returns the claims that the volumes of a Pod use. */
export function claimsOf(pod: JsonObject): readonly UsedClaim[] {
  return array(pod, 'spec', 'volumes').flatMap((volume) => usedClaim(pod, volume));
}

function usedClaim(pod: JsonObject, volume: Json): readonly UsedClaim[] {
  const name = text(volume, 'persistentVolumeClaim', 'claimName');
  if (name !== '') return [{ name, template: undefined }];
  if (!isObject(own(volume, 'ephemeral'))) return [];
  return [
    {
      name: `${nameOf(pod)}-${text(volume, 'name')}`,
      template: object(volume, 'ephemeral', 'volumeClaimTemplate'),
    },
  ];
}

/** Returns whether a claim is the one that was created for an ephemeral volume of a Pod. */
export function isOfPod(claim: JsonObject, pod: JsonObject): boolean {
  return text(controllerOf(claim), 'uid') === text(pod, 'metadata', 'uid');
}

/** Returns the Pods that use a claim. */
export function consumersOf(cluster: Cluster, claim: JsonObject): readonly JsonObject[] {
  const name = nameOf(claim);
  return cluster
    .list(pods, namespaceOf(claim))
    .filter((pod) =>
      claimsOf(pod).some(
        (used) => used.name === name && (used.template === undefined || isOfPod(claim, pod)),
      ),
    );
}

/** Returns whether a claim and a volume are bound to each other. */
export function isBound(claim: JsonObject): boolean {
  return text(claim, 'spec', 'volumeName') !== '' && hasAnnotation(claim, annotations.bindCompleted);
}

/** Creates the claims of generic ephemeral volumes, which their Pods own. */
export const ephemeralVolumeController: Controller = {
  name: 'ephemeralVolumes',
  keys: ({ resource, key, type, object: value }) => {
    if (resource === storageOf(pods)) return type !== 'DELETED' && hasTemplates(value) ? [key] : [];
    if (resource !== storageOf(volumeClaims) || type !== 'DELETED') return [];
    const owner = controllerOf(value);
    return text(owner, 'kind') === 'Pod' ? [keyOf(namespaceOf(value), text(owner, 'name'))] : [];
  },
  *reconcile(key, cluster) {
    const pod = cluster.get(pods, key);
    if (pod === undefined || isDeleting(pod)) return;
    for (const { name, template } of claimsOf(pod)) {
      const claimKey = keyOf(namespaceOf(pod), name);
      if (template === undefined || cluster.get(volumeClaims, claimKey) !== undefined) continue;
      const { labels = {}, annotations: notes = {} } = object(template, 'metadata');
      yield* cluster.create(volumeClaims, {
        metadata: {
          name,
          namespace: namespaceOf(pod),
          labels,
          annotations: notes,
          ownerReferences: [controllerReference(pods, pod)],
        },
        spec: object(template, 'spec'),
      });
    }
  },
};

function hasTemplates(pod: JsonObject): boolean {
  return claimsOf(pod).some(({ template }) => template !== undefined);
}
