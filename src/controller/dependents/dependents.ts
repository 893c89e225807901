/** Graphs of objects that a primary object needs, with a pure planner of the next writes. */
import type { KubernetesObject } from '@kgen/runtime';
import { isTerminating } from '../members.ts';

/**
 * An object that a primary object needs, such as the Service of an application: its desired state, and its
 * place in the order of writes.
 */
export interface Dependent<Primary> {
  /** Name of the dependent, unique in the graph; `dependsOn` of other dependents refers to it. */
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

/** Objects of a primary object, by the name of the dependent. */
export type LiveDependents = ReadonlyMap<string, KubernetesObject>;

/** A write that is due. The steps of one plan do not depend on each other. */
export type DependentStep =
  | { readonly do: 'apply'; readonly name: string; readonly intent: KubernetesObject }
  | { readonly do: 'delete'; readonly name: string; readonly live: KubernetesObject };

/** State of one dependent. */
export interface DependentStatus {
  readonly name: string;
  /**
   * `ready`; `progressing`: applied, not ready; `waiting` for the names in `waitsFor`; `deleting`; `absent`,
   * as desired; `conflict`: another object has its name; `invalid`: the server rejects it.
   */
  readonly state: 'ready' | 'progressing' | 'waiting' | 'deleting' | 'absent' | DependentProblem['state'];
  /** Dependents that must be ready, or gone, before. */
  readonly waitsFor: readonly string[];
  /** Description of the problem; present in the states `conflict` and `invalid`. */
  readonly message?: string | undefined;
}

/** Reason for which a dependent cannot be applied until something changes. */
export interface DependentProblem {
  readonly state: 'conflict' | 'invalid';
  readonly message: string;
}

/** Next writes of a primary object, and the state before them. */
export interface DependentPlan {
  readonly steps: readonly DependentStep[];
  readonly status: readonly DependentStatus[];
  /** Whether each dependent is ready, or absent as desired. */
  readonly isSettled: boolean;
}

/** Outcomes of the steps of earlier plans: input of the next plan. */
export interface DependentProgress {
  /** Dependents that have been applied: only these have a further apply, and count as ready, no more. */
  readonly applied: ReadonlySet<string>;
  readonly problems: ReadonlyMap<string, DependentProblem>;
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
 * Each desired object is applied, also at rest: the client of a manager does not send an apply that would
 * change nothing. With `progress`, those that have been applied are not applied again, and only these are
 * ready.
 */
export function planDependents<Primary extends KubernetesObject>(
  graph: DependentGraph<Primary>,
  primary: Primary,
  live: LiveDependents,
  progress?: DependentProgress,
): DependentPlan {
  const desired = desiredObjects(graph, primary);
  const ready = new Set<string>();
  const planned = graph.ordered.map((dependent) => {
    const intent = desired.get(dependent.name);
    const object = live.get(dependent.name);
    if (intent === undefined) return removal(graph, dependent, live);
    const isApplied = progress === undefined || progress.applied.has(dependent.name);
    if (isApplied && isReady(dependent, primary, intent, object)) ready.add(dependent.name);
    return application(dependent, intent, object, { ready, progress });
  });
  const status = planned.map((each) => each.status);
  return {
    steps: planned.flatMap(({ step }) => step ?? []),
    status,
    isSettled: status.every(({ state }) => state === 'ready' || state === 'absent'),
  };
}

function desiredObjects<Primary extends KubernetesObject>(
  graph: DependentGraph<Primary>,
  primary: Primary,
): ReadonlyMap<string, KubernetesObject> {
  const expected = new Map<string, KubernetesObject>();
  if (isTerminating(primary)) return expected;
  for (const { name, dependsOn = [], precondition, desired } of graph.ordered) {
    const isAllowed = dependsOn.every((each) => expected.has(each)) && (precondition?.(primary) ?? true);
    const intent = isAllowed ? desired(primary) : undefined;
    if (intent !== undefined) expected.set(name, intent);
  }
  return expected;
}

function isReady<Primary>(
  { isReady: check }: Dependent<Primary>,
  primary: Primary,
  intent: KubernetesObject,
  live: KubernetesObject | undefined,
): boolean {
  if (live === undefined || isTerminating(live) || !isSameObject(intent, live)) return false;
  return check?.(live, primary) ?? true;
}

interface Planned {
  readonly status: DependentStatus;
  readonly step?: DependentStep;
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

interface Readiness {
  readonly ready: ReadonlySet<string>;
  readonly progress: DependentProgress | undefined;
}

function application<Primary>(
  { name, dependsOn = [] }: Dependent<Primary>,
  intent: KubernetesObject,
  live: KubernetesObject | undefined,
  { ready, progress }: Readiness,
): Planned {
  const problem = progress?.problems.get(name);
  if (problem !== undefined) return { status: { name, waitsFor: [], ...problem } };
  if (live !== undefined && !isSameObject(intent, live)) {
    const status = { name, state: 'deleting', waitsFor: [] } as const;
    return isTerminating(live) ? { status } : { status, step: { do: 'delete', name, live } };
  }
  if (live !== undefined && isTerminating(live)) return { status: { name, state: 'deleting', waitsFor: [] } };
  const waitsFor = dependsOn.filter((dependency) => !ready.has(dependency));
  if (waitsFor.length > 0) return { status: { name, state: 'waiting', waitsFor } };
  const status = { name, state: ready.has(name) ? 'ready' : 'progressing', waitsFor } as const;
  return progress?.applied.has(name) ? { status } : { status, step: { do: 'apply', name, intent } };
}

/** Cached items of lists may lack apiVersion and kind. */
function isSameObject(intent: KubernetesObject, live: KubernetesObject): boolean {
  const isSame = (desired: unknown, found: unknown): boolean =>
    desired === undefined || found === undefined || desired === found;
  return (
    isSame(intent.kind, live.kind) &&
    isSame(intent.apiVersion, live.apiVersion) &&
    isSame(intent.metadata?.namespace, live.metadata?.namespace) &&
    intent.metadata?.name === live.metadata?.name
  );
}
