/** Annotations with which users pause a ScaledObject. */
import type { Stored } from '@kgen/runtime';
import type { ScaledObject } from './kinds.ts';

export const pausedAnnotation = 'autoscaling.keda.sh/paused';
export const pausedReplicasAnnotation = 'autoscaling.keda.sh/paused-replicas';
export const pausedScaleInAnnotation = 'autoscaling.keda.sh/paused-scale-in';
export const pausedScaleOutAnnotation = 'autoscaling.keda.sh/paused-scale-out';

type Annotated = Pick<Stored<ScaledObject>, 'metadata' | 'status'>;

export function hasPausedAnnotation({ metadata: { annotations = {} } }: Annotated): boolean {
  return pausedAnnotation in annotations || pausedReplicasAnnotation in annotations;
}

/** Whether nothing scales the target: with a number of replicas, only once the target has that number. */
export function isPaused(object: Annotated): boolean {
  const hasReplicas = object.metadata.annotations?.[pausedReplicasAnnotation] !== undefined;
  return hasReplicas ? object.status?.pausedReplicaCount !== undefined : isSet(object, pausedAnnotation);
}

export function isScaleInPaused(object: Annotated): boolean {
  return isSet(object, pausedScaleInAnnotation);
}

export function isScaleOutPaused(object: Annotated): boolean {
  return isSet(object, pausedScaleOutAnnotation);
}

/**
 * Returns the number of replicas of a paused target.
 * @throws {Error} if the annotation is not a number
 */
export function pausedReplicas({ metadata: { annotations } }: Annotated): number | undefined {
  const text = annotations?.[pausedReplicasAnnotation];
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`${pausedReplicasAnnotation} must be a number, got ${text}`);
  return Number(text);
}

/** Returns a text that differs if a pause does. */
export function pausesOf({ metadata: { annotations } }: Annotated): string {
  const names = [
    pausedAnnotation,
    pausedReplicasAnnotation,
    pausedScaleInAnnotation,
    pausedScaleOutAnnotation,
  ];
  return JSON.stringify(names.map((name) => annotations?.[name]));
}

/** A value that is not a boolean counts as true. */
function isSet({ metadata: { annotations } }: Annotated, name: string): boolean {
  const value = annotations?.[name];
  return value !== undefined && !['0', 'f', 'false'].includes(value.toLowerCase());
}
