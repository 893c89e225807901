/** Writes of the binder to claims and volumes. Each has no effect on an object that has its result. */
import {
  array,
  compact,
  equal,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { nameOf, namespaceOf } from '../../store/object-facts.ts';
import type { Cluster } from '../cluster.ts';
import { volumeClaims, volumes } from '../workloads/paths.ts';
import { annotations, claimReference, hasAnnotation, isBoundTo, storageIn } from './matching.ts';

/** Returns an object with annotations. */
export function withAnnotations(value: JsonObject, added: Readonly<Record<string, string>>): JsonObject {
  const before = object(value, 'metadata', 'annotations');
  const next = { ...before, ...added };
  return equal(before, next) ? value : putAt(value, ['metadata', 'annotations'], next);
}

/** Returns a reference to a claim, as volumes have it. */
export function referenceTo(claim: JsonObject): JsonObject {
  return {
    kind: 'PersistentVolumeClaim',
    namespace: namespaceOf(claim),
    name: nameOf(claim),
    uid: text(claim, 'metadata', 'uid'),
    apiVersion: 'v1',
    resourceVersion: text(claim, 'metadata', 'resourceVersion'),
  };
}

/** Binds a volume and a claim to each other, and reports both as bound. */
export function* bind(cluster: Cluster, volume: JsonObject, claim: JsonObject): Verb<void> {
  const bound = yield* setPhase(cluster, yield* bindVolume(cluster, volume, claim), 'Bound');
  yield* setClaimStatus(cluster, yield* bindClaim(cluster, claim, bound), 'Bound', bound);
}

function* bindVolume(cluster: Cluster, volume: JsonObject, claim: JsonObject): Verb<JsonObject> {
  const noted = isBoundTo(volume, claim)
    ? volume
    : withAnnotations(volume, { [annotations.boundByController]: 'yes' });
  const isComplete = text(claimReference(volume), 'uid') === text(claim, 'metadata', 'uid');
  const next = isComplete ? noted : putAt(noted, ['spec', 'claimRef'], referenceTo(claim));
  return next === volume ? volume : yield* cluster.update(volumes, next);
}

function* bindClaim(cluster: Cluster, claim: JsonObject, volume: JsonObject): Verb<JsonObject> {
  const name = nameOf(volume);
  const named =
    text(claim, 'spec', 'volumeName') === name
      ? claim
      : withAnnotations(putAt(claim, ['spec', 'volumeName'], name), {
          [annotations.boundByController]: 'yes',
        });
  const next = hasAnnotation(named, annotations.bindCompleted)
    ? named
    : withAnnotations(named, { [annotations.bindCompleted]: 'yes' });
  return next === claim ? claim : yield* cluster.update(volumeClaims, next);
}

/** Reports the phase of a claim with the properties of its volume, if it has one. */
export function* setClaimStatus(
  cluster: Cluster,
  claim: JsonObject,
  phase: 'Pending' | 'Bound' | 'Lost',
  volume?: JsonObject,
): Verb<void> {
  const before = object(claim, 'status');
  const next = {
    ...omit(before, 'accessModes', 'capacity', 'currentVolumeAttributesClassName'),
    phase,
    ...compact(statusFrom(before, phase, volume)),
  };
  if (!equal(before, next)) yield* cluster.updateStatus(volumeClaims, claim, next);
}

/** Returns the members of the status of a claim that describe its volume. */
function statusFrom(
  before: JsonObject,
  phase: string,
  volume: JsonObject | undefined,
): { readonly [key: string]: JsonObject[string] | undefined } {
  if (volume === undefined) return {};
  const isNew = text(before, 'phase') !== phase;
  const capacity = object(volume, 'spec', 'capacity');
  const known = own(before, 'capacity');
  const isKept = !isNew || storageIn(object(before, 'capacity')) === storageIn(capacity);
  const [attributes, current] = [
    own(object(volume, 'spec'), 'volumeAttributesClassName'),
    own(before, 'currentVolumeAttributesClassName'),
  ];
  return {
    accessModes: array(volume, 'spec', 'accessModes'),
    capacity: isKept && known !== undefined ? known : isNew ? capacity : undefined,
    currentVolumeAttributesClassName: text(before, 'phase') === 'Pending' && isNew ? attributes : current,
  };
}

/** Reports the phase of a volume. */
export function* setPhase(
  cluster: Cluster,
  volume: JsonObject,
  phase: string,
  message = '',
): Verb<JsonObject> {
  if (text(volume, 'status', 'phase') === phase) return volume;
  const status = { ...omit(object(volume, 'status'), 'message'), phase };
  return yield* cluster.updateStatus(volumes, volume, message === '' ? status : { ...status, message });
}

/** Releases a volume from its claim: completely if the controller bound it, otherwise it stays reserved. */
export function* unbind(cluster: Cluster, volume: JsonObject): Verb<void> {
  const notes = omit(object(volume, 'metadata', 'annotations'), annotations.boundByController);
  const next = hasAnnotation(volume, annotations.boundByController)
    ? putAt(
        putAt(volume, ['spec'], omit(object(volume, 'spec'), 'claimRef')),
        ['metadata', 'annotations'],
        notes,
      )
    : putAt(volume, ['spec', 'claimRef'], omit(claimReference(volume) ?? {}, 'uid'));
  yield* setPhase(cluster, yield* cluster.update(volumes, next), 'Available');
}
