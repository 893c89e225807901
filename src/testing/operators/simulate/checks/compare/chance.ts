/** Fields that depend on chance: they differ between runs of one schedule that nothing disturbs. */
import type { Difference } from '../../../../values/differences.ts';
import { type Comparison, compare, leavesOf, type RunDifference } from './differences.ts';
import type { Exceptions } from './exceptions.ts';
import { hasGeneratedName, keyOf, type Recorded, type Snapshot } from './snapshot.ts';

/** A run without faults, and its differences to the same run with other chances. */
export class Chance {
  readonly #ideal: Snapshot;
  readonly #others: Comparison[] = [];
  /** Fields by the keys of their objects. */
  readonly #fields = new Map<string, Set<string>>();
  /** Keys of objects with another name, and of those that exist in some runs only. */
  readonly #names = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #additional = new Set<string>();

  readonly #exceptions: Exceptions;
  readonly #known: ReadonlySet<string>;

  /** @param known fields that depend on chance in other schedules, as `lines` has them */
  constructor(ideal: Snapshot, exceptions: Exceptions, known: ReadonlySet<string> = new Set()) {
    this.#ideal = ideal;
    this.#exceptions = exceptions;
    this.#known = known;
  }

  /** Number of runs with other chances. */
  get runs(): number {
    return this.#others.length;
  }

  /** Adds the result of the same schedule with other chances. */
  add(other: Snapshot): void {
    const comparison = compare(this.#ideal, other, this.#exceptions, () => true);
    this.#others.push(comparison);
    for (const difference of comparison.differences) this.#note(difference);
    this.#noteKeys(comparison.differences);
  }

  #note(difference: RunDifference): void {
    const key = keyOf(difference.object);
    if (difference.kind === 'missing') this.#missing.add(key);
    else if (difference.kind === 'additional') this.#additional.add(groupOf(difference.object));
    else if (difference.kind === 'name') {
      if (!hasGeneratedName(difference.object)) this.#names.add(key);
    } else {
      const fields = this.#fields.get(key) ?? new Set();
      this.#fields.set(key, fields.add(difference.field.path));
    }
  }

  /** Adds the parents of members of which some are absent, and others additional: their keys are random. */
  #noteKeys(differences: readonly RunDifference[]): void {
    const parents = new Map<
      string,
      { readonly key: string; readonly parent: string; readonly kinds: Set<string> }
    >();
    for (const difference of differences) {
      if (difference.kind !== 'field') continue;
      const { path, expected, actual } = difference.field;
      if (expected !== undefined && actual !== undefined) continue;
      const [key, parent] = [keyOf(difference.object), parentOf(path)];
      const known = parents.get(`${key} ${parent}`) ?? { key, parent, kinds: new Set() };
      parents.set(`${key} ${parent}`, known);
      known.kinds.add(expected === undefined ? 'additional' : 'absent');
    }
    for (const { key, parent, kinds } of parents.values())
      if (kinds.size > 1 && parent !== '')
        this.#fields.set(key, (this.#fields.get(key) ?? new Set()).add(parent));
  }

  /** Returns the fields that differ by chance, as `resource: path`, and the resources with other names. */
  get lines(): readonly string[] {
    const resourceOf = (key: string): string => key.split(' ')[0] ?? '';
    const fields = [...this.#fields].flatMap(([key, paths]) =>
      [...paths].map((path) => fieldLine(resourceOf(key), path)),
    );
    const names = [...this.#names].map((key) => `${resourceOf(key)}: metadata.name`);
    const counts = [...this.#missing, ...this.#additional].map((key) => `${resourceOf(key)}: existence`);
    return [...new Set([...fields, ...names, ...counts])].sort();
  }

  /** Returns the differences of a run that are not due to chance. */
  differences(actual: Snapshot): readonly RunDifference[] {
    const isRenamed = (object: Recorded): boolean =>
      hasGeneratedName(object) ||
      this.#names.has(keyOf(object)) ||
      this.#known.has(`${object.resource}: metadata.name`);
    const comparison = compare(this.#ideal, actual, this.#exceptions, isRenamed);
    const left = comparison.differences.filter((difference) => !this.#isChance(difference));
    return [...left, ...this.#separated(comparison)];
  }

  #isChance(difference: RunDifference): boolean {
    const key = keyOf(difference.object);
    if (difference.kind === 'missing') return this.#missing.has(key);
    if (difference.kind === 'additional') return this.#additional.has(groupOf(difference.object));
    if (difference.kind === 'name') return true;
    const { object: owner, field } = difference;
    return (
      covers([...(this.#fields.get(key) ?? [])], field.path) ||
      covers([...this.#known], fieldLine(owner.resource, field.path))
    );
  }

  /** Returns the places whose random values are equal in each run without faults, and differ in this one. */
  #separated(comparison: Comparison): readonly RunDifference[] {
    return [...this.#equalPlaces()].flatMap(([first, ...rest]) => {
      const value = first && comparison.leafAt(first.object, first.path);
      if (first === undefined || typeof value !== 'string') return [];
      return rest.flatMap(({ object, path }): RunDifference[] => {
        const actual = comparison.leafAt(object, path);
        if (actual === undefined || actual === value) return [];
        return [{ kind: 'field', object, field: { path, expected: value, actual } satisfies Difference }];
      });
    });
  }

  /** Returns lists of places with one random value. */
  #equalPlaces(): Iterable<readonly RandomPlace[]> {
    const places = new Map<string, RandomPlace[]>();
    for (const object of this.#ideal) {
      const fields = this.#fields.get(keyOf(object));
      if (fields === undefined) continue;
      for (const [path, value] of leavesOf(object.content, '')) {
        if (!fields.has(path) || typeof value !== 'string' || value.length < leastRandomLength) continue;
        const values = [value, ...this.#others.map((other) => other.leafAt(object, path))];
        const key = JSON.stringify(values);
        places.set(key, [...(places.get(key) ?? []), { object, path }]);
      }
    }
    return places.values();
  }
}

/** A shorter string is equal to another one by chance. */
const leastRandomLength = 6;

interface RandomPlace {
  readonly object: Recorded;
  readonly path: string;
}

/** Returns a field of any object of a resource, as `resource: path`. */
function fieldLine(resource: string, path: string): string {
  return `${resource}: ${path.replace(/^\./, '').replace(/\[\d+\]/g, '[]')}`;
}

/** Objects of a resource in a namespace. */
function groupOf(object: Recorded): string {
  return keyOf(object).replace(/\/[^/]*$/, '');
}

/** Whether a path is one of others, or below one. */
function covers(paths: readonly string[], path: string): boolean {
  return paths.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`));
}

/** Keys of labels, annotations and data may contain dots. */
function parentOf(path: string): string {
  const open = /^(\.metadata\.(labels|annotations)|\.data|\.stringData)(?=\.)/.exec(path)?.[0];
  return open ?? path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
}
