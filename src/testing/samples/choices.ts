/** Decisions of the generator: which of several valid values it takes. */

/** Source of decisions. */
export interface Choices {
  /** Returns a number from 0 up to, not including, 1. With 0 the generator takes the simplest value. */
  random(): number;
  /**
   * Returns the option that one aspect of a place should have, such as the member of an enum, or `undefined`
   * if any option will do.
   */
  wish(place: string, aspect: Aspect, options: number): number | undefined;
  /** Returns whether an optional member should exist, or `undefined` if both will do. */
  presence(place: string): boolean | undefined;
  /** Returns whether the value of a place, or a part of it, should have certain options. */
  wantsValue(place: string): boolean;
}

/** Property of a place with a list of options, each of which the samples of a resource should have once. */
export type Aspect =
  | 'anyOf'
  | 'boolean'
  | 'enum'
  | 'form'
  | 'items'
  | 'length'
  | 'members'
  | 'null'
  | 'number'
  | 'oneOf'
  | 'presence';

/** Returns decisions without wishes, all derived from a seed. */
export function seededChoices(seed: number): Choices {
  const random = seededRandom(seed);
  return { random, wish: () => undefined, presence: () => undefined, wantsValue: () => false };
}

/** Returns decisions from a list of numbers from 0 up to 1. After its end, all values are the simplest. */
export function listedChoices(numbers: readonly number[]): Choices {
  let next = 0;
  const random = (): number => numbers[next++] ?? 0;
  return { random, wish: () => undefined, presence: () => undefined, wantsValue: () => false };
}

/** Goal of a sample: one option of one aspect of one place. */
export interface Goal {
  /** Path with `[]` for items and `{}` for map values, such as `spec.ports[].name`. */
  readonly place: string;
  readonly aspect: Aspect;
  readonly option: number;
  /** Name of the option for people: `"Always"`, `minimum 1`, `absent`. */
  readonly label: string;
  /** Path from the definition in whose terms limits are stated: `core.PodSpec.containers[].ports`. */
  readonly member: string;
}

/** Returns a unique string for a goal. */
export function goalKey({ place, aspect, option }: Pick<Goal, 'place' | 'aspect' | 'option'>): string {
  return `${place}|${aspect}|${option}`;
}

/**
 * Returns decisions that reach open goals.
 * @param density probability that an optional member with open goals below it exists
 */
export function goalChoices(goals: Iterable<Goal>, seed: number, density: number): Choices {
  const random = seededRandom(seed);
  const open = new Map<string, number[]>();
  const ways = new Set<string>();
  const values = new Set<string>();
  for (const { place, aspect, option } of goals) {
    const key = `${place}|${aspect}`;
    open.set(key, [...(open.get(key) ?? []), option]);
    const isAbsent = aspect === 'presence' && option === 0;
    for (const way of prefixesOf(place)) {
      if (!isAbsent || way !== place) ways.add(way);
      if (aspect !== 'presence' || way !== place) values.add(way);
    }
  }
  return {
    random,
    wish(place, aspect) {
      const options = open.get(`${place}|${aspect}`);
      return options?.[Math.floor(random() * options.length)];
    },
    wantsValue: (place) => values.has(place),
    presence(place) {
      if (ways.has(place)) return random() < density ? true : undefined;
      return open.get(`${place}|presence`)?.includes(0) === true ? false : undefined;
    },
  };
}

/** Returns the place and all places that contain it: `a.b[]` is in `a.b` and in `a`. */
function prefixesOf(place: string): readonly string[] {
  const ends = [...place.matchAll(/(?<!^)(?:\.|\[\]|\{\})/g)].map(({ index }) => index);
  return [...ends.map((end) => place.slice(0, end)), place];
}

/** Mulberry32: a small generator whose sequence is the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
