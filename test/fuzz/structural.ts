/**
 * Random structural schemas, as the API server accepts them, in terms of what they mean. This is the other half of a
 * comparison, so it shares nothing with the generator.
 */
import { type Json, type JsonObject, object } from './json.ts';
import type { Random } from './random.ts';

/** A schema by its meaning. */
export type Meaning = (
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'anything' | 'embedded' }
  | { readonly is: 'one-of'; readonly values: readonly (string | number)[] }
  | { readonly is: 'list'; readonly items: Meaning; readonly key?: string }
  | { readonly is: 'map'; readonly values: Meaning }
  | { readonly is: 'object'; readonly members: readonly Member[]; readonly open: boolean }
) & { readonly nullable: boolean };

/** A property of an object. */
export interface Member {
  readonly name: string;
  readonly meaning: Meaning;
  readonly required: boolean;
  /** The server fills it in when it is left out. */
  readonly defaulted: boolean;
}

/** None that objects inherit: to TypeScript, `{}` has a `toString` already, whatever an interface says of it. */
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

/** A meaning whose depth is at most `depth`. */
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

/** An object with at least one member. */
export function anyObject(random: Random, depth: number): Meaning & { readonly is: 'object' } {
  const chosen = random.some(names, 4);
  const members = (chosen.length > 0 ? chosen : ['name']).map((name) => anyMember(name, random, depth - 1));
  return { is: 'object', members, open: random.chance(0.15), nullable: false };
}

function anyMember(name: string, random: Random, depth: number): Member {
  const meaning = anyMeaning(random, depth);
  const canDefault = !['anything', 'embedded'].includes(meaning.is);
  return { name, meaning, required: random.chance(0.4), defaulted: canDefault && random.chance(0.25) };
}

/** Items of a list whose items are told apart by a key. */
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

/** The schema that says it, in one of the ways in which CRDs do. */
export function schemaOf(meaning: Meaning, random: Random): JsonObject {
  const schema = new Map(Object.entries(bareSchema(meaning, random)));
  if (meaning.nullable) schema.set('nullable', true);
  return object([...schema]);
}

function bareSchema(meaning: Meaning, random: Random): JsonObject {
  switch (meaning.is) {
    case 'string':
      return { type: 'string', ...(random.chance(0.3) ? { format: 'date-time', pattern: '^(?i)x' } : {}) };
    case 'integer':
      return { type: 'integer', ...(random.chance(0.3) ? { format: 'int64', minimum: 0 } : {}) };
    case 'number':
    case 'boolean':
      return { type: meaning.is };
    case 'int-or-string':
      return intOrString(random);
    case 'anything':
      return random.pick<JsonObject>([{}, { 'x-kubernetes-preserve-unknown-fields': true }]);
    case 'embedded':
      return {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      };
    case 'one-of':
      return { type: typeof meaning.values[0] === 'number' ? 'integer' : 'string', enum: meaning.values };
    case 'list':
      return listSchema(meaning, random);
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(meaning.values, random) };
    case 'object':
      return objectSchema(meaning, random);
  }
}

function intOrString(random: Random): JsonObject {
  const pair = [{ type: 'integer' }, { type: 'string' }];
  const mark = { 'x-kubernetes-int-or-string': true };
  return random.pick<JsonObject>([
    mark,
    { ...mark, anyOf: pair },
    { ...mark, anyOf: pair, pattern: '^.*' },
    { ...mark, allOf: [{ anyOf: pair }, { maxLength: 9 }] },
  ]);
}

function listSchema(meaning: Meaning & { is: 'list' }, random: Random): JsonObject {
  const base = { type: 'array', items: schemaOf(meaning.items, random) };
  if (meaning.key !== undefined) {
    return { ...base, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [meaning.key] };
  }
  return random.chance(0.3)
    ? { ...base, minItems: 1, maxItems: 2, 'x-kubernetes-list-type': 'atomic' }
    : base;
}

function objectSchema({ members, open }: Meaning & { is: 'object' }, random: Random): JsonObject {
  const properties = members.map(({ name, meaning, defaulted }) => {
    const schema = schemaOf(meaning, random);
    const fallback = defaulted ? { default: defaultOf(meaning) } : {};
    return [name, { ...schema, ...fallback }] as const;
  });
  const required = members.filter((member) => member.required).map(({ name }) => name);
  const isOneOf = required.length > 0 && random.chance(0.2);
  return {
    type: 'object',
    properties: object(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(open ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(isOneOf ? { oneOf: [{ required: [required[0] ?? ''] }, { not: { required } }] } : {}),
  };
}

function defaultOf(meaning: Meaning): Json {
  switch (meaning.is) {
    case 'one-of':
      return meaning.values[0] ?? null;
    case 'list':
      return [];
    case 'map':
    case 'object':
      return {};
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return '';
  }
}
