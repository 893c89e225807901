/** Scripts of users: they create, change and delete objects. A script does not depend on faults. */
import { at, type Json, type JsonObject, own, putAt, text } from '@kgen/schema/values/json';
import { leavesOf } from '../checks/compare/differences.ts';
import { idOf, idText, otherNamespace } from '../cluster.ts';
import type { Action } from './actions.ts';
import { type CausedWrite, isEdit, leadsTo } from './causes.ts';
import { Dice } from './dice.ts';
import { edited, isPaused, kindOf, type UserEdit } from './edits.ts';
import { restMs, type ScheduleScope, type Step } from './schedule.ts';

/** Mostly times in which an operator is busy. */
const waits: readonly number[] = [0, 0, 0, 1, 20, 500, 3_000, 20_000];

/** Draws the time before a step. */
export function waitOf(dice: Dice): number {
  return dice.pick(waits) ?? 0;
}

/**
 * Returns the actions of users: creations, and changes in between.
 * @param writes those to which the actions lead, if that is possible
 */
export function scriptOf(
  seed: number,
  scope: ScheduleScope,
  writes: readonly CausedWrite[],
): readonly Step[] {
  const dice = new Dice(-1 - seed);
  const objects = dice.between(1, scope.objects);
  const users = new Users(dice, scope, objects);
  const rest = scope.steps === 0 ? 0 : dice.between(1, Math.ceil(scope.steps / 2));
  const steps: Step[] = [];
  const add = (action: Action | undefined): void => {
    const isLeftOut = action === undefined || scope.without.some((name) => name === action.do);
    if (!isLeftOut) steps.push({ ...action, waitMs: waitOf(dice) });
  };
  for (let left = objects + rest, created = 0; left > 0; left -= 1) {
    const isCreation = created === 0 || (created < objects && dice.chance((objects - created) / left));
    if (isCreation) created += 1;
    add(isCreation ? users.create() : users.change());
  }
  for (const write of writes) {
    if (rest > 0 && !steps.some((step) => leadsTo(step, write))) add(users.changeFor(write));
  }
  return steps;
}

/** Changes of existing objects; those that occur more often are drawn more often. */
const changes = ['edit', 'edit', 'edit', 'detour', 'detour', 'recreate', 'delete', 'delete'] as const;

/** Actions of users that fit to the ones before. */
class Users {
  readonly #dice: Dice;
  readonly #scope: ScheduleScope;
  /** The declared objects. */
  readonly #alive: JsonObject[] = [];
  readonly #references: JsonObject[];
  readonly #referred: ReadonlySet<string>;
  /** Names and namespaces. In a random order: an order by name and one by time differ. */
  readonly #places: { readonly name: string; readonly isElsewhere: boolean }[];

  constructor(dice: Dice, scope: ScheduleScope, objects: number) {
    const hasTwoNamespaces = dice.chance(0.25);
    const places = Array.from({ length: objects }, (_, index) => {
      const number = hasTwoNamespaces ? Math.floor(index / 2) : index;
      return { name: `object-${number + 1}`, isElsewhere: hasTwoNamespaces && index % 2 === 1 };
    });
    this.#places = dice.shuffled(places);
    this.#dice = dice;
    this.#scope = scope;
    this.#references = [...scope.references];
    this.#referred = referredNames(scope.samples);
  }

  create(): Action | undefined {
    const sample = this.#dice.pick(this.#scope.samples);
    const place = this.#places.pop();
    if (sample === undefined || place === undefined) return undefined;
    const isNamespaced = text(sample, 'metadata', 'namespace') !== '';
    if (place.isElsewhere && !isNamespaced) return undefined;
    const there = place.isElsewhere ? putAt(sample, ['metadata', 'namespace'], otherNamespace) : sample;
    const isTaken = this.#alive.some((known) => idText(idOf(known)) === idText(idOf(there)));
    const keepsName = this.#referred.has(text(sample, 'metadata', 'name')) && !isTaken;
    const placed = keepsName ? there : putAt(there, ['metadata', 'name'], place.name);
    this.#alive.push(placed);
    return { do: 'create', object: placed };
  }

