/** The renaming between the objects of two runs: strings and counters of one run, and those of the other. */
import {
  array,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  text,
} from '@kgen/schema/values/json';
import type { Recorded } from './snapshot.ts';

/** An object of one run, and the same one of another run. */
export interface Pair {
  readonly expected: Recorded;
  readonly actual: Recorded;
}

/** Members that the server allocates, with equal meanings in all runs. */
export const allocated: ReadonlySet<string> = new Set([
  'nodePort',
  'healthCheckNodePort',
  'clusterIP',
  'clusterIPs',
]);

/** Counters of an object. Their values depend on the number of its writes. */
const counters = [
  ['metadata', 'generation'],
  ['metadata', 'resourceVersion'],
  ['status', 'observedGeneration'],
] as const;

/** Values of one run, and those that take their place in another run. */
export class Renaming {
  readonly #names = new Map<string, string>();
  readonly #counters = new Map<string, Set<string>>();
  /** Lists that contain a renamed string: names may determine their order. */
  readonly #renamed = new WeakSet<object>();
  #pattern: RegExp | undefined;

  /** Adds the names and counters of an object. Returns the names of the first run that are renamed now. */
  add({ expected, actual }: Pair): readonly string[] {
    for (const path of counters) this.#count(valueAt(expected, path), valueAt(actual, path));
    return ['uid', 'name']
      .filter((member) =>
        this.#rename(text(expected.value, 'metadata', member), text(actual.value, 'metadata', member)),
      )
      .map((member) => text(expected.value, 'metadata', member));
  }

  #rename(from: string, to: string): boolean {
    if (from === to || from === '') return false;
    this.#names.set(from, to);
    this.#pattern = undefined;
    return true;
  }

  #count(from: string, to: string): void {
    if (from === '' || to === '') return;
    const known = this.#counters.get(from) ?? new Set();
    this.#counters.set(from, known.add(to));
  }

  /** Returns a string of the first run with the names of the second one. */
  text(value: string): string {
    if (this.#names.size === 0) return value;
    this.#pattern ??= patternOf([...this.#names.keys()]);
    return value.replace(this.#pattern, (name) => this.#names.get(name) ?? name);
  }

  /** Returns a value of the first run in the form in which values of both runs are compared. */
  expected(value: Json): Json {
    const renamed = normalized(value, (each) => this.text(each));
    this.#note(value, renamed);
    return renamed;
  }

  #note(before: Json, after: Json): void {
    if (isArray(before) && isArray(after)) {
      if (JSON.stringify(normalized(before, String)) !== JSON.stringify(after)) this.#renamed.add(after);
      for (const [index, item] of before.entries()) this.#note(item, after[index] ?? null);
      return;
    }
    if (!isObject(before) || !isObject(after)) return;
    for (const [key, member] of Object.entries(before))
      this.#note(member, own(after, this.text(key)) ?? null);
  }

  /** Whether two values, of which the first is the result of `expected`, are the same. */
  isSame(expected: Json | undefined, actual: Json | undefined, path: string): boolean {
    if (isArray(expected) && isArray(actual) && this.#renamed.has(expected))
      return sameItems(expected, actual);
    if (isObject(expected) || isArray(expected) || expected === undefined || actual === undefined)
      return JSON.stringify(expected) === JSON.stringify(actual);
    if (expected === actual) return true;
    const [one, other] = [`${expected}`, `${actual}`];
    return (isCountable(path) && this.#sameCounters(one, other)) || this.#sameWords(one, other);
  }

  /** Whether two texts have the same words, and a renamed one: names may determine their order. */
  #sameWords(expected: string, actual: string): boolean {
    const [one = [], other = []] = [expected, actual].map((each) =>
      each.replace(/^\[|\]$/g, '').split(/[,;\s]+/),
    );
    if (one.length < 2 || !sameItems(one, other)) return false;
    return [...this.#names.values()].some((name) => expected.includes(name));
  }

  /** Whether two texts are the same, except for counters of the same objects. */
  #sameCounters(expected: string, actual: string): boolean {
    const [one, other] = [expected.split(/(\d+)/), actual.split(/(\d+)/)];
    return (
      one.length === other.length &&
      one.every((part, index) => {
        const counterpart = other[index] ?? '';
        return part === counterpart || this.#counters.get(part)?.has(counterpart) === true;
      })
    );
  }
}

/** Forms by their values: an object is compared with several others. */
const forms = new WeakMap<JsonObject, Json>();

/** Returns a value of the second run in the form in which values of both runs are compared. */
export function actualForm(value: JsonObject): Json {
  const form = forms.get(value) ?? normalized(value, (each) => each);
  forms.set(value, form);
  return form;
}

/** Copies of counters are in a status, in metadata and in data, but not in a specification. */
function isCountable(path: string): boolean {
  return !path.startsWith('.spec') || path.includes('.metadata.');
}

function sameItems(expected: readonly Json[], actual: readonly Json[]): boolean {
  const sorted = (items: readonly Json[]): string =>
    JSON.stringify(items.map((item) => JSON.stringify(item)).sort());
  return sorted(expected) === sorted(actual);
}

function valueAt({ value }: Recorded, [outer, inner]: readonly [string, string]): string {
  const found = own(object(value, outer), inner);
  return found === undefined ? '' : `${found}`;
}

/** Longer names first: a name may begin with another one. */
function patternOf(names: readonly string[]): RegExp {
  const sorted = names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return new RegExp(sorted.map((name) => name.replace(/[^\w]/g, '\\$&')).join('|'), 'g');
}

/** Returns a value with sorted members, and without allocated members, times and addresses. */
function normalized(value: Json, rename: (text: string) => string): Json {
  if (typeof value === 'string') return masked(rename(value));
  if (isArray(value)) return value.map((item) => normalized(item, rename));
  if (!isObject(value)) return value;
  const members = Object.keys(value)
    .filter((key) => !allocated.has(key))
    .map((key): [string, Json] => [masked(rename(key)), normalized(own(value, key) ?? null, rename)]);
  return fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function masked(value: string): string {
  return value
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '<ip>');
}

/** Returns the uids of the owners of an object. */
export function ownersOf({ value }: Recorded): readonly string[] {
  return array(value, 'metadata', 'ownerReferences').map((owner) => text(owner, 'uid'));
}
