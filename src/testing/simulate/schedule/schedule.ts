/** Schedules: what happens in one simulated run, as a value that a seed determines. */
import { seededRandom } from '../../server/environment.ts';
import { type Json, type JsonObject, object, omit, own, putAt } from '../../values/json.ts';
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

/** One event of a run. */
export type Action =
  /** A user creates, changes or deletes an object. */
  | { readonly do: 'create'; readonly object: JsonObject }
  | { readonly do: 'edit'; readonly target: ObjectId; readonly field: string; readonly value: Json }
  | { readonly do: 'delete'; readonly target: ObjectId }
  /** Somebody deletes, or edits a field of, one of the objects that the operator has written. */
  | { readonly do: 'tamper'; readonly pick: number; readonly how: 'delete' | 'edit' }
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
  /** Kinds of actions that do not happen. */
  readonly without: readonly DisturbanceName[];
  /** Whether the operator elects a leader. */
  readonly hasElection: boolean;
}

/** Returns the steps that are faults: without them, a run has the expected result. */
export function isFault(step: Step): boolean {
  return !['create', 'edit', 'delete'].includes(step.do);
}

/** Returns the same schedule without faults. */
export function withoutFaults(schedule: Schedule): Schedule {
  return { ...schedule, replicas: 1, steps: schedule.steps.filter((step) => !isFault(step)) };
}

/** Returns the schedule of a seed. */
export function scheduleOf(seed: number, scope: ScheduleScope): Schedule {
  const dice = new Dice(seed);
  const replicas = scope.hasElection && dice.chance(0.3) ? 2 : 1;
  const plan = new Plan(dice, scope, replicas);
  const objects = dice.between(1, scope.objects);
  const rest = dice.between(0, scope.steps);
  const steps: Step[] = [];
  for (let left = objects + rest, created = 0; left > 0; left -= 1) {
    const isCreation = created < objects && dice.chance(created === 0 ? 0.8 : (objects - created) / left);
    if (isCreation) created += 1;
    const action = isCreation ? plan.create() : plan.disturb();
    if (action !== undefined) steps.push({ ...action, waitMs: dice.pick(waits) ?? 0 });
  }
  return { seed, replicas, steps };
}

/** Mostly times in which an operator is busy. */
const waits: readonly number[] = [0, 0, 0, 1, 20, 500, 3_000, 20_000];

/** Random decisions. */
class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Both limits are included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }
}

/** Actions that fit to the ones before. */
class Plan {
  readonly #dice: Dice;
  readonly #scope: ScheduleScope;
  readonly #replicas: number;
  readonly #alive: ObjectId[] = [];
  #count = 0;

  constructor(dice: Dice, scope: ScheduleScope, replicas: number) {
    this.#dice = dice;
    this.#scope = scope;
    this.#replicas = replicas;
  }

  /** Names are never used twice, so that a run without faults has the same objects. */
  create(): Action | undefined {
    const sample = this.#dice.pick(this.#scope.samples);
    if (sample === undefined) return undefined;
    this.#count += 1;
    const named = putAt(sample, ['metadata', 'name'], `object-${this.#count}`);
    this.#alive.push(idOf(named));
    return { do: 'create', object: named };
  }

  disturb(): Action | undefined {
    const kinds = [
      () => this.#edit(),
      () => this.#delete(),
      () => this.#tamper(),
      () => this.#hold(),
      () => this.#hold(),
      () => this.#interrupt(),
      () => this.#fault(),
      () => this.#fault(),
      () => this.#crash(),
      () => this.#crash(),
      () => this.#restart(),
      ...(this.#scope.hasElection ? [() => this.#isolate()] : []),
    ];
    const action = this.#dice.pick(kinds)?.();
    const isLeftOut = action !== undefined && this.#scope.without.some((name) => name === action.do);
    return isLeftOut ? undefined : action;
  }

  #edit(): Action | undefined {
    const target = this.#dice.pick(this.#alive);
    const fields = this.#scope.samples
      .filter((sample) => own(sample, 'kind') === target?.kind)
      .flatMap((sample) => Object.entries(object(sample, 'spec')));
    const [field, value] = this.#dice.pick(fields) ?? [];
    if (target === undefined || field === undefined || value === undefined) return undefined;
    return { do: 'edit', target, field, value };
  }

  #delete(): Action | undefined {
    const target = this.#dice.pick(this.#alive);
    if (target === undefined) return undefined;
    this.#alive.splice(this.#alive.indexOf(target), 1);
    return { do: 'delete', target };
  }

  #tamper(): Action {
    return {
      do: 'tamper',
      pick: this.#dice.between(0, 99),
      how: this.#dice.chance(0.5) ? 'delete' : 'edit',
    };
  }

  #watched(): string | undefined {
    const watched = this.#scope.accesses.filter(({ verb }) => verb === 'watch');
    return this.#dice.pick(watched)?.resource;
  }

  #hold(): Action | undefined {
    const resource = this.#watched();
    const ms = this.#dice.pick([50, 2_000, 15_000, 60_000]) ?? 0;
    const withLists = this.#dice.chance(0.5);
    return resource === undefined ? undefined : { do: 'hold', resource, ms, withLists };
  }

  #interrupt(): Action | undefined {
    const resource = this.#watched();
    const how = this.#dice.chance(0.5) ? 'cut' : 'expire';
    return resource === undefined ? undefined : { do: 'interrupt', resource, how };
  }

  #fault(): Action | undefined {
    const access = this.#dice.pick(this.#scope.accesses);
    if (access === undefined) return undefined;
    const fault = this.#dice.pick(faultsOf(access.verb)) ?? 'failed';
    return { do: 'fault', ...access, nth: this.#dice.between(1, 4), fault };
  }

  #replica(): number {
    return this.#dice.between(0, this.#replicas - 1);
  }

  #crash(): Action {
    return {
      do: 'crash',
      replica: this.#replica(),
      request: this.#dice.between(1, 8),
      when: this.#dice.chance(0.5) ? 'before' : 'after',
      downMs: this.#downMs(),
    };
  }

  #restart(): Action {
    return { do: 'restart', replica: this.#replica(), downMs: this.#downMs() };
  }

  #downMs(): number {
    return this.#dice.pick([100, 5_000, 40_000]) ?? 0;
  }

  #isolate(): Action {
    return { do: 'isolate', replica: this.#replica(), ms: this.#dice.pick([5_000, 30_000]) ?? 0 };
  }
}

function faultsOf(verb: string): readonly RequestFault[] {
  const common: readonly RequestFault[] = ['throttled', 'unavailable', 'failed', 'dropped'];
  if (verb === 'list' || verb === 'watch') return [...common, 'expired'];
  return verb === 'get' ? common : [...common, 'conflict', 'lost', 'lost', 'slow'];
}

/** Returns a step as text. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'create':
      return `a user creates ${idText(idOf(step.object))}: ${JSON.stringify(omit(step.object, 'apiVersion', 'kind', 'metadata', 'status'))}`;
    case 'edit':
      return `a user changes spec.${step.field} of ${idText(step.target)} to ${JSON.stringify(step.value)}`;
    case 'delete':
      return `a user deletes ${idText(step.target)}`;
    case 'tamper':
      return step.how === 'delete'
        ? 'somebody deletes an object of the operator'
        : 'somebody edits an object of the operator';
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
