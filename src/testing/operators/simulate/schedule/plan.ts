/** The schedule of a seed: what users do, faults, and one fault that the seed is steered to. */
import { idOf, idText } from '../cluster.ts';
import { writeKey } from '../coverage.ts';
import type { Draw, TargetedActions } from '../faults/fault.ts';
import { mostOvertakenMs } from '../faults/overtake.ts';
import {
  type Action,
  drawnFaults,
  faults,
  isFault,
  possibleFaults,
  singleFaultOf,
  type WriteCause,
} from './actions.ts';
import { type CausedWrite, causeOf, leadsTo, type UserChange } from './causes.ts';
import { Dice } from './dice.ts';
import { restMs, type Schedule, type ScheduleScope, type Step } from './schedule.ts';
import { scriptOf, waitOf } from './users.ts';

/** Number of seeds in a row with the same actions of users: they share their runs without faults. */
const seedsPerScript = 2;

/** Number of scripts of which one runs in a cluster whose webhooks add defaults. */
const scriptsPerDefaults = 6;

/** Distance to the seeds of the random decisions that only operators with workloads need. */
const otherSeeds = 1_000_000_000;

/** Returns the schedule of a seed. */
export function scheduleOf(seed: number, scope: ScheduleScope): Schedule {
  const dice = new Dice(seed);
  const replicas = scope.hasElection && dice.chance(0.3) ? 2 : 1;
  const script = Math.floor(seed / seedsPerScript);
  const steps = [...scriptOf(script, scope, writesOfScript(script, scope))];
  for (let left = dice.between(0, scope.steps); left > 0; left -= 1) {
    const action = drawnFault({ dice, scope, replicas });
    if (action !== undefined) insert(steps, dice, action);
  }
  disrupt(steps, { dice: new Dice(otherSeeds + seed), scope, replicas });
  const target = targetedActions(seed, scope, replicas);
  insertAround(steps, placeOf(steps, dice, target), target.before, target.after);
  const hasDefaults = script % scriptsPerDefaults === 0 && !scope.without.includes('defaults');
  return { seed, replicas, steps, hasDefaults };
}

/** Returns the place of an action after which the operator sends the write, if there is one. */
function placeOf(steps: readonly Step[], dice: Dice, target: Steering): number {
  const { cause, changes, nextCauses } = target;
  const alike = steps.flatMap((step, index) => (causeOf(step) === cause ? [index] : []));
  const leading = steps.flatMap((step, index) => (leadsTo(step, { cause, changes }) ? [index] : []));
  const places = leading.length > 0 ? leading : alike;
  const followed = places.filter((index) => isFollowed(steps, index, nextCauses));
  return dice.pick(followed.length > 0 ? followed : places) ?? dice.between(0, steps.length - 1);
}

/** Returns whether users change the same object soon after a step, by an action of one of these kinds. */
function isFollowed(steps: readonly Step[], index: number, nextCauses: readonly WriteCause[]): boolean {
  let waitMs = 0;
  for (const step of steps.slice(index + 1)) {
    waitMs += step.waitMs;
    const cause = causeOf(step);
    if (cause === undefined || targetText(step) !== targetText(steps[index])) continue;
    return waitMs < mostOvertakenMs && nextCauses.includes(cause);
  }
  return false;
}

/** Returns the object of an action of a user as text. */
function targetText(step: Step | undefined): string {
  if (step === undefined || isFault(step)) return '';
  return idText('target' in step ? step.target : idOf(step.object));
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

/** Adds a disruption of Pods, mostly once they run. */
function disrupt(steps: Step[], draw: Draw): void {
  const { dice, scope } = draw;
  const action = dice.chance(0.4) ? faults.disrupt.plan(draw) : undefined;
  if (action === undefined || isLeftOut(action, scope)) return;
  const waitMs = dice.pick([0, restMs, restMs]) ?? 0;
  steps.splice(dice.between(1, steps.length), 0, { ...action, waitMs });
}

function insert(steps: Step[], dice: Dice, action: Action): void {
  steps.splice(dice.between(0, steps.length), 0, { ...action, waitMs: waitOf(dice) });
}

/** Returns a random fault that fits to the operator. */
function drawnFault(draw: Draw): Action | undefined {
  const { dice, scope } = draw;
  // Those that need watches are drawn in any case: operators without watches keep their schedules.
  const names = drawnFaults.filter((each) => scope.hasElection || faults[each].needs !== 'election');
  const name = dice.pick(names);
  const action = name === undefined ? undefined : faults[name].plan(draw);
  return action !== undefined && isLeftOut(action, scope) ? undefined : action;
}

function isLeftOut(action: Action, { without }: Pick<ScheduleScope, 'without'>): boolean {
  if (without.some((name) => name === action.do)) return true;
  const single = isFault(action) ? singleFaultOf(action.do, action) : undefined;
  return single !== undefined && without.includes(single);
}

/** Actions around an action of a user of this kind. */
type Steering = TargetedActions & {
  readonly cause: WriteCause;
  /** Changes that lead to the write; empty for any one. */
  readonly changes: readonly UserChange[];
  /** Kinds of the action of a user that follows soon; empty for any one. */
  readonly nextCauses: readonly WriteCause[];
};

const none: Steering = { before: [], after: [], cause: 'create', changes: [], nextCauses: [] };

/** Returns the writes at which the seeds of a script have their faults. */
function writesOfScript(script: number, { writes }: ScheduleScope): readonly CausedWrite[] {
  const seeds = Array.from({ length: seedsPerScript }, (_, index) => script * seedsPerScript + index);
  return seeds.flatMap((seed) => targetOf(seed, writes) ?? []);
}

/** Returns the write at which a seed has its fault. */
function targetOf(seed: number, writes: readonly CausedWrite[]): CausedWrite | undefined {
  return writes[Math.max(seed, 0) % Math.max(writes.length, 1)];
}

/**
 * Returns the actions that lead to one fault at one write. Seeds in a row have different ones, in an order
 * that depends on the operator only: the schedule of a seed is the same whatever was run before.
 */
function targetedActions(seed: number, scope: ScheduleScope, replicas: number): Steering {
  const { writes, accesses, interleavings } = scope;
  const possible = [...possibleFaults(scope)];
  const pairs = writes.length * possible.length;
  const index = Math.max(seed, 0) % Math.max(pairs, 1);
  const { write, cause, changes = [] } = targetOf(seed, writes) ?? {};
  const [fault, name] = possible[Math.floor(index / writes.length)] ?? [];
  if (write === undefined || cause === undefined || fault === undefined || name === undefined) return none;
  const round = Math.floor(Math.max(seed, 0) / pairs);
  const watched = accesses.filter(({ verb }) => verb === 'watch').map(({ resource }) => resource);
  const place = {
    write,
    fault,
    round,
    nth: 1 + (round % 3),
    replica: round % replicas,
    watched: watched[round % Math.max(watched.length, 1)] ?? '',
    others: interleavings.flatMap((each) => (writeKey(each.write) === writeKey(write) ? [each.between] : [])),
  };
  const actions = faults[name].target?.(place) ?? none;
  const isPossible = [...actions.before, ...actions.after].every((action) => !isLeftOut(action, scope));
  const { next } = actions;
  const nextCauses =
    next === undefined ? [] : writes.filter((each) => writeKey(each.write) === writeKey(next));
  return isPossible ? { ...actions, cause, changes, nextCauses: nextCauses.map((each) => each.cause) } : none;
}
