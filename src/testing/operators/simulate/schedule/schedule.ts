/** Schedules: what happens in one simulated run, as a value that a seed determines. */
import { type Json, type JsonObject, omit } from '@kgen/schema/values/json';
import { idOf, type ObjectId } from '../cluster.ts';
import { type SimulatedWrite, writeKey } from '../coverage.ts';

/** A failure of one request of the operator. */
export type RequestFault =
  | 'conflict'
  | 'expired'
  | 'throttled'
  | 'unavailable'
  | 'failed'
  | 'dropped'
  | 'lost'
  | 'slow';

/** Names of members below `spec`, outermost first. */
export type FieldPath = readonly string[];

/** One event of a run. */
export type Action =
  /** A user creates, changes or deletes an object. */
  | { readonly do: 'create'; readonly object: JsonObject }
  | { readonly do: 'edit'; readonly target: ObjectId; readonly path: FieldPath; readonly value: Json }
  | { readonly do: 'delete'; readonly target: ObjectId }
  /** Somebody deletes, edits a field of, or annotates one of the objects that the operator has written. */
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
   * nth request of that write.
   */
  | {
      readonly do: 'crash';
      readonly replica: number;
      readonly request: number;
      readonly when: 'before' | 'after';
      readonly downMs: number;
      readonly at?: SimulatedWrite;
    }
  /** A replica is stopped in order, and started again. */
  | { readonly do: 'restart'; readonly replica: number; readonly downMs: number }
  /** The requests of a replica for its lease fail for some time. */
  | { readonly do: 'isolate'; readonly replica: number; readonly ms: number };

/** A kind of action besides the creation of objects. */
export type DisturbanceName = Exclude<Action['do'], 'create'>;

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
export interface ScheduleScope {
  /** Objects that users create. */
  readonly samples: readonly JsonObject[];
  /** Maximum number of objects of a run. */
  readonly objects: number;
  /** Maximum number of steps besides the creation of objects. */
  readonly steps: number;
  readonly accesses: readonly Access[];
  /** Writes of the operator without faults, in the order in which they were sent first. */
  readonly writes: readonly SimulatedWrite[];
  /** Kinds of actions that do not happen. */
  readonly without: readonly DisturbanceName[];
  /** Whether the operator elects a leader. */
  readonly hasElection: boolean;
}

/** Returns the steps that are faults: without them, a run has the expected result. */
export function isFault(step: Step): boolean {
  return !['create', 'edit', 'delete'].includes(step.do);
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
    case 'tamper':
      return `another client ${step.how}s an object of the operator`;
    case 'hold':
      return `the watches${step.withLists ? ' and lists' : ''} of ${step.resource} are late by ${step.ms} ms`;
    case 'interrupt':
      return `the watches of ${step.resource} ${step.how === 'cut' ? 'lose their connection' : 'expire (410)'}`;
    case 'fault':
      return `request ${step.nth} to ${step.verb} ${step.resource}${step.site ? ` at ${step.site}` : ''} from now on ${faultTexts[step.fault]}`;
    case 'crash':
      return `replica ${step.replica + 1} will crash at its request ${step.request}${step.at ? ` to ${writeKey(step.at).replace(/ (?=\S+$)/, ' at ')}` : ''}, ${step.when === 'after' ? 'which the server executes' : 'which is not sent'}, for ${step.downMs} ms`;
    case 'restart':
      return `replica ${step.replica + 1} is stopped for ${step.downMs} ms`;
    case 'isolate':
      return `replica ${step.replica + 1} cannot renew its lease for ${step.ms} ms`;
  }
}

const faultTexts: Readonly<Record<RequestFault, string>> = {
  conflict: 'fails with 409 Conflict',
  expired: 'fails with 410 Expired',
  throttled: 'fails with 429, to be retried after 1 s',
  unavailable: 'fails with 503',
  failed: 'fails with 500',
  dropped: 'loses its connection before it is executed',
  lost: 'is executed, and its response is lost',
  slow: 'is executed 5 s late, as with a slow webhook',
};

/** Returns an object as `Kind namespace/name`. */
export function idText({ kind, namespace, name }: ObjectId): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
