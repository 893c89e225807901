/** Graphs of objects that a primary object needs, with a pure planner of the next writes. */
import type { KubernetesObject } from '@kgen/runtime';
import { isTerminating, metadataString } from '../members.ts';

/** Object that a primary object needs. */
export interface Dependent<Primary> {
  /** Unique name in the graph. */
  readonly name: string;
  /** Returns the object to apply, with apiVersion, kind and name; `undefined` if it must not exist. */
  readonly desired: (primary: Primary) => KubernetesObject | undefined;
  /** Returns whether dependents of this object may be applied. Default: once the object exists. */
  readonly isReady?: ((live: KubernetesObject, primary: Primary) => boolean) | undefined;
  /** Returns whether the object may exist now. Default: always. */
  readonly precondition?: ((primary: Primary) => boolean) | undefined;
  /** Names of dependents that must be ready before, and are deleted after this one. Default: none. */
  readonly dependsOn?: readonly string[] | undefined;
}

/** Dependents in an order in which each one follows those that it depends on. */
export interface DependentGraph<Primary> {
  readonly ordered: readonly Dependent<Primary>[];
}

/** Objects that a primary object controls, by the name of the dependent. */
export type LiveDependents = ReadonlyMap<string, KubernetesObject>;

/** Messages about objects of others in the place of a dependent, by the name of the dependent. */
export type DependentConflicts = ReadonlyMap<string, string>;

/** A write that is due. The steps of one plan do not depend on each other. */
export type DependentStep =
  | { readonly do: 'apply'; readonly name: string; readonly intent: KubernetesObject }
  | { readonly do: 'delete'; readonly name: string; readonly live: KubernetesObject };

/** State of one dependent. */
export interface DependentStatus {
  readonly name: string;
  /**
   * `ready`; `progressing`: applied, not ready or just changed; `waiting` for the names in `waitsFor`;
   * `deleting`; `conflict`: an object that the primary object does not control has the name; `absent`, as
   * desired.
   */
  readonly state: 'ready' | 'progressing' | 'waiting' | 'deleting' | 'conflict' | 'absent';
  /** Dependents that must be ready, or gone, before. */
  readonly waitsFor: readonly string[];
  /** Details of a conflict. */
  readonly message?: string | undefined;
}

/** Next writes of a primary object, and the state before them. */
export interface DependentPlan {
  readonly steps: readonly DependentStep[];
  readonly status: readonly DependentStatus[];
  /** Whether each dependent is ready, or absent as desired. */
  readonly isSettled: boolean;
}

/**
 * Orders dependents.
 * @throws {TypeError} two dependents have one name, a dependency does not exist, or there is a cycle
 */
export function dependentGraph<Primary>(dependents: readonly Dependent<Primary>[]): DependentGraph<Primary> {
  const byName = new Map(dependents.map((dependent) => [dependent.name, dependent]));
  if (byName.size !== dependents.length) throw new TypeError('names of dependents must be unique');
  const ordered = new Set<Dependent<Primary>>();
  const visit = (name: string, path: readonly string[]): void => {
    const dependent = byName.get(name);
    if (dependent === undefined)
      throw new TypeError(`dependent ${path.at(-1)} depends on ${name}, which does not exist`);
    if (path.includes(name)) throw new TypeError(`dependents form a cycle: ${[...path, name].join(' -> ')}`);
    if (ordered.has(dependent)) return;
    for (const dependency of dependent.dependsOn ?? []) visit(dependency, [...path, name]);
    ordered.add(dependent);
  };
  for (const { name } of dependents) visit(name, []);
  return { ordered: [...ordered] };
}

/**
 * Returns the writes that are due: objects are applied once everything that they depend on is ready; objects
 * that are not desired are deleted once nothing that depends on them exists. If the primary object is being
 * deleted, none is desired. A dependent without a desired dependency is not desired.
 *
 * Every desired object is applied in each plan, because only the fields that its manager owns show whether an
 * apply would remove one: the client skips applies without an effect. An object in conflict is left alone.
 */
export function planDependents<Primary extends KubernetesObject>(
  graph: DependentGraph<Primary>,
  primary: Primary,
  live: LiveDependents,
  conflicts: DependentConflicts = new Map(),
): DependentPlan {
  const wanted = desiredObjects(graph, primary);
  const ready = new Set<string>();
  const planned = graph.ordered.map((dependent) => {
    const intent = wanted.get(dependent.name);
    const object = live.get(dependent.name);
    const conflict = conflicts.get(dependent.name);
    if (intent !== undefined && conflict !== undefined) return inConflict(dependent.name, conflict);
    if (isReady(dependent, primary, intent, object)) ready.add(dependent.name);
    return intent === undefined
      ? removal(graph, dependent, live)
      : application(dependent, intent, object, ready);
  });
  const status = planned.map((each) => each.status);
  return {
    steps: planned.flatMap(({ step }) => step ?? []),
    status,
    isSettled: status.every(({ state }) => state === 'ready' || state === 'absent'),
  };
}

