/** The actions of a schedule, and the table of the faults among them. */
import type { Json, JsonObject } from '@kgen/schema/values/json';
import type { ObjectId } from '../cluster.ts';
import type { Interleaving, SimulatedWrite } from '../coverage.ts';
import { crash } from '../faults/crash.ts';
import { disrupt } from '../faults/disrupt.ts';
import type { Fault } from '../faults/fault.ts';
import { hold } from '../faults/hold.ts';
import { interrupt } from '../faults/interrupt.ts';
import { isolate } from '../faults/isolate.ts';
import { overtake } from '../faults/overtake.ts';
import { type RequestFault, requestFault } from '../faults/request-fault.ts';
import { restart } from '../faults/restart.ts';
import { tamper } from '../faults/tamper.ts';
import type { Access, FieldPath } from './schedule.ts';

/** One step of a schedule: a change by a user or another client, or a fault. */
export type Action =
  /**
   * A user creates an object, changes a member (`null` removes it), changes it and then changes it back,
   * deletes the object, or deletes it and creates it again under its name.
   */
  | { readonly do: 'create'; readonly object: JsonObject }
  | { readonly do: 'edit'; readonly target: ObjectId; readonly path: FieldPath; readonly value: Json }
  | {
      readonly do: 'detour';
      readonly target: ObjectId;
      readonly path: FieldPath;
      readonly value: Json;
      /** The former value. */
      readonly back: Json;
      /** Milliseconds after which it is set again. */
      readonly ms: number;
    }
  | { readonly do: 'delete'; readonly target: ObjectId }
  | { readonly do: 'recreate'; readonly object: JsonObject }
  /** Another client deletes, edits or annotates one of the objects that the operator has written. */
  | { readonly do: 'tamper'; readonly pick: number; readonly how: 'delete' | 'edit' | 'annotate' }
  /**
   * The watches of a resource are late by some time. With `withLists`, lists that may be served from a cache
   * of the API server are as old as the watches.
   */
  | {
      readonly do: 'hold';
      readonly resource: string;
      readonly ms: number;
      readonly withLists: boolean;
    }
  /** The watches of a resource lose their connection, or end with 410. */
  | { readonly do: 'interrupt'; readonly resource: string; readonly how: 'cut' | 'expire' }
  /**
   * The nth request with a verb and a resource from now on fails; with `site`, of those that this line of the
   * operator sends.
   */
  | {
      readonly do: 'fault';
      readonly verb: string;
      readonly resource: string;
      readonly nth: number;
      readonly fault: RequestFault;
      readonly site?: string;
    }
  /**
   * A replica crashes at its nth request from now on, which the server has executed or not; with `at`, at the
   * nth request of that write, whose line is any one if it is empty.
   */
  | {
      readonly do: 'crash';
      readonly replica: number;
      readonly request: number;
      readonly when: 'before' | 'after';
      readonly downMs: number;
      readonly at?: SimulatedWrite;
    }
  /**
   * The next request of a write waits until another controller has sent the write `by`, to the same object if
   * they have one resource, or some time has passed. An empty line is any one.
   */
  | {
      readonly do: 'overtake';
      readonly write: SimulatedWrite;
      readonly by: SimulatedWrite;
    }
  /** A replica is stopped in order, and started again. */
  | { readonly do: 'restart'; readonly replica: number; readonly downMs: number }
  /** The requests of a replica for its lease fail for some time. */
  | { readonly do: 'isolate'; readonly replica: number; readonly ms: number }
  /** The scheduler evicts a Pod of a workload, or the nodes are lost for a time, so that no Pod is ready. */
  | { readonly do: 'disrupt'; readonly how: 'pod' | 'node'; readonly pick: number; readonly ms: number };

/**
 * A kind of action besides the creation of objects, or `defaults`: a webhook of others that adds defaults to
 * the objects of the operator.
 */
export type DisturbanceName = Exclude<Action['do'], 'create'> | 'defaults';

/**
 * A fault at a write. For the first ones the write itself fails:
 * - `conflict`, `throttled`, `unavailable`, `failed`: its response is 409, 429, 503 or 500
 * - `dropped`, `lost`: the connection is lost before the server executes it, or after that
 * - `slow webhook`: the server executes it late
 * - `crash before`, `crash after`: the process ends before the server executes it, or after that
 * - `late watch`: a kind that the operator watches has changed, and its watches do not show it yet
 * - `stale list`: the process has read a list that does not contain the latest changes
 * - `lost leadership`: the process cannot renew its lease
 * - `overtaken`: another controller has written since the reconcile began that sends it
 */
