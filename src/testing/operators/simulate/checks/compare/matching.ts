/** Finds the same objects in two runs: by name, and those with generated names by their structure. */
import { isArray, isObject, type Json, text } from '@kgen/schema/values/json';
import { differencesOf } from '../../../../values/differences.ts';
import { actualForm, ownersOf, type Pair, Renaming } from './renaming.ts';
import { keyOf, type Recorded, type Snapshot } from './snapshot.ts';

/** Objects that two runs have in common. */
export interface Matching {
  readonly pairs: readonly Pair[];
  readonly renaming: Renaming;
  /** Objects that the other run does not have. */
  readonly missing: readonly Recorded[];
  readonly additional: readonly Recorded[];
}

/**
 * Matches the objects of two runs, as graph coloring does: an object is found by its resource, its owners and
 * its content; each pair renames what refers to it, by which others are found.
 * @param mayDiffer whether an object of the first run may have another name in the second one
 */
export function match(
  expected: Snapshot,
  actual: Snapshot,
  mayDiffer: (object: Recorded) => boolean,
): Matching {
  const matcher = new Matcher();
  const byKey = new Map(actual.map((each) => [keyOf(each), each]));
  const found = new Set<Recorded>();
  for (const each of expected) {
    const other = byKey.get(keyOf(each));
    if (other === undefined) continue;
    matcher.add({ expected: each, actual: other });
    found.add(each).add(other);
  }
  const missing = expected.filter((each) => !found.has(each));
  const candidates = new Set(missing.filter(mayDiffer));
  const additional = new Set(actual.filter((each) => !found.has(each)));
  while (candidates.size > 0 && additional.size > 0) {
    const pair = matcher.best([...candidates], [...additional]);
    if (pair === undefined) break;
    matcher.add(pair);
    candidates.delete(pair.expected);
    additional.delete(pair.actual);
    found.add(pair.expected);
  }
  return {
    pairs: matcher.pairs,
    renaming: matcher.renaming,
    missing: missing.filter((each) => !found.has(each)),
    additional: [...additional],
  };
}

/** Extends a matching by one pair after the other. */
class Matcher {
  readonly pairs: Pair[] = [];
  readonly renaming: Renaming = new Renaming();
  /** Matched uids of the second run by those of the first one. */
  readonly #uids = new Map<string, string>();

  add(pair: Pair): void {
    this.pairs.push(pair);
    this.renaming.add(pair);
    this.#uids.set(uidOf(pair.expected), uidOf(pair.actual));
  }

  /** Returns the pair that differs least; those with matched owners come first. */
  best(expected: readonly Recorded[], actual: readonly Recorded[]): Pair | undefined {
    let least = Number.POSITIVE_INFINITY;
    let best: Pair | undefined;
    for (const one of expected) {
      for (const other of actual) {
        if (!this.#mayMatch(one, other)) continue;
        const cost = this.#cost(one, other);
        if (cost >= least) continue;
        least = cost;
        best = { expected: one, actual: other };
      }
    }
    return best;
  }

  #mayMatch(one: Recorded, other: Recorded): boolean {
    const same = (...path: readonly string[]): boolean =>
      this.renaming.text(text(one.value, ...path)) === text(other.value, ...path);
    if (one.resource !== other.resource) return false;
    if (!same('metadata', 'namespace') || !same('metadata', 'generateName')) return false;
    const [owners, others] = [ownersOf(one), ownersOf(other)];
    return owners.length === others.length && owners.every((uid, index) => this.#isOwner(uid, others[index]));
  }

  #isOwner(uid: string, other: string | undefined): boolean {
    const known = this.#uids.get(uid);
    return known === undefined || known === other;
  }

  #cost(one: Recorded, other: Recorded): number {
    const { renaming } = this;
    const isOpen = ownersOf(one).some((uid) => !this.#uids.has(uid));
    const found = differencesOf(renaming.expected(one.content), actualForm(other.content), (a, b, path) =>
      renaming.isSame(a, b, path),
    );
    return (
      (isOpen ? 1_000 : 0) +
      found.length +
      this.#mentions(one, other) +
      unlikeness(nameOf(one), nameOf(other))
    );
  }

  /** Returns the number of matched objects of which one mentions its object, and the other does not. */
  #mentions(one: Recorded, other: Recorded): number {
    const [name, another] = [nameOf(one), nameOf(other)];
    return this.pairs.filter(
      ({ expected, actual }) => mentions(expected.content, name) !== mentions(actual.content, another),
    ).length;
  }
}

function mentions(value: Json, name: string): boolean {
  if (typeof value === 'string') return value.includes(name);
  if (isArray(value)) return value.some((item) => mentions(item, name));
  return (
    isObject(value) && Object.entries(value).some(([key, item]) => key.includes(name) || mentions(item, name))
  );
}

/** Returns less than 1 for two names, the less the longer their common beginning is. */
function unlikeness(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return 1 - (length + 1) / (Math.max(one.length, other.length) + 2);
}

function nameOf({ value }: Recorded): string {
  return text(value, 'metadata', 'name');
}

function uidOf({ value }: Recorded): string {
  return text(value, 'metadata', 'uid');
}
