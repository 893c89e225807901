/** Execution of the plans of one primary object. */
import { isConflict, type KubernetesObject } from '@kgen/runtime';
import { isOwnerTerminating } from '@kgen/runtime/objects';
import { isObject } from '../members.ts';
import { StaleObjectError } from '../runs/finalizer.ts';
import {
  type DependentGraph,
  type DependentPlan,
  type DependentProblem,
  type DependentStep,
  type LiveDependents,
  planDependents,
} from './dependents.ts';

/** A dependent cannot be applied until something changes. */
export class DependentError extends Error {
  override readonly name = 'DependentError';
  readonly problem: DependentProblem;

  constructor(problem: DependentProblem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = problem;
  }
}

/** Client of the dependents of one primary object. */
export interface DependentsClient {
  /** Applies the object of a dependent. Returns the stored object. */
  apply(intent: KubernetesObject, name: string): Promise<unknown>;
  /** Deletes the object with its uid as precondition. */
  delete(live: KubernetesObject, name: string): Promise<unknown>;
}

/**
 * Executes the steps of a plan in order. A failed step does not prevent the others.
 * @throws the error of the failed step, or an `AggregateError` of several
 */
export async function executePlan(
  { steps }: Pick<DependentPlan, 'steps'>,
  client: DependentsClient,
): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await perform(step, client).catch((error: unknown) => errors.push(error));
  throwAll(errors);
}

/**
 * Executes plans until no step is due, each with the results of those before: an object is applied once the
 * responses for those that it depends on show that they are ready. Returns the state after it.
 * @throws the error of a failed step, or an `AggregateError` of several
 */
export async function reconcileDependents<Primary extends KubernetesObject>(
  graph: DependentGraph<Primary>,
  primary: Primary,
  found: LiveDependents,
  client: DependentsClient,
): Promise<DependentPlan> {
  const live = new Map(found);
  const progress = { applied: new Set<string>(), problems: new Map<string, DependentProblem>() };
  const failed = new Set<string>();
  const errors: unknown[] = [];
  for (;;) {
    const plan = planDependents(graph, primary, live, progress);
    const step = plan.steps.find(({ name }) => !failed.has(name));
    if (step === undefined) {
      throwAll(errors);
      return plan;
    }
    const { name } = step;
    try {
      const result = await perform(step, client);
      if (isObject(result)) live.set(name, result);
      if (step.do === 'apply') progress.applied.add(name);
    } catch (error) {
      // The primary object is being deleted: nothing else is due.
      if (isOwnerTerminating(error)) throw error;
      if (error instanceof DependentError) progress.problems.set(name, error.problem);
      else {
        failed.add(name);
        errors.push(error);
      }
    }
  }
}

async function perform(step: DependentStep, client: DependentsClient): Promise<unknown> {
  const { name } = step;
  if (step.do === 'apply') return await client.apply(step.intent, name);
  await client.delete(step.live, name);
  return terminating(step.live);
}

/** Returns an object whose deletion was requested. */
export function terminating(live: KubernetesObject): KubernetesObject {
  const deletionTimestamp = live.metadata?.deletionTimestamp ?? '';
  return { ...live, metadata: { ...live.metadata, deletionTimestamp } };
}

function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 0) return;
  // Conflicts are retried without a message; in an `AggregateError` they would be failures.
  if (errors.length === 1 || errors.every(isStale)) throw errors[0];
  throw new AggregateError(errors, `${errors.length} dependents could not be written`);
}

function isStale(error: unknown): boolean {
  return isConflict(error) || error instanceof StaleObjectError;
}
