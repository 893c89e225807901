/** Schedules: what happens in one simulated run, as a value that a seed determines. */
import { type JsonObject, omit } from '@kgen/schema/values/json';
import { idOf, idText } from '../cluster.ts';
import { type Action, type FaultScope, faultText, isFault } from './actions.ts';
import type { CausedWrite } from './causes.ts';
import type { LearntEdit } from './users.ts';

/** Names of members, outermost first: `['spec', 'replicas']`. */
export type FieldPath = readonly string[];

/** An action, and the time before it; with 0, the operator has not finished what it does. */
export type Step = Action & { readonly waitMs: number };

/** A run as a value: equal schedules have equal histories. */
export interface Schedule {
  readonly seed: number;
  readonly replicas: number;
  readonly steps: readonly Step[];
  /** Whether a webhook of others adds defaults to the objects that the operator writes. Default: `false`. */
  readonly hasDefaults?: boolean;
  /** Milliseconds after the last step until all faults end. Default: 0. */
  readonly waitMs?: number;
}

/** A verb and a resource, with the subresource, that the operator uses. */
export interface Access {
  readonly verb: string;
  readonly resource: string;
}

/** Content that schedules of an operator can have. */
export interface ScheduleScope extends FaultScope {
  /** Objects that users create. */
  readonly samples: readonly JsonObject[];
  /** Secrets and ConfigMaps that users change. */
  readonly references: readonly JsonObject[];
  /** Changes of the objects of a kind, by `apiVersion kind`. */
  readonly edits: ReadonlyMap<string, readonly LearntEdit[]>;
  /** Maximum number of objects of a run. */
  readonly objects: number;
  /** Maximum number of steps besides the creation of objects. */
  readonly steps: number;
  /** Writes of the operator without faults, with their causes, in the order in which they were sent first. */
  readonly writes: readonly CausedWrite[];
}

/** Time in which an operator without faults usually comes to rest. */
export const restMs = 2_000;

/** Returns the schedule without faults, in which the operator comes to rest after each action of users. */
export function withoutFaults({
  steps,
  hasDefaults = false,
}: Pick<Schedule, 'steps' | 'hasDefaults'>): Schedule {
  const kept = steps
    .filter((step) => !isFault(step))
    .map((step) => ({ ...step, waitMs: restMs, ...(step.do === 'detour' ? { ms: restMs } : {}) }));
  return { seed: 0, replicas: 1, steps: kept, hasDefaults };
}

/** Returns the schedule without faults whose waits are as long, so that what is due in them happens. */
export function atItsTimes(schedule: Schedule): Schedule {
  const { steps } = selected(schedule, (step) => !isFault(step));
  const waited = steps.map((step) => ({ ...step, waitMs: Math.max(step.waitMs, restMs) }));
  return { ...withoutFaults(schedule), steps: waited };
}

/** Returns a schedule with some of its steps, at their times: a step that was only a delay can be removed. */
export function selected(schedule: Schedule, isKept: (step: Step, index: number) => boolean): Schedule {
  const steps: Step[] = [];
  let waitMs = 0;
  for (const [index, step] of schedule.steps.entries()) {
    waitMs += step.waitMs;
    if (!isKept(step, index)) continue;
    steps.push({ ...step, waitMs });
    waitMs = 0;
  }
  waitMs += schedule.waitMs ?? 0;
  return { ...schedule, steps, ...(waitMs === 0 ? {} : { waitMs }) };
}

/** Returns the schedule in which a user creates objects one after the other. */
export function creations(objects: readonly JsonObject[]): Schedule {
  return withoutFaults({ steps: objects.map((value) => ({ do: 'create', object: value, waitMs: 0 })) });
}

/** Returns a step as text. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'create':
      return `a user creates ${idText(idOf(step.object))}: ${JSON.stringify(omit(step.object, 'apiVersion', 'kind', 'metadata', 'status'))}`;
    case 'edit':
      return `a user changes ${step.path.join('.')} of ${idText(step.target)} to ${JSON.stringify(step.value)}`;
    case 'detour':
      return (
        `a user changes ${step.path.join('.')} of ${idText(step.target)} to ${JSON.stringify(step.value)}, ` +
        `and back to ${JSON.stringify(step.back)} after ${step.ms} ms`
      );
    case 'recreate':
      return `a user deletes ${idText(idOf(step.object))}, and creates it again`;
    case 'delete':
      return `a user deletes ${idText(step.target)}`;
    default:
      return faultText(step.do, step);
  }
}
