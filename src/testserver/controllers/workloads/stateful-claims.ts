/** Claims of the pods of a StatefulSet, and their owners by its retention policy. */
import { array, type Json, type JsonObject, object, omit, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { Failure } from '../../errors/status.ts';
import { apiVersionOf } from '../../resources/type.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, keyOf, type ResourcePath } from '../cluster.ts';
import { recordEvent } from '../events.ts';
import { pods, statefulSets, volumeClaims } from './paths.ts';

/** Returns the name of a claim of a pod by its template. */
export function claimName(template: Json, pod: string): string {
  return `${nameOf(template)}-${pod}`;
}

/**
 * Creates the missing claims of a pod.
 * @throws {Failure} if one is being deleted
 */
export function* createClaims(cluster: Cluster, set: JsonObject, pod: string): Verb<void> {
  for (const template of array(set, 'spec', 'volumeClaimTemplates')) {
    const name = claimName(template, pod);
    const found = claimOf(cluster, set, template, pod);
    if (found === undefined) {
      yield* cluster.create(volumeClaims, newClaim(set, template, name));
      const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${nameOf(set)} success`;
      recordEvent(cluster, statefulSets, set, { reason: 'SuccessfulCreate', message });
    } else if (isDeleting(found)) throw new Failure({ code: 409, message: `pvc ${name} is being deleted` });
  }
}

function claimOf(cluster: Cluster, set: JsonObject, template: Json, pod: string): JsonObject | undefined {
  return cluster.get(volumeClaims, keyOf(namespaceOf(set), claimName(template, pod)));
}

function newClaim(set: JsonObject, template: Json, name: string): JsonObject {
  return {
    metadata: {
      name,
      namespace: namespaceOf(set),
      labels: {
        ...object(template, 'metadata', 'labels'),
        ...object(set, 'spec', 'selector', 'matchLabels'),
      },
      annotations: object(template, 'metadata', 'annotations'),
    },
    spec: own(object(template), 'spec') ?? {},
  };
}

/** Returns whether an earlier pod of this name owns a claim, which is deleted with it. */
export function isClaimStale(cluster: Cluster, set: JsonObject, pod: string): boolean {
  if (!policyOf(set).isScaledDeleted) return false;
  return existingClaims(cluster, set, pod).some((claim) =>
    array(claim, 'metadata', 'ownerReferences').some((each) => refersTo(each, pods, pod)),
  );
}

function existingClaims(cluster: Cluster, set: JsonObject, pod: string): readonly JsonObject[] {
  return array(set, 'spec', 'volumeClaimTemplates')
    .map((template) => claimOf(cluster, set, template, pod))
    .filter((claim) => claim !== undefined);
}

/**
 * Makes the StatefulSet, or a pod beyond its replicas, the controller of the claims that are deleted with it.
 * @param isKept whether the StatefulSet requests the pod
 */
export function* retainClaims(
  cluster: Cluster,
  set: JsonObject,
  pod: JsonObject,
  isKept: boolean,
): Verb<boolean> {
  let isChanged = false;
  for (const claim of existingClaims(cluster, set, nameOf(pod))) {
    const owners = ownersOf(claim, set, pod, isKept);
    if (owners === undefined) continue;
    const metadata = omit(object(claim, 'metadata'), 'ownerReferences');
    const next = owners.length === 0 ? metadata : { ...metadata, ownerReferences: owners };
    yield* cluster.update(volumeClaims, { ...claim, metadata: next });
    isChanged = true;
  }
  return isChanged;
}

interface Policy {
  readonly isScaledDeleted: boolean;
  readonly isSetDeleted: boolean;
}

function policyOf(set: JsonObject): Policy {
  const policy = object(set, 'spec', 'persistentVolumeClaimRetentionPolicy');
  return {
    isScaledDeleted: text(policy, 'whenScaled') === 'Delete',
    isSetDeleted: text(policy, 'whenDeleted') === 'Delete',
  };
}

/** Returns the owners that a claim should have. `undefined` if it has them, or belongs to another owner. */
export function ownersOf(
  claim: JsonObject,
  set: JsonObject,
  pod: JsonObject,
  isKept: boolean,
): readonly Json[] | undefined {
  const references = array(claim, 'metadata', 'ownerReferences');
  const [setUid, podUid] = [set, pod].map((each) => text(each, 'metadata', 'uid'));
  const ofSet = references.filter((each) => refersTo(each, statefulSets, nameOf(set)));
  const ofPod = references.filter((each) => refersTo(each, pods, nameOf(pod)));
  const isOf = (each: Json, uid: string | undefined): boolean => text(each, 'uid') === uid;
  // An earlier object of the same name owns the claim: garbage collection decides about it.
  if (ofSet.some((each) => !isOf(each, setUid)) || ofPod.some((each) => !isOf(each, podUid)))
    return undefined;
  const others = references.filter((each) => !ofSet.includes(each) && !ofPod.includes(each));
  const mine = references.filter((each) => isOf(each, setUid) || isOf(each, podUid));
  const { isScaledDeleted, isSetDeleted } = policyOf(set);
  const isForeign = (isScaledDeleted || isSetDeleted) && others.some(isController);
  if (isForeign) return mine.length === 0 ? undefined : others;
  const needsPod = isScaledDeleted && !isKept;
  const needsSet = isSetDeleted && !needsPod;
  const isCurrent =
    mine.every(isController) &&
    mine.some((each) => isOf(each, setUid)) === needsSet &&
    mine.some((each) => isOf(each, podUid)) === needsPod;
  if (isCurrent) return undefined;
  return [
    ...others,
    ...(needsSet ? [controllerReference(statefulSets, set)] : []),
    ...(needsPod ? [controllerReference(pods, pod)] : []),
  ];
}

function isController(reference: Json): boolean {
  return own(object(reference), 'controller') === true;
}

function refersTo(reference: Json, { group, version, kind }: ResourcePath, name: string): boolean {
  return (
    text(reference, 'apiVersion') === apiVersionOf(group, version) &&
    text(reference, 'kind') === kind &&
    text(reference, 'name') === name
  );
}
