/** The objects that users have declared so far. */
import type { JsonObject } from '@kgen/schema/values/json';
import { idOf, idText } from '../cluster.ts';
import { edited } from '../schedule/edits.ts';
import { type Schedule, type Step, withoutFaults } from '../schedule/schedule.ts';

/** An object as a user has declared it last: one that the user has created, or changed. */
export type Declaration = Extract<Step, { readonly do: 'create' | 'recreate' }>;

/** Objects as users have declared them last, in the order of their creation. */
export class Declarations {
  #declared: Declared = new Map();
  readonly #existing: Declared;
  readonly #states: (readonly Declaration[])[] = [];
  #hasLost = false;

  /** @param existing objects that exist before, and that users may change */
  constructor(existing: readonly JsonObject[] = []) {
    this.#existing = new Map(
      existing.map((value) => [idText(idOf(value)), { do: 'recreate', object: value, waitMs: 0 }]),
    );
  }

  /** The declarations after each change, the latest ones last; empty if an object is not what users want. */
  get states(): readonly (readonly Declaration[])[] {
    return this.#hasLost ? [] : this.#states;
  }

  /**
   * Notes an action of a user. If the server refuses a new creation, users lack an object that they want: a
   * finalizer may keep the old one for as long as it is used.
   */
  note(step: Step, isAccepted: boolean): void {
    if (!isAccepted) {
      this.#hasLost ||= step.do === 'recreate';
      return;
    }
    for (const change of partsOf(step)) {
      const next = declaredAfter(this.#declared, this.#existing, change);
      if (next === this.#declared) continue;
      this.#declared = next;
      this.#states.push([...next.values()]);
    }
  }
}

/** Returns the schedule of a fresh cluster; `undefined` if users have only created objects. */
export function freshSchedule(states: readonly (readonly Declaration[])[]): Schedule | undefined {
  const last = states.at(-1) ?? [];
  const areCreated = last.every((each) => each.do === 'create');
  return areCreated && last.length === states.length ? undefined : declaring(last);
}

/** Returns the schedule in which a user makes declarations one after the other, existing objects first. */
export function declaring(declarations: readonly Step[]): Schedule {
  const steps = declarations.toSorted((a, b) => Number(a.do === 'create') - Number(b.do === 'create'));
  return withoutFaults({ steps });
}

/**
 * Returns the schedule in which a user creates all objects that were ever declared, each as it was declared
 * last, and deletes those that are not declared any more, with their names.
 */
export function withGhosts(states: readonly (readonly Declaration[])[]): {
  readonly schedule: Schedule;
  readonly names: readonly string[];
} {
  const all = new Map(states.flat().map((each) => [keyOf(each), each]));
  const last = new Set((states.at(-1) ?? []).map(keyOf));
  const deleted = [...all].filter(([key]) => !last.has(key)).map(([, { object }]) => idOf(object));
  const { steps } = declaring([...all.values()]);
  const deletions = deleted.map((target): Step => ({ do: 'delete', target, waitMs: 0 }));
  return {
    schedule: withoutFaults({ steps: [...steps, ...deletions] }),
    names: deleted.map(({ name }) => name),
  };
}

function keyOf({ object }: Declaration): string {
  return idText(idOf(object));
}

type Declared = ReadonlyMap<string, Declaration>;

/** Returns the steps of which a step consists. */
function partsOf(step: Step): readonly Step[] {
  const { waitMs } = step;
  if (step.do === 'recreate') {
    const target = idOf(step.object);
    return [
      { do: 'delete', target, waitMs },
      { do: 'create', object: step.object, waitMs },
    ];
  }
  if (step.do !== 'detour') return [step];
  const { target, path, value, back } = step;
  return [value, back].map((each) => ({ do: 'edit', target, path, value: each, waitMs }));
}

function declaredAfter(declared: Declared, existing: Declared, step: Step): Declared {
  switch (step.do) {
    case 'create': {
      const key = idText(idOf(step.object));
      const isKnown = existing.has(key);
      return new Map([...declared, [key, isKnown ? { ...step, do: 'recreate' } : step]]);
    }
    case 'edit': {
      const key = idText(step.target);
      const known = declared.get(key) ?? existing.get(key);
      if (known === undefined) return declared;
      return new Map([...declared, [key, { ...known, object: edited(known.object, step) }]]);
    }
    case 'delete': {
      const key = idText(step.target);
      return new Map([...declared].filter(([each]) => each !== key));
    }
    default:
      return declared;
  }
}
