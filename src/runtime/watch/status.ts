/** The part of a status that many kinds have. */
import type { Condition, KubernetesObject } from '../meta.ts';

/** What is known of it. */
export interface ObservedStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Partial<Condition>[];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** What is said of an object. Not every kind has a status, and not every status has conditions. */
export function statusOf(object: KubernetesObject): ObservedStatus {
  // The wire: a status may be anything.
  const { status } = object as { readonly status?: unknown };
  if (typeof status !== 'object' || status === null) return {};
  // The wire: what is used of it is checked below.
  const { conditions, observedGeneration } = status as ObservedStatus;
  return {
    ...(typeof observedGeneration === 'number' && { observedGeneration }),
    ...(Array.isArray(conditions) && { conditions: conditions.filter(isObject) }),
  };
}

/** `Ready=False (NoNodes), Synced=True`, or nothing: how messages name an object's state. */
export function describeConditions(object: KubernetesObject): string {
  return (statusOf(object).conditions ?? [])
    .map(({ type, status, reason }) => `${type}=${status}${reason ? ` (${reason})` : ''}`)
    .join(', ');
}
