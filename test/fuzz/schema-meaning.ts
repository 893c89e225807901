/** Meanings of existing schemas: the inverse of `meaning-schema.ts`, for definitions of other projects. */

import type { Random } from '../support/random.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Meaning, Member } from './meanings.ts';

/** Maximum number of optional members taken from an object; all of them would make values too large. */
const most = 4;

/**
 * Returns the meaning of a structural schema, as far as it is followed: all required members and some
 * optional ones. Below `depth` levels only the required ones are followed.
 */
export function meaningOf(schema: Json | undefined, random: Random, depth: number): Meaning {
  if (!isObject(schema)) return { is: 'anything', nullable: false };
  return { ...bareMeaning(schema, random, depth), nullable: schema['nullable'] === true };
}

type Bare = Meaning extends infer M ? (M extends unknown ? Omit<M, 'nullable'> : never) : never;

/** Types whose enums become unions of literals. */
const enumTypes: ReadonlySet<Json | undefined> = new Set(['string', 'integer', undefined]);

function bareMeaning(schema: JsonObject, random: Random, depth: number): Bare {
  const { type } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { is: 'int-or-string' };
  if (schema['x-kubernetes-embedded-resource'] === true && !isObject(schema['properties'])) {
    return { is: 'embedded' };
  }
  const values = literalsOf(schema['enum']);
  // Also without a type: the server compares values of any type with the enum.
  if (values.length > 0 && enumTypes.has(type)) return { is: 'one-of', values };
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
 * Returns true for an object with members that all objects inherit. For TypeScript, `{}` has a `constructor`
 * already, so it is not assignable to a type with another one.
 */
function inherits(schema: Json | undefined): boolean {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.keys(properties).some((name) => name in Object.prototype);
}

function namesIn(value: Json | undefined): readonly string[] {
  const all: readonly Json[] = Array.isArray(value) ? value : [];
  return all.filter((name) => typeof name === 'string');
}

/** Returns the meaning of a kind's schema without the members of all objects. The status is optional. */
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