/** Client of the dependents of one primary object. */
export interface DependentsClient {
  /** Applies an object by server-side apply. Returns the object of the response, or the cached one. */
  apply(intent: KubernetesObject, name: string): Promise<unknown>;
  /** Deletes an object with its uid as precondition. */
  delete(live: KubernetesObject): Promise<unknown>;
}

/**
 * Executes the steps of a plan in order. A failed step does not prevent the others. Returns the names of the
 * dependents that were changed.
 * @throws the error of the failed step, or an `AggregateError` of several
 */
export async function executePlan(
  plan: DependentPlan,
  live: LiveDependents,
  client: DependentsClient,
): Promise<ReadonlySet<string>> {
  const errors: unknown[] = [];
  const changed = new Set<string>();
  for (const step of plan.steps) {
    try {
      if (step.do === 'delete') {
        await client.delete(step.live);
        continue;
      }
      // Before the request, which also changes the cache.
      const before = metadataString(live.get(step.name), 'resourceVersion');
      const applied = await client.apply(step.intent, step.name);
      if (metadataString(applied, 'resourceVersion') !== before) changed.add(step.name);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} dependents could not be written`);
  if (errors.length === 1) throw errors[0];
  return changed;
}

function desiredObjects<Primary extends KubernetesObject>(
  graph: DependentGraph<Primary>,
  primary: Primary,
): ReadonlyMap<string, KubernetesObject> {
  const wanted = new Map<string, KubernetesObject>();
  if (isTerminating(primary)) return wanted;
  for (const { name, dependsOn = [], precondition, desired } of graph.ordered) {
    const isAllowed = dependsOn.every((each) => wanted.has(each)) && (precondition?.(primary) ?? true);
    const intent = isAllowed ? desired(primary) : undefined;
    if (intent !== undefined) wanted.set(name, intent);
  }
  return wanted;
}

function isReady<Primary>(
  { isReady: check }: Dependent<Primary>,
  primary: Primary,
  intent: KubernetesObject | undefined,
  live: KubernetesObject | undefined,
): boolean {
  if (intent === undefined || live === undefined || isTerminating(live) || !isSameObject(intent, live)) {
    return false;
  }
  return check?.(live, primary) ?? true;
}

interface Planned {
  readonly status: DependentStatus;
  readonly step?: DependentStep;
}

function inConflict(name: string, message: string): Planned {
  return { status: { name, state: 'conflict', waitsFor: [], message } };
}

function removal<Primary>(
  graph: DependentGraph<Primary>,
  { name }: Dependent<Primary>,
  live: LiveDependents,
): Planned {
  const object = live.get(name);
  if (object === undefined) return { status: { name, state: 'absent', waitsFor: [] } };
  const users = graph.ordered.filter(({ dependsOn }) => dependsOn?.includes(name)).map((user) => user.name);
  const waitsFor = users.filter((user) => live.has(user));
  const status = { name, state: 'deleting', waitsFor } as const;
  if (waitsFor.length > 0 || isTerminating(object)) return { status };
  return { status, step: { do: 'delete', name, live: object } };
}

function application<Primary>(
  { name, dependsOn = [] }: Dependent<Primary>,
  intent: KubernetesObject,
  live: KubernetesObject | undefined,
  ready: ReadonlySet<string>,
): Planned {
  if (live !== undefined && !isSameObject(intent, live)) {
    const status = { name, state: 'deleting', waitsFor: [] } as const;
    return isTerminating(live) ? { status } : { status, step: { do: 'delete', name, live } };
  }
  if (live !== undefined && isTerminating(live)) return { status: { name, state: 'deleting', waitsFor: [] } };
  const waitsFor = dependsOn.filter((dependency) => !ready.has(dependency));
  if (waitsFor.length > 0) return { status: { name, state: 'waiting', waitsFor } };
  const status = { name, state: ready.has(name) ? 'ready' : 'progressing', waitsFor } as const;
  return { status, step: { do: 'apply', name, intent } };
}

/** Cached items of lists may lack apiVersion and kind. */
function isSameObject(intent: KubernetesObject, live: KubernetesObject): boolean {
  const isSame = (wanted: unknown, found: unknown): boolean =>
    wanted === undefined || found === undefined || wanted === found;
  return (
    isSame(intent.kind, live.kind) &&
    isSame(intent.apiVersion, live.apiVersion) &&
    isSame(intent.metadata?.namespace, live.metadata?.namespace) &&
    intent.metadata?.name === live.metadata?.name
  );
}
