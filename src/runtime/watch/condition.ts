import type { Condition, KubernetesObject } from '../meta.ts';

/**
 * A predicate for `waitFor`: the object's `status.conditions` has one of this type with this status, and it speaks of
 * the present spec (`observedGeneration`, where it is given in the condition or in the status, is not behind
 * `metadata.generation`). Holds for no object that is absent.
 */
export function condition(
  type: string,
  status = 'True',
): <T extends KubernetesObject>(object: T | undefined) => object is T {
  return <T extends KubernetesObject>(object: T | undefined): object is T => {
    if (object === undefined) return false;
    const { conditions, observedGeneration } = statusOf(object);
    const found = conditions?.find((candidate) => candidate.type === type);
    const observed = found?.observedGeneration ?? observedGeneration ?? Number.POSITIVE_INFINITY;
    return found?.status === status && observed >= (object.metadata?.generation ?? 0);
  };
}

/** `Ready=False (NoNodes), Synced=True`, or nothing: how messages name an object's state. */
export function describeConditions(object: KubernetesObject): string {
  return (statusOf(object).conditions ?? [])
    .map(({ type, status, reason }) => `${type}=${status}${reason ? ` (${reason})` : ''}`)
    .join(', ');
}

interface ObservedStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Partial<Condition>[];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The wire: not every kind has a status, and not every status has conditions. */
function statusOf(object: KubernetesObject): ObservedStatus {
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
