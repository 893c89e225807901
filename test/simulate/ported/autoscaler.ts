/** The autoscaler of a ScaledObject. */
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from '@kgen/kubernetes/autoscaling/v2';
import { horizontalPodAutoscalers } from '@kgen/kubernetes/autoscaling/v2';
import { isNotFound, resource, type Stored } from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { isDerivative, isEqual } from './derivative.ts';
import type { ScaledObject, TargetResource } from './kinds.ts';
import type { Handle, Parts } from './parts.ts';
import { isScaleInPaused, isScaleOutPaused, pausedReplicas } from './pauses.ts';
import { metricsOf, scalersOf } from './triggers.ts';

const owner = { fieldManager: 'keda-operator', force: true } as const;
const maximum = { lowest: 1, highest: 100 } as const;

export function lowestReplicas({ spec: { minReplicaCount = 0 } }: Stored<ScaledObject>): number {
  return minReplicaCount > 0 ? minReplicaCount : maximum.lowest;
}

function highestReplicas({ spec: { maxReplicaCount = maximum.highest } }: Stored<ScaledObject>): number {
  return maxReplicaCount;
}

/** @throws {Error} if the bounds contradict each other */
export function checkBounds(object: Stored<ScaledObject>): void {
  const { minReplicaCount, idleReplicaCount } = object.spec;
  const lowest = minReplicaCount === undefined ? 0 : lowestReplicas(object);
  const highest = highestReplicas(object);
  if (lowest > highest)
    throw new Error(`MinReplicaCount=${lowest} must be less than MaxReplicaCount=${highest}`);
  if (idleReplicaCount !== undefined && idleReplicaCount >= lowest)
    throw new Error(`IdleReplicaCount=${idleReplicaCount} must be less than MinReplicaCount=${lowest}`);
}

/** The autoscaler of an object has the name of another one, whose deletion causes a run. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/**
 * Creates or changes the autoscaler. Resolves to whether it is a new one. The original finds it by the name
 * that it has stored after the creation.
 */
export async function ensureAutoscaler(
  parts: Parts,
  handle: Handle,
  target: TargetResource,
): Promise<boolean> {
  const { namespace } = handle.object.metadata;
  const desired = desiredName(handle.object);
  const isOriginal = parts.keeps.has('trusts a stored name');
  if (!isOriginal) await deleteOwn(parts, handle.object, desired);
  const current = (isOriginal && handle.status.hpaName) || desired;
  const found = parts.autoscalers.lister.get(namespace, current);
  if (found === undefined) return createAutoscaler(parts, handle, target);
  if (current !== desired) {
    await deleteNamed(parts, namespace, current);
    return createAutoscaler(parts, handle, target);
  }
  if (!isOriginal && !isControlledBy(found, handle.object))
    throw new NameTaken(`the autoscaler ${desired} is one of another object`);
  await updateAutoscaler(parts, handle, target, found);
  await handle.setStatus({ ...handle.status, hpaName: current });
  return false;
}

/** Deletes the autoscaler, if there is one. */
export async function deleteAutoscaler(parts: Parts, handle: Handle): Promise<void> {
  if (!parts.keeps.has('trusts a stored name')) return deleteOwn(parts, handle.object);
  const { namespace } = handle.object.metadata;
  const name = handle.status.hpaName || desiredName(handle.object);
  if (parts.autoscalers.lister.get(namespace, name) !== undefined) await deleteNamed(parts, namespace, name);
}

/** Deletes the autoscalers of an object, except for one with a name. */
async function deleteOwn(parts: Parts, object: Stored<ScaledObject>, except?: string): Promise<void> {
  const { namespace } = object.metadata;
  for (const autoscaler of parts.autoscalers.lister.list({ namespace })) {
    const { name } = autoscaler.metadata;
    if (name !== except && isControlledBy(autoscaler, object)) await deleteNamed(parts, namespace, name);
  }
}

