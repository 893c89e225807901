/**
 * Random schemas, structural ones and forms of older definitions, represented by their meaning. One side of a
 * comparison, which shares no code with the generator.
 */
import type { Random } from '../support/random.ts';

/** Meaning of a schema. */
export type Meaning = (
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'anything' | 'embedded' }
  | { readonly is: 'one-of'; readonly values: readonly (string | number)[] }
  | { readonly is: 'either'; readonly of: readonly [Meaning, Meaning] }
  | { readonly is: 'list'; readonly items: Meaning; readonly key?: string }
  | { readonly is: 'map'; readonly values: Meaning }
  | ObjectMeaning
) & { readonly nullable: boolean };

/** An object: its members, and the type of additional members: any, one meaning, or none. */
export interface ObjectMeaning {
  readonly is: 'object';
  readonly members: readonly Member[];
  readonly others: 'anything' | 'nothing' | Meaning;
  /** A complete Kubernetes object: `apiVersion` and `kind` are required. */
  readonly embedded: boolean;
}

/** A property of an object. */
export interface Member {
  readonly name: string;
  readonly meaning: Meaning;
  readonly required: boolean;
  /** The server sets it if it is omitted. */
  readonly defaulted: boolean;
}

/** Without inherited names: for TypeScript, `{}` has a `toString` already, regardless of the interface. */
const names = [
  'name',
  'replicas',
  'image',
  'items',
  'type',
  'key',
  'value',
  'foo_bar',
  'foo-bar',
  'fooBar',
  '$ref',
  'a.b/c',
  '9lives',
  '-XX',
  'with space',
  "it's",
  'default',
  'имя',
  '',
] as const;

/** Returns a meaning whose depth is at most `depth`. */
export function anyMeaning(random: Random, depth: number): Meaning {
  const nullable = random.chance(0.15);
  if (depth <= 0 || random.chance(0.35)) return { ...leaf(random), nullable };
  return random.pick<() => Meaning>([
    () => ({ is: 'list', items: anyMeaning(random, depth - 1), nullable }),
    () => ({ is: 'list', ...keyedItems(random, depth), nullable }),
    () => ({ is: 'map', values: anyMeaning(random, depth - 1), nullable }),
    () => ({ ...anyObject(random, depth), nullable }),
    () => ({ ...anyObject(random, depth), nullable }),
  ])();
}

type Unmarked<T> = T extends unknown ? Omit<T, 'nullable'> : never;

function leaf(random: Random): Unmarked<Meaning> {
  const scalars = [
    'string',
    'integer',
    'number',
    'boolean',
    'int-or-string',
    'anything',
    'embedded',
  ] as const;
  if (random.chance(0.7)) return { is: random.pick(scalars) };
  if (random.chance(0.3)) return { is: 'either', of: random.pick(pairs) };
  return {
    is: 'one-of',
    values: random.pick([
      ['a', 'b-c', ''],
      ['True', 'False', "it's"],
      ['*/', '"'],
      [1, 2, 3],
      [-1],
      ['only'],
    ]),
  };
}

const scalar = (is: 'string' | 'integer' | 'boolean'): Meaning => ({ is, nullable: false });

const pairs: readonly [readonly [Meaning, Meaning], ...(readonly [Meaning, Meaning])[]] = [
  [scalar('string'), scalar('boolean')],
  [scalar('integer'), scalar('boolean')],
  [scalar('string'), { is: 'list', items: scalar('string'), nullable: false }],
  [scalar('integer'), { is: 'map', values: scalar('integer'), nullable: false }],
  [{ is: 'one-of', values: ['on', 'off'], nullable: false }, scalar('integer')],
];

/** Returns an object with at least one member. */
export function anyObject(random: Random, depth: number): ObjectMeaning & { readonly nullable: false } {
  const chosen = random.some(names, 4);
  const members = (chosen.length > 0 ? chosen : ['name']).map((name) => anyMember(name, random, depth - 1));
  const embedded = random.chance(0.05);
  return { is: 'object', members, others: othersOf(random, depth), embedded, nullable: false };
}

function othersOf(random: Random, depth: number): ObjectMeaning['others'] {
  if (random.chance(0.8)) return 'nothing';
  return random.chance(0.6) ? 'anything' : anyMeaning(random, depth - 1);
}

function anyMember(name: string, random: Random, depth: number): Member {
  const meaning = anyMeaning(random, depth);
  const canDefault = !['anything', 'embedded'].includes(meaning.is);
  return { name, meaning, required: random.chance(0.4), defaulted: canDefault && random.chance(0.25) };
}

/** Returns the items of a list whose items are identified by a key. */
function keyedItems(random: Random, depth: number): { items: Meaning; key: string } {
  const { members, ...rest } = anyObject(random, depth);
  const key: Member = {
    name: 'id',
    meaning: { is: 'string', nullable: false },
    required: true,
    defaulted: false,
  };
  return { items: { ...rest, members: [key, ...members] }, key: 'id' };
}
