/** Finds the same objects in two runs: by name, and those with generated names by their structure. */
import { isArray, isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { type Difference, differencesOf } from '../../../../values/differences.ts';
import { actualForm, ownersOf, type Pair, Renaming } from './renaming.ts';
import { keyOf, keyWith, type Recorded, type Snapshot } from './snapshot.ts';

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
  // Those first to which others refer: a name may contain a uid, which another object has in the other run.
  for (const each of expected.toSorted((a, b) => referencesOf(a) - referencesOf(b))) {
    const other = byKey.get(matcher.keyOf(each));
    if (other === undefined || (mayDiffer(each) && !matcher.haveSameOwners(each, other))) continue;
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
  /** Renamed contents of the first run. */
  readonly #forms = new Map<Recorded, Json>();
  /** Likenesses that are known from the pairs before. */
  readonly #likenesses = new Map<Recorded, Map<Recorded, Likeness>>();

  add(pair: Pair): void {
    this.pairs.push(pair);
    const added = this.renaming.add(pair);
    this.#uids.set(uidOf(pair.expected), uidOf(pair.actual));
    for (const one of this.#forms.keys()) {
      if (added.some((name) => textsOf(one.content).includes(name))) this.#rename(one);
    }
  }

  /** Contents that do not mention the new names keep their form, and the differences that are known. */
  #rename(one: Recorded): void {
    this.#forms.delete(one);
    this.#likenesses.delete(one);
  }

  /** Returns the pair that differs least; those with matched owners come first. */
  best(expected: readonly Recorded[], actual: readonly Recorded[]): Pair | undefined {
    let least = Number.POSITIVE_INFINITY;
    let best: Pair | undefined;
    for (const one of expected) {
      const [namespace, generated] = [this.#renamed(one, 'namespace'), this.#renamed(one, 'generateName')];
      for (const other of actual) {
        if (one.resource !== other.resource || !this.haveSameOwners(one, other)) continue;
        const { value } = other;
        if (namespace !== text(value, 'metadata', 'namespace')) continue;
        if (generated !== text(value, 'metadata', 'generateName')) continue;
        const cost = this.#cost(one, other);
        if (cost >= least) continue;
        least = cost;
        best = { expected: one, actual: other };
      }
    }
    return best;
  }

  /** Returns the key that an object has in the second run, as far as it is known. */
  keyOf(one: Recorded): string {
    return keyWith(one, this.#renamed(one, 'name'));
  }

  #renamed({ value }: Recorded, member: string): string {
    return this.renaming.text(text(value, 'metadata', member));
  }

  /** Whether the owners of two objects may be the same ones. */
  haveSameOwners(one: Recorded, other: Recorded): boolean {
    const [owners, others] = [ownersOf(one), ownersOf(other)];
    return owners.length === others.length && owners.every((uid, index) => this.#isOwner(uid, others[index]));
  }

  #isOwner(uid: string, other: string | undefined): boolean {
    const known = this.#uids.get(uid);
    return known === undefined || known === other;
  }

  #cost(one: Recorded, other: Recorded): number {
    const likeness = this.#likenessOf(one, other);
    const isOpen = ownersOf(one).some((uid) => !this.#uids.has(uid));
    return (
      (isOpen ? 1_000 : 0) +
      likeness.found.length +
      likeness.mentions +
      unlikeness(nameOf(one), nameOf(other))
    );
  }

  /** Adds the effects of the latest pairs: counters make values the same, others mention the objects. */
  #likenessOf(one: Recorded, other: Recorded): Likeness {
    const { renaming, pairs } = this;
    const known = this.#likenesses.get(one) ?? new Map<Recorded, Likeness>();
    this.#likenesses.set(one, known);
    const likeness = known.get(other) ?? { found: this.#differences(one, other), pairs: 0, mentions: 0 };
    known.set(other, likeness);
    if (likeness.pairs === pairs.length) return likeness;
    likeness.found = likeness.found.filter(
      ({ expected, actual, path }) => !renaming.isSame(expected, actual, path),
    );
    const [name, another] = [nameOf(one), nameOf(other)];
    for (const { expected, actual } of pairs.slice(likeness.pairs))
      if (mentions(expected, name) !== mentions(actual, another)) likeness.mentions += 1;
    likeness.pairs = pairs.length;
    return likeness;
  }

  #differences(one: Recorded, other: Recorded): readonly Difference[] {
    const { renaming } = this;
    const form = this.#forms.get(one) ?? renaming.expected(one.content);
    this.#forms.set(one, form);
    return differencesOf(form, actualForm(other.content), (a, b, path) => renaming.isSame(a, b, path));
  }
}

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Returns a number that is larger for an object that refers to others by its owners, or by its name. */
function referencesOf(one: Recorded): number {
  return ownersOf(one).length + (uid.test(nameOf(one)) ? 1 : 0);
}

/** How little two objects of two runs differ. */
interface Likeness {
  found: readonly Difference[];
  /** Number of matched pairs of which `mentions` are counted. */
  pairs: number;
  /** Number of matched objects of which one mentions its object, and the other does not. */
  mentions: number;
}

/** Strings and keys by the value that contains them: the runs without faults are compared many times. */
const texts = new WeakMap<object, string>();

/** Returns all strings and keys of a value. */
function textsOf(value: JsonObject): string {
  const known = texts.get(value) ?? stringsOf(value).join('\0');
  texts.set(value, known);
  return known;
}

function stringsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isArray(value)) return value.flatMap(stringsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)]);
}

function mentions({ content }: Recorded, name: string): boolean {
  return textsOf(content).includes(name);
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
