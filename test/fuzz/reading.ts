/** Schemas as they are written, by what they mean: the way back from `saying.ts`, for definitions of other people. */
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Random } from './random.ts';
import type { Meaning, Member } from './structural.ts';

/** Optional members that are taken from an object at most; all of them together would make values too large. */
const most = 4;

/**
 * What a structural schema means, as far as it is followed: required members always are, of the others some. Below
 * `depth` levels only the required ones are.
 */
export function meaningOf(schema: Json | undefined, random: Random, depth: number): Meaning {
  if (!isObject(schema)) return { is: 'anything', nullable: false };
  return { ...bareMeaning(schema, random, depth), nullable: schema['nullable'] === true };
}

type Bare = Meaning extends infer M ? (M extends unknown ? Omit<M, 'nullable'> : never) : never;

function bareMeaning(schema: JsonObject, random: Random, depth: number): Bare {
  const { type } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { is: 'int-or-string' };
  if (schema['x-kubernetes-embedded-resource'] === true && !isObject(schema['properties'])) {
    return { is: 'embedded' };
  }
  const values = literalsOf(schema['enum']);
  if (values.length > 0 && (type === 'string' || type === 'integer')) return { is: 'one-of', values };
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return { is: type };
    case 'array':
      return { is: 'list', items: meaningOf(schema['items'], random, depth - 1) };
    case 'object':
      return objectMeaning(schema, random, depth);
    default:
      return { is: 'anything' };
  }
}

function literalsOf(values: Json | undefined): readonly (string | number)[] {
  const all: readonly Json[] = Array.isArray(values) ? values : [];
  return all.filter((value) => typeof value === 'string' || typeof value === 'number');
}

function objectMeaning(schema: JsonObject, random: Random, depth: number): Bare {
  const { properties, additionalProperties: values } = schema;
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    return { is: 'map', values: meaningOf(values, random, depth - 1) };
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || values === true;
  return {
    is: 'object',
    members: membersOf(properties, namesIn(schema['required']), random, depth),
    others: isObject(values) ? meaningOf(values, random, depth - 1) : isOpen ? 'anything' : 'nothing',
    embedded: schema['x-kubernetes-embedded-resource'] === true,
  };
}

function membersOf(
  properties: JsonObject,
  required: readonly string[],
  random: Random,
  depth: number,
): readonly Member[] {
  const names = Object.keys(properties);
  const optional = names.filter((name) => !required.includes(name) && !inherits(properties[name]));
  const chosen = [
    ...required.filter((name) => names.includes(name)),
    ...random.some(optional, depth > 0 ? most : 0),
  ];
  return chosen.map((name) => {
    const schema = properties[name];
    const defaulted = isObject(schema) && schema['default'] !== undefined;
    return {
      name,
      meaning: meaningOf(schema, random, depth - 1),
      required: required.includes(name),
      defaulted,
    };
  });
}

/**
 * True for an object with members that all objects inherit. To TypeScript, `{}` has a `constructor` already, so it is
 * no value of a type that wants another one.
 */
function inherits(schema: Json | undefined): boolean {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.keys(properties).some((name) => name in Object.prototype);
}

function namesIn(value: Json | undefined): readonly string[] {
  const all: readonly Json[] = Array.isArray(value) ? value : [];
  return all.filter((name) => typeof name === 'string');
}

/** What a kind's schema means besides what all objects have. Nobody has to write the status. */
export function rootMeaning(schema: JsonObject, random: Random, depth: number): Meaning | undefined {
  const { properties } = schema;
  if (!isObject(properties)) return undefined;
  const own = Object.entries(properties).filter(
    ([name]) => !['apiVersion', 'kind', 'metadata'].includes(name),
  );
  const required = namesIn(schema['required']).filter((name) => name !== 'status');
  const meaning = meaningOf({ ...schema, properties: Object.fromEntries(own), required }, random, depth);
  return meaning.is === 'object' && meaning.members.length > 0 ? meaning : undefined;
}
