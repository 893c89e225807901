/** Schedules: what happens in one simulated run, as a value that a seed determines. */
import { type JsonObject, omit } from '@kgen/schema/values/json';
import { idOf, idText } from '../cluster.ts';
import type { SimulatedWrite } from '../coverage.ts';
import { type Action, type FaultScope, faultText, isFault } from './actions.ts';

/** Names of members below `spec`, outermost first. */
export type FieldPath = readonly string[];

/** An action, and the time before it; with 0, the operator has not finished what it does. */
export type Step = Action & { readonly waitMs: number };

/** A run as a value: equal schedules have equal histories. */
export interface Schedule {
  readonly seed: number;
  readonly replicas: number;
  readonly steps: readonly Step[];
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
  /** Maximum number of objects of a run. */
  readonly objects: number;
  /** Maximum number of steps besides the creation of objects. */
  readonly steps: number;
  /** Writes of the operator without faults, in the order in which they were sent first. */
  readonly writes: readonly SimulatedWrite[];
}

/** Time in which an operator without faults usually comes to rest. */
const restMs = 2_000;

/** Returns the schedule without faults, in which the operator comes to rest after each action of users. */
export function withoutFaults({ steps }: Schedule): Schedule {
  const kept = steps.filter((step) => !isFault(step)).map((step) => ({ ...step, waitMs: restMs }));
  return { seed: 0, replicas: 1, steps: kept };
}

/** Returns a step as text. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'create':
      return `a user creates ${idText(idOf(step.object))}: ${JSON.stringify(omit(step.object, 'apiVersion', 'kind', 'metadata', 'status'))}`;
    case 'edit':
      return `a user changes spec.${step.path.join('.')} of ${idText(step.target)} to ${JSON.stringify(step.value)}`;
    case 'delete':
      return `a user deletes ${idText(step.target)}`;
    default:
      return faultText(step.do, step);
  }
}
