/** Schemas of a meaning, in one of the forms that CRDs use. */

import type { Random } from '../support/random.ts';
import { type Json, type JsonObject, object } from './json.ts';
import type { Meaning, Member, ObjectMeaning } from './meanings.ts';

/** Returns a schema with the meaning. */
export function schemaOf(meaning: Meaning, random: Random): JsonObject {
  const schema = bareSchema(meaning, random);
  if (!meaning.nullable) return schema;
  const { type } = schema;
  if (typeof type === 'string' && meaning.is !== 'one-of' && random.chance(0.1)) {
    return { ...schema, type: [type, 'null'] };
  }
  return { ...schema, nullable: true };
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
        ...maybeType('object', random),
        ...embeddedMark,
        'x-kubernetes-preserve-unknown-fields': true,
      };
    case 'one-of':
      return literals(meaning.values, meaning.nullable, random);
    case 'either':
      return { [random.pick(['anyOf', 'oneOf'])]: meaning.of.map((member) => schemaOf(member, random)) };
    case 'list':
      return listSchema(meaning, random);
    case 'map':
      return { ...maybeType('object', random), additionalProperties: schemaOf(meaning.values, random) };
    case 'object':
      return objectSchema(meaning, random);
  }
}

const embeddedMark: JsonObject = { 'x-kubernetes-embedded-resource': true };

/** Returns the type, or nothing: old definitions omit it if another keyword implies it. */
function maybeType(type: string, random: Random): JsonObject {
  return random.chance(0.93) ? { type } : {};
}

function intOrString(random: Random): JsonObject {
  const pair = [{ type: 'integer' }, { type: 'string' }];
  const mark = { 'x-kubernetes-int-or-string': true };
  return random.pick<JsonObject>([
    mark,
    { anyOf: pair },
    { oneOf: pair, format: 'int-or-string' },
    { ...mark, anyOf: pair },
    { ...mark, anyOf: pair, pattern: '^.*' },
    { ...mark, allOf: [{ anyOf: pair }, { maxLength: 9 }] },
  ]);
}

function literals(values: readonly (string | number)[], nullable: boolean, random: Random): JsonObject {
  const type = typeof values[0] === 'number' ? 'integer' : 'string';
  const all: readonly Json[] = nullable && random.chance(0.5) ? [...values, null] : values;
  return random.chance(0.1) ? { enum: all } : { type, enum: all };
}

function listSchema(meaning: Meaning & { is: 'list' }, random: Random): JsonObject {
  const base = { ...maybeType('array', random), items: schemaOf(meaning.items, random) };
  if (meaning.key !== undefined) {
    return { ...base, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [meaning.key] };
  }
  return random.chance(0.3)
    ? { ...base, minItems: 1, maxItems: 2, 'x-kubernetes-list-type': 'atomic' }
    : base;
}

function objectSchema(meaning: ObjectMeaning, random: Random): JsonObject {
  const { members, others, embedded } = meaning;
  const elsewhere = random.chance(0.05) ? members.slice(1) : [];
  const here = members.filter((member) => !elsewhere.includes(member));
  const required = requiredOf(here);
  const isOneOf = required.length > 0 && random.chance(0.2);
  return {
    ...maybeType('object', random),
    ...membersPart(here, random),
    ...(others === 'anything' ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(typeof others === 'object' ? { additionalProperties: schemaOf(others, random) } : {}),
    ...(embedded ? embeddedMark : {}),
    ...(elsewhere.length > 0 ? { allOf: [membersPart(elsewhere, random), { minProperties: 1 }] } : {}),
    ...(isOneOf ? { oneOf: [{ required: [required[0] ?? ''] }, { not: { required } }] } : {}),
  };
}

function requiredOf(members: readonly Member[]): readonly string[] {
  return members.filter((member) => member.required).map(({ name }) => name);
}

function membersPart(members: readonly Member[], random: Random): JsonObject {
  const properties = members.map(({ name, meaning, defaulted }) => {
    const schema = schemaOf(meaning, random);
    return [name, defaulted ? { ...schema, default: defaultOf(meaning) } : schema] as const;
  });
  const required = requiredOf(members);
  return { properties: object(properties), ...(required.length > 0 ? { required } : {}) };
}

function defaultOf(meaning: Meaning): Json {
  switch (meaning.is) {
    case 'one-of':
      return meaning.values[0] ?? null;
    case 'either':
      return defaultOf(meaning.of[0]);
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
