/** Rules for which volume a claim is bound to. */
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { quantityNanos } from '../../resources/builtin/quantity.ts';
import { classOfClaim } from '../../resources/kinds/claims.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { isSelectedNode } from '../kubelet/scheduler/node-affinity.ts';
import { isSelectedBy } from '../workloads/values.ts';

/** Annotations with which binders, provisioners and schedulers of clusters communicate. */
export const annotations = {
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  selectedNode: 'volume.kubernetes.io/selected-node',
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  betaProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
} as const;

/** Returns an annotation; empty if it is missing. */
export function annotation(value: Json | undefined, name: string): string {
  return text(value, 'metadata', 'annotations', name);
}

/** Returns whether an object has an annotation, whatever its value is. */
export function hasAnnotation(value: Json | undefined, name: string): boolean {
  return own(object(value, 'metadata', 'annotations'), name) !== undefined;
}

/** Returns the storage that a list of amounts has, in billionths. */
export function storageIn(amounts: JsonObject): bigint {
  return quantityNanos(String(own(amounts, 'storage') ?? '0')) ?? 0n;
}

/** Returns the reference of a volume to its claim, or `undefined`. */
export function claimReference(volume: JsonObject): JsonObject | undefined {
  const reference = own(object(volume, 'spec'), 'claimRef');
  return isObject(reference) ? reference : undefined;
}

/** Returns whether a volume is bound to a claim, or reserved for it without a UID. */
export function isBoundTo(volume: JsonObject, claim: JsonObject): boolean {
  const reference = claimReference(volume);
  const uid = text(reference, 'uid');
  return (
    text(reference, 'name') === nameOf(claim) &&
    text(reference, 'namespace') === namespaceOf(claim) &&
    (uid === '' || uid === text(claim, 'metadata', 'uid'))
  );
}

/** Returns whether a volume can be used on a node. */
export function isReachable(volume: JsonObject, node: JsonObject): boolean {
  return isSelectedNode(own(object(volume, 'spec', 'nodeAffinity'), 'required'), node);
}

/** Returns whether the claims of a class are bound once a pod uses them. */
export function waitsForConsumer(storageClass: JsonObject | undefined): boolean {
  return text(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
}

/** Returns whether the volume modes of a claim and a volume are equal. */
export function hasMode(volume: JsonObject, claim: JsonObject): boolean {
  return modeOf(volume) === modeOf(claim);
}

function modeOf(value: JsonObject): string {
  return text(value, 'spec', 'volumeMode') || 'Filesystem';
}

/** Returns whether a claim may be bound to the volume that it names. */
export function satisfies(volume: JsonObject, claim: JsonObject): boolean {
  return (
    isLargeEnough(volume, claim) &&
    !isDeleting(volume) &&
    classOfClaim(volume) === classOfClaim(claim) &&
    attributesClassOf(volume) === attributesClassOf(claim) &&
    hasMode(volume, claim) &&
    hasAccessModes(volume, claim)
  );
}

function isLargeEnough(volume: JsonObject, claim: JsonObject): boolean {
  return (
    storageIn(object(volume, 'spec', 'capacity')) >= storageIn(object(claim, 'spec', 'resources', 'requests'))
  );
}

function attributesClassOf(value: JsonObject): string {
  return text(value, 'spec', 'volumeAttributesClassName');
}

function hasAccessModes(volume: JsonObject, claim: JsonObject): boolean {
  const modes = strings(volume, 'spec', 'accessModes');
  return strings(claim, 'spec', 'accessModes').every((mode) => modes.includes(mode));
}

/**
 * Returns the volume for a claim that names none: one that is reserved for the claim, otherwise the smallest
 * available one with the fewest access modes.
 * @param onlyReserved whether the claim waits for a Pod, so that only a reserved volume counts
 */
export function bestVolume(
  claim: JsonObject,
  volumes: readonly JsonObject[],
  onlyReserved: boolean,
): JsonObject | undefined {
  const candidates = volumes
    .filter(
      (volume) =>
        (claimReference(volume) === undefined || isBoundTo(volume, claim)) &&
        hasAccessModes(volume, claim) &&
        isLargeEnough(volume, claim) &&
        hasMode(volume, claim) &&
        attributesClassOf(volume) === attributesClassOf(claim) &&
        !isDeleting(volume),
    )
    .toSorted(bySize);
  const reserved = candidates.find((volume) => isBoundTo(volume, claim));
  if (reserved !== undefined || onlyReserved) return reserved;
  const selector = own(object(claim, 'spec'), 'selector');
  return candidates.find(
    (volume) =>
      text(volume, 'status', 'phase') === 'Available' &&
      (!isObject(selector) || isSelectedBy(selector, volume)) &&
      classOfClaim(volume) === classOfClaim(claim),
  );
}

/** Volumes with few access modes precede others, small ones those with as many. */
function bySize(a: JsonObject, b: JsonObject): number {
  const modes = array(a, 'spec', 'accessModes').length - array(b, 'spec', 'accessModes').length;
  if (modes !== 0) return modes;
  const [left, right] = [storageIn(object(a, 'spec', 'capacity')), storageIn(object(b, 'spec', 'capacity'))];
  return left < right ? -1 : left > right ? 1 : 0;
}
