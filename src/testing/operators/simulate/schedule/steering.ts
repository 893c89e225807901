/** Steering: the seeds together contain each fault at each write of the operator. */
import { type FaultClass, faultClasses, requestFaults, type SimulatedWrite } from '../coverage.ts';
import type { Action, RequestFault, ScheduleScope } from './schedule.ts';

/** A fault at one of the requests of a write. */
interface Target {
  readonly write: SimulatedWrite;
  readonly fault: FaultClass;
  /** Number of the seeds before with the same write and fault. */
  readonly round: number;
}

/** Actions around an action of a user, to which the operator reacts with the write. */
export interface TargetedActions {
  readonly before: readonly Action[];
  readonly after: readonly Action[];
}

const none: TargetedActions = { before: [], after: [] };

/**
 * Returns the actions that lead to one fault at one write. Seeds in a row have different ones, in an order
 * that depends on the operator only: the schedule of a seed is the same whatever was run before.
 */
export function targetedActions(seed: number, scope: ScheduleScope, replicas: number): TargetedActions {
  const { writes, accesses } = scope;
  const verbs = new Set(accesses.map(({ verb }) => verb));
  const faults = faultClasses({ ...scope, verbs });
  const pairs = writes.length * faults.length;
  const index = Math.max(seed, 0) % Math.max(pairs, 1);
  const write = writes[index % writes.length];
  const fault = faults[Math.floor(index / writes.length)];
  if (write === undefined || fault === undefined) return none;
  return actionsFor({ write, fault, round: Math.floor(Math.max(seed, 0) / pairs) }, scope, replicas);
}

function actionsFor(
  { write, fault, round }: Target,
  { accesses }: ScheduleScope,
  replicas: number,
): TargetedActions {
  // Usually an operator sends a write once for each object and change.
  const nth = 1 + (round % 3);
  const replica = round % replicas;
  const watched = accesses.filter(({ verb }) => verb === 'watch').map(({ resource }) => resource);
  const resource = watched[round % Math.max(watched.length, 1)] ?? '';
  switch (fault) {
    case 'crash before':
    case 'crash after': {
      const when = fault === 'crash before' ? 'before' : 'after';
      return before({ do: 'crash', replica, request: nth, when, downMs: downMs(round), at: write });
    }
    case 'late watch':
      return before({ do: 'hold', resource, ms: lateMs, withLists: false });
    case 'stale list':
      // A process reads lists when it starts.
      return {
        ...before({ do: 'hold', resource, ms: lateMs, withLists: true }),
        after: [{ do: 'restart', replica, downMs: 100 }],
      };
    case 'lost leadership':
      return before({ do: 'isolate', replica, ms: 30_000 });
    default:
      return before({ do: 'fault', ...write, nth, fault: requestFaultOf(fault) });
  }
}

function before(action: Action): TargetedActions {
  return { before: [action], after: [] };
}

const lateMs = 5_000;

function downMs(round: number): number {
  return [100, 5_000, 40_000][round % 3] ?? 100;
}

function requestFaultOf(wanted: FaultClass): RequestFault {
  return requestFaultNames.find((name) => requestFaults[name] === wanted) ?? 'failed';
}

const requestFaultNames = [
  'conflict',
  'throttled',
  'unavailable',
  'failed',
  'dropped',
  'lost',
  'slow',
] as const;