  change(): Action | undefined {
    if (this.#references.length > 0 && this.#dice.chance(0.3)) return this.#changeReference();
    const index = this.#dice.between(0, this.#alive.length - 1);
    const target = this.#alive[index];
    if (target === undefined) return undefined;
    switch (this.#dice.pick(changes)) {
      case 'delete':
        this.#alive.splice(index, 1);
        return { do: 'delete', target: idOf(target) };
      case 'recreate':
        return { do: 'recreate', object: target };
      case 'detour':
        return this.#detour(target);
      default:
        return this.#edit(target, this.#alive, index);
    }
  }

  /** Returns a change that leads to a write; `undefined` if there is none. */
  changeFor({ cause, changes: known }: CausedWrite): Action | undefined {
    const change = this.#dice.pick(known);
    if (change === undefined || cause === 'create') return undefined;
    const isFitting = (target: JsonObject): boolean => change.kind === '' || change.kind === kindOf(target);
    const targets = [this.#alive, this.#references].find((each) => each.some(isFitting));
    const index = targets?.findIndex(isFitting) ?? -1;
    const target = targets?.[index];
    if (targets === undefined || target === undefined) return undefined;
    if (cause === 'edit') {
      const edit = this.#drawn(target, (each) => isEdit(each, change));
      if (edit === undefined) return undefined;
      // Its way back may be what leads to the write.
      const isDetour = !mayStay(target, edit) || (mayEnd(target, edit) && this.#dice.chance(0.5));
      return isDetour ? detourOf(target, edit, restMs) : this.#edited(edit, targets, index);
    }
    if (targets !== this.#alive) return undefined;
    targets.splice(index, 1);
    return { do: 'delete', target: idOf(target) };
  }

  /** A reference changes, or vanishes for a moment. */
  #changeReference(): Action | undefined {
    const index = this.#dice.between(0, this.#references.length - 1);
    const target = this.#references[index];
    if (target === undefined) return undefined;
    if (this.#dice.chance(0.2)) return { do: 'recreate', object: target };
    return this.#edit(target, this.#references, index);
  }

  #edit(target: JsonObject, targets: JsonObject[], index: number): Action | undefined {
    const edit = this.#drawn(target, (each) => mayStay(target, each));
    return edit && this.#edited(edit, targets, index);
  }

  #edited(edit: LearntEdit, targets: JsonObject[], index: number): Action | undefined {
    const target = targets[index];
    if (target === undefined) return undefined;
    targets[index] = edited(target, edit);
    return { do: 'edit', target: idOf(target), path: edit.path, value: edit.value };
  }

  #detour(target: JsonObject): Action | undefined {
    const edit = this.#drawn(target, (each) => mayEnd(target, each));
    return edit && detourOf(target, edit, waitOf(this.#dice));
  }

  /** Draws a change that has an effect. */
  #drawn(target: JsonObject, fits: (edit: LearntEdit) => boolean): LearntEdit | undefined {
    const edits = this.#scope.edits.get(kindOf(target)) ?? [];
    return this.#dice.pick(edits.filter((edit) => fits(edit) && edited(target, edit) !== target));
  }
}

/** Returns whether a change may stay: an operator cannot act with some values, or once it is paused. */
function mayStay(target: JsonObject, edit: LearntEdit): boolean {
  return !edit.isDetour && (isPaused(target) || !isPaused(edited(target, edit)));
}

/** Returns whether a change may be taken back: the end of a pause stays. */
function mayEnd(target: JsonObject, edit: LearntEdit): boolean {
  return !isPaused(target) || isPaused(edited(target, edit));
}

function detourOf(target: JsonObject, { path, value }: UserEdit, ms: number): Action {
  const back: Json = at(target, ...path) ?? null;
  return { do: 'detour', target: idOf(target), path, value, back, ms };
}

/** Returns the names of samples that others contain: they keep them, so that references lead to objects. */
export function referredNames(samples: readonly JsonObject[]): ReadonlySet<string> {
  const names = samples.map((sample) => text(sample, 'metadata', 'name')).filter((name) => name !== '');
  return new Set(
    names.filter((name) =>
      samples.some(
        (other) =>
          text(other, 'metadata', 'name') !== name &&
          leavesOf(own(other, 'spec') ?? null, '').some(([, value]) => value === name),
      ),
    ),
  );
}

/** A change that the server accepts. */
export interface LearntEdit extends UserEdit {
  /** Whether the operator cannot act with this value: users set it for some time only. */
  readonly isDetour: boolean;
}
