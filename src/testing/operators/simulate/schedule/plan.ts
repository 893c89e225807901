/** The schedule of a seed: what users do, faults, and one fault that the seed is steered to. */
import { isObject, type Json, type JsonObject, object, own, putAt } from '@kgen/schema/values/json';
import { idOf, type ObjectId } from '../cluster.ts';
import type { Draw, TargetedActions } from '../faults/fault.ts';
import { type Action, drawnFaults, faults, possibleFaults } from './actions.ts';
import { Dice } from './dice.ts';
import type { FieldPath, Schedule, ScheduleScope, Step } from './schedule.ts';

/** Number of seeds in a row with the same actions of users: they share their runs without faults. */
const seedsPerScript = 16;

/** Returns the schedule of a seed. */
export function scheduleOf(seed: number, scope: ScheduleScope): Schedule {
  const dice = new Dice(seed);
  const replicas = scope.hasElection && dice.chance(0.3) ? 2 : 1;
  const steps = [...scriptOf(Math.floor(seed / seedsPerScript), scope)];
  for (let left = dice.between(0, scope.steps); left > 0; left -= 1) {
    const action = drawnFault({ dice, scope, replicas });
    if (action !== undefined) insert(steps, dice, action);
  }
  const { before, after } = targetedActions(seed, scope, replicas);
  insertAround(steps, dice.chance(0.5) ? 0 : dice.between(0, steps.length - 1), before, after);
  return { seed, replicas, steps };
}

/** The step in the middle follows at once, so that the operator reacts to it under the fault. */
function insertAround(
  steps: Step[],
  index: number,
  before: readonly Action[],
  after: readonly Action[],
): void {
  const middle = steps[index];
  if (middle === undefined) return;
  const { waitMs } = middle;
  const first = before.map((action, place) => ({ ...action, waitMs: place === 0 ? waitMs : 0 }));
  const last = after.map((action) => ({ ...action, waitMs: 0 }));
  const isFirst = before.length === 0;
  const around = [...first, { ...middle, waitMs: isFirst ? waitMs : 0 }, ...last];
  steps.splice(index, 1);
  for (const [place, step] of around.entries()) steps.splice(index + place, 0, step);
}

function insert(steps: Step[], dice: Dice, action: Action): void {
  steps.splice(dice.between(0, steps.length), 0, { ...action, waitMs: waitOf(dice) });
}

/** Mostly times in which an operator is busy. */
const waits: readonly number[] = [0, 0, 0, 1, 20, 500, 3_000, 20_000];

function waitOf(dice: Dice): number {
  return dice.pick(waits) ?? 0;
}

/** Returns the actions of users. No name is used twice: a run without faults has the same objects. */
function scriptOf(seed: number, scope: ScheduleScope): readonly Step[] {
  const dice = new Dice(-1 - seed);
  const objects = dice.between(1, scope.objects);
  const users = new Users(dice, scope, objects);
  const rest = dice.between(0, Math.ceil(scope.steps / 3));
  const steps: Step[] = [];
  for (let left = objects + rest, created = 0; left > 0; left -= 1) {
    const isCreation = created === 0 || (created < objects && dice.chance((objects - created) / left));
    if (isCreation) created += 1;
    const action = isCreation ? users.create() : users.change();
    const isLeftOut = action === undefined || scope.without.some((name) => name === action.do);
    if (!isLeftOut) steps.push({ ...action, waitMs: waitOf(dice) });
  }
  return steps;
}

/** Actions of users that fit to the ones before. */
class Users {
  readonly #dice: Dice;
  readonly #scope: ScheduleScope;
  readonly #alive: ObjectId[] = [];
  /** In a random order: an order by name and one by time differ. */
  readonly #numbers: number[];

  constructor(dice: Dice, scope: ScheduleScope, objects: number) {
    this.#numbers = dice.shuffled(Array.from({ length: objects }, (_, index) => index + 1));
    this.#dice = dice;
    this.#scope = scope;
  }

  create(): Action | undefined {
    const sample = this.#dice.pick(this.#scope.samples);
    if (sample === undefined) return undefined;
    const number = this.#numbers.pop() ?? 0;
    const named = putAt(sample, ['metadata', 'name'], `object-${number}`);
    this.#alive.push(idOf(named));
    return { do: 'create', object: named };
  }

  change(): Action | undefined {
    return this.#dice.chance(0.6) ? this.#edit() : this.#delete();
  }

  /** Changes one field to its value in a sample, or removes it. */
  #edit(): Action | undefined {
    const target = this.#dice.pick(this.#alive);
    const fields = this.#scope.samples
      .filter((sample) => own(sample, 'kind') === target?.kind)
      .flatMap((sample) => fieldsOf(object(sample, 'spec'), []));
    const [path, value] = this.#dice.pick(fields) ?? [];
    if (target === undefined || path === undefined || value === undefined) return undefined;
    return { do: 'edit', target, path, value: this.#dice.chance(0.1) ? null : value };
  }

  #delete(): Action | undefined {
    const target = this.#dice.pick(this.#alive);
    if (target === undefined) return undefined;
    this.#alive.splice(this.#alive.indexOf(target), 1);
    return { do: 'delete', target };
  }
}

/** Returns the members of an object, at any depth outside of lists. */
export function fieldsOf(
  value: JsonObject,
  path: FieldPath,
): readonly (readonly [path: FieldPath, value: Json])[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...path, name];
    return [[inner, member] as const, ...(isObject(member) ? fieldsOf(member, inner) : [])];
  });
}

/** Returns a random fault that fits to the operator. */
function drawnFault(draw: Draw): Action | undefined {
  const { dice, scope } = draw;
  // Those that need watches are drawn in any case: operators without watches keep their schedules.
  const names = drawnFaults.filter((each) => scope.hasElection || faults[each].needs !== 'election');
  const name = dice.pick(names);
  const action = name === undefined ? undefined : faults[name].plan(draw);
  return name === undefined || scope.without.includes(name) ? undefined : action;
}

const none: TargetedActions = { before: [], after: [] };

/**
 * Returns the actions that lead to one fault at one write. Seeds in a row have different ones, in an order
 * that depends on the operator only: the schedule of a seed is the same whatever was run before.
 */
function targetedActions(seed: number, scope: ScheduleScope, replicas: number): TargetedActions {
  const { writes, accesses } = scope;
  const possible = [...possibleFaults(scope)];
  const pairs = writes.length * possible.length;
  const index = Math.max(seed, 0) % Math.max(pairs, 1);
  const write = writes[index % writes.length];
  const [fault, name] = possible[Math.floor(index / writes.length)] ?? [];
  if (write === undefined || fault === undefined || name === undefined) return none;
  const round = Math.floor(Math.max(seed, 0) / pairs);
  const watched = accesses.filter(({ verb }) => verb === 'watch').map(({ resource }) => resource);
  const place = {
    write,
    fault,
    round,
    nth: 1 + (round % 3),
    replica: round % replicas,
    watched: watched[round % Math.max(watched.length, 1)] ?? '',
  };
  return faults[name].target?.(place) ?? none;
}