async function deleteNamed(parts: Parts, namespace: string, name: string): Promise<void> {
  try {
    await resource(parts.rest, horizontalPodAutoscalers).in(namespace).delete(name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function createAutoscaler(parts: Parts, handle: Handle, target: TargetResource): Promise<boolean> {
  const autoscaler = await autoscalerOf(parts, handle, target);
  const { namespace } = handle.object.metadata;
  await resource(parts.rest, horizontalPodAutoscalers)
    .in(namespace)
    .create(autoscaler, { fieldManager: owner.fieldManager });
  await handle.setStatus({ ...handle.status, hpaName: autoscaler.metadata.name });
  return true;
}

/** The original replaces the object without its version, if one of three parts differs. */
async function updateAutoscaler(
  parts: Parts,
  handle: Handle,
  target: TargetResource,
  found: Stored<HorizontalPodAutoscaler>,
): Promise<void> {
  const autoscaler = await autoscalerOf(parts, handle, target);
  const client = resource(parts.rest, horizontalPodAutoscalers).in(handle.object.metadata.namespace);
  if (!parts.keeps.has('replaces autoscalers')) {
    await client.apply(autoscaler, owner);
    return;
  }
  const { metadata, spec } = found;
  const isOtherSpec =
    autoscaler.spec.metrics?.length !== (spec.metrics ?? []).length ||
    !isEqual(autoscaler.spec.behavior, spec.behavior) ||
    !isDerivative(autoscaler.spec, spec);
  if (isOtherSpec) await client.update(autoscaler);
  if (!isDerivative(autoscaler.metadata.labels, metadata.labels)) await client.update(autoscaler);
  const { annotations } = autoscaler.metadata;
  const hasLostAll = annotations === undefined && metadata.annotations !== undefined;
  if (hasLostAll || !isDerivative(annotations, metadata.annotations)) await client.update(autoscaler);
}

async function autoscalerOf(parts: Parts, handle: Handle, target: TargetResource) {
  const metrics = metricsOf(scalersOf(parts, handle.object), handle.object);
  await handle.setStatus({
    ...handle.status,
    externalMetricNames: metrics.external,
    resourceMetricNames: metrics.resources,
  });
  const { object } = handle;
  const { name: own, namespace, labels: given, annotations } = object.metadata;
  const name = desiredName(object);
  const labels = {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/version': '2.17.0',
    'app.kubernetes.io/part-of': own,
    'app.kubernetes.io/managed-by': 'keda-operator',
    ...given,
  };
  const behavior = behaviorOf(object);
  const { kind, group, version } = target;
  const spec: HorizontalPodAutoscalerSpec = {
    ...boundsOf(object),
    metrics: metrics.sorted,
    ...(behavior !== undefined && { behavior }),
    scaleTargetRef: { name: object.spec.scaleTargetRef.name, kind, apiVersion: `${group}/${version}` },
  };
  const metadata = { name, namespace, labels, ...(annotations !== undefined && { annotations }) };
  return setControllerReference({ metadata, spec }, object);
}

/** The number of a pause replaces both bounds. An autoscaler has at least one replica. */
function boundsOf(object: Stored<ScaledObject>) {
  const paused = pausedReplicas(object);
  if (paused === undefined)
    return { minReplicas: lowestReplicas(object), maxReplicas: highestReplicas(object) };
  return { minReplicas: Math.max(paused, 1), maxReplicas: Math.max(paused, 1) };
}

function behaviorOf(object: Stored<ScaledObject>): HorizontalPodAutoscalerSpec['behavior'] {
  const disabled = { selectPolicy: 'Disabled' };
  const scaleDown = isScaleInPaused(object) ? { scaleDown: disabled } : undefined;
  const scaleUp = isScaleOutPaused(object) ? { scaleUp: disabled } : undefined;
  return scaleDown || scaleUp ? { ...scaleDown, ...scaleUp } : undefined;
}

/** Returns the name of the autoscaler of an object. */
export function desiredName({ metadata: { name }, spec: { advanced } }: Stored<ScaledObject>): string {
  return advanced?.horizontalPodAutoscalerConfig?.name || `keda-hpa-${name}`;
}