export type FaultClass =
  | 'conflict'
  | 'throttled'
  | 'unavailable'
  | 'failed'
  | 'dropped'
  | 'lost'
  | 'slow webhook'
  | 'crash before'
  | 'crash after'
  | 'late watch'
  | 'stale list'
  | 'lost leadership'
  | 'overtaken';

/**
 * A single fault: one of a class, a request that fails with 410 (`expired`), a watch that loses its
 * connection (`cut watch`) or ends with 410 (`expired watch`), another client that deletes, edits or
 * annotates an object of the operator, or Pods of a workload that vanish (`evicted pod`) or are not ready
 * (`lost node`).
 */
export type SingleFault =
  | FaultClass
  | 'expired'
  | 'cut watch'
  | 'expired watch'
  | 'tamper delete'
  | 'tamper edit'
  | 'tamper annotate'
  | 'evicted pod'
  | 'lost node';

/** A kind of action of users. */
export type UserAction = 'create' | 'edit' | 'detour' | 'delete' | 'recreate';

/** The kind of change to which an operator reacts with a write. */
export type WriteCause = 'create' | 'edit' | 'delete';

/** Changes by the actions of users. */
export const causes: Readonly<Record<UserAction, WriteCause>> = {
  create: 'create',
  edit: 'edit',
  detour: 'edit',
  delete: 'delete',
  recreate: 'create',
};

/** A kind of fault. */
export type FaultName = Exclude<Action['do'], UserAction>;

/** The actions with a name. */
export type ActionOf<K extends Action['do']> = Extract<Action, { readonly do: K }>;

/** All faults, in the order of their classes: the fault to which a seed is steered depends on it. */
export const faults: { readonly [K in FaultName]: Fault<ActionOf<K>> } = {
  fault: requestFault,
  crash,
  hold,
  isolate,
  tamper,
  interrupt,
  restart,
  disrupt,
  overtake,
};

/** The names of all faults. */
// seam: the table has no other members.
export const faultNames = Object.keys(faults) as readonly FaultName[];

/** Names from which random faults are drawn: those that occur more often are drawn more often. */
export const drawnFaults: readonly FaultName[] = [
  'tamper',
  'hold',
  'hold',
  'interrupt',
  'fault',
  'fault',
  'crash',
  'crash',
  'restart',
  'isolate',
];

/** Properties of an operator that determine the faults that can occur. */
export interface FaultScope {
  readonly accesses: readonly Access[];
  /** Whether the operator elects a leader. */
  readonly hasElection: boolean;
  /** Writes of two controllers that can interleave. */
  readonly interleavings: readonly Interleaving[];
  /** Kinds of actions, and single faults, that do not happen. */
  readonly without: readonly (DisturbanceName | SingleFault)[];
}

/**
 * Checks names of actions and faults that shall not happen, which may come from programs in JavaScript.
 * @throws {TypeError} for an unknown name
 */
export function checkNames(names: readonly string[]): void {
  const actions = Object.keys(causes).filter((name) => name !== 'create');
  const known = [
    ...actions,
    'defaults',
    ...faultNames,
    ...faultNames.flatMap((name) => faults[name].singles),
  ];
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown === undefined) return;
  throw new TypeError(`without must contain names of ${known.join(', ')}, got ${JSON.stringify(unknown)}`);
}

/** Returns the faults that can occur at each write, by their classes. */
export function possibleFaults({
  accesses,
  hasElection,
  interleavings,
  without,
}: FaultScope): ReadonlyMap<FaultClass, FaultName> {
  const has = {
    watch: accesses.some(({ verb }) => verb === 'watch'),
    election: hasElection,
    controllers: interleavings.length > 0,
  };
  const possible = faultNames.filter((name) => {
    const { needs } = faults[name];
    return !without.includes(name) && (needs === undefined || has[needs]);
  });
  const classes = possible.flatMap((name) => faults[name].classes.map((each) => [each, name] as const));
  return new Map(classes.filter(([each]) => !without.includes(each)));
}

/** Returns whether an action is a fault: without faults, a run has the expected result. */
export function isFault<A extends Action>(action: A): action is A & ActionOf<FaultName> {
  return Object.hasOwn(faults, action.do);
}

/** Returns the name of a single fault; `undefined` if it has the name of its kind only. */
export function singleFaultOf<K extends FaultName>(name: K, action: ActionOf<K>): SingleFault | undefined {
  return faults[name].singleOf?.(action);
}

/** Returns a fault as a line of a story. */
export function faultText<K extends FaultName>(name: K, action: ActionOf<K>): string {
  return faults[name].text(action);
}

/** Returns a simpler fault by one of its simplifications; `undefined` if it does not apply. */
export function simplerFault<K extends FaultName>(
  name: K,
  action: ActionOf<K>,
  simplification: number,
): ActionOf<K> | undefined {
  return faults[name].simpler?.[simplification]?.(action);
}
