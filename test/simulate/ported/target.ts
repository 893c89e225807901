/** Scale targets: any object with a scale. */
import { isNotFound, type Stored } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import type { ScaledObject, TargetReference, TargetResource } from './kinds.ts';
import type { Handle, Parts } from './parts.ts';
import { hasPausedAnnotation } from './pauses.ts';

/** Returns the resource of a target. A reference without a kind is one of a Deployment. */
export async function resourceOf(parts: Parts, reference: TargetReference): Promise<TargetResource> {
  const { apiVersion = 'apps/v1', kind = 'Deployment' } = reference;
  const [first = '', second] = apiVersion.split('/');
  const query = second === undefined ? { group: '', version: first } : { group: first, version: second };
  const mapping = await parts.mapper.mapping({ ...query, kind });
  return { ...mapping.kind, resource: mapping.resource.resource };
}

/** Returns the number of replicas that a target shall have. */
export async function replicasOf(
  parts: Parts,
  object: Stored<ScaledObject>,
  target: TargetResource,
  name: string = object.spec.scaleTargetRef.name,
): Promise<number> {
  const { namespace } = object.metadata;
  const scale = await parts.scales.get(unversioned(target), { namespace, name });
  return scale.spec?.replicas ?? 0;
}

export async function scaleTo(
  parts: Parts,
  object: Stored<ScaledObject>,
  target: TargetResource,
  replicas: number,
  name: string = object.spec.scaleTargetRef.name,
): Promise<void> {
  const { namespace } = object.metadata;
  const scale = await parts.scales.get(unversioned(target), { namespace, name });
  await parts.scales.update(unversioned(target), { ...scale, spec: { ...scale.spec, replicas } });
}

/** Checks that the target exists and has a scale. Remembers its kind and its first number of replicas. */
export async function checkTarget(parts: Parts, handle: Handle): Promise<TargetResource> {
  const { scaleTargetRef } = handle.object.spec;
  const target = await resourceOf(parts, scaleTargetRef);
  const kind = kindText(target);
  if (!parts.keeps.has('keeps the count of another target')) await leaveFormer(parts, handle, target);
  const { status } = handle;
  const isUnpaused = status.pausedReplicaCount !== undefined && !hasPausedAnnotation(handle.object);
  const isKnown = status.scaleTargetKind === kind && status.scaleTargetGVKR !== undefined && !isUnpaused;
  const isComplete = isKnown && status.originalReplicaCount !== undefined;
  const key = `${target.resource}.${target.group}`;
  if (parts.scalable.has(key) && isComplete) return target;
  const replicas = await foundReplicas(parts, handle.object, target);
  parts.scalable.add(key);
  if (isComplete) return target;
  const { pausedReplicaCount, ...rest } = status;
  await handle.setStatus({
    ...rest,
    ...(pausedReplicaCount !== undefined && !isUnpaused && { pausedReplicaCount }),
    scaleTargetKind: kind,
    scaleTargetGVKR: target,
    originalReplicaCount: status.originalReplicaCount ?? replicas,
    ...(!parts.keeps.has('keeps the count of another target') && { scaleTargetName: scaleTargetRef.name }),
  });
  return target;
}

/** Scales a target that the object no longer refers to back, and forgets it. */
async function leaveFormer(parts: Parts, handle: Handle, target: TargetResource): Promise<void> {
  const { scaleTargetGVKR: former, scaleTargetName: name, originalReplicaCount, ...rest } = handle.status;
  if (former === undefined || name === undefined) return;
  const isSame = kindText(former) === kindText(target) && name === handle.object.spec.scaleTargetRef.name;
  if (isSame) return;
  await restore(parts, handle.object);
  const { scaleTargetKind: _, ...others } = rest;
  await handle.setStatus(others);
}

/** Scales the known target of an object back, if the object declares that. */
export async function restore(parts: Parts, object: Stored<ScaledObject>): Promise<void> {
  const { scaleTargetGVKR: target, originalReplicaCount: count, scaleTargetName } = object.status ?? {};
  if (object.spec.advanced?.restoreToOriginalReplicaCount !== true) return;
  if (target === undefined || count === undefined) return;
  const name = scaleTargetName ?? object.spec.scaleTargetRef.name;
  try {
    await scaleTo(parts, object, target, count, name);
  } catch (error) {
    if (!isNotFound(error) && !parts.keeps.has('forgets failed restorations')) throw error;
  }
}

/** Returns the replicas of a target. Distinguishes targets that do not exist from those without a scale. */
async function foundReplicas(
  parts: Parts,
  object: Stored<ScaledObject>,
  target: TargetResource,
): Promise<number> {
  try {
    return await replicasOf(parts, object, target);
  } catch (error) {
    const { group, version, resource } = target;
    const client = new DynamicClient(parts.rest).resource({ group, version, resource });
    await client.namespace(object.metadata.namespace).get(object.spec.scaleTargetRef.name);
    throw error;
  }
}

function kindText({ group, version, kind }: TargetResource): string {
  return `${group}/${version}.${kind}`;
}

function unversioned({ group, resource }: TargetResource) {
  return { group, resource };
}
