/** Random schemas of every kind, structural or not, and values that are not schemas. */

import type { Random } from '../support/random.ts';
import { isObject, type Json, object } from './json.ts';
import { propertyName, text } from './names.ts';

/** Returns a schema whose depth is at most `depth`. */
export function anySchema(random: Random, depth: number): Json {
  if (random.chance(0.01)) return garbage(random);
  const parts: [string, Json][] = [...typePart(random, depth)];
  if (random.chance(0.3)) parts.push(...docsPart(random));
  if (random.chance(0.15)) parts.push(...logicPart(random, depth));
  if (random.chance(0.2)) parts.push(...rulesPart(random));
  if (random.chance(0.1)) parts.push(...extensionPart(random));
  if (random.chance(0.03)) parts.push([random.pick(keywords), garbage(random)]);
  return object(parts);
}

const keywords = [
  'type',
  'properties',
  'items',
  'enum',
  'required',
  'additionalProperties',
  'patternProperties',
  'nullable',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'format',
  'description',
  'default',
  '$ref',
  'pattern',
  'minimum',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  '__proto__',
] as const;

/** Returns a value that is invalid at its place. */
export function garbage(random: Random): Json {
  return random.pick<() => Json>([
    () => null,
    () => true,
    () => false,
    () => 0,
    () => -1.5,
    () => 2 ** 60,
    () => '',
    () => text(random),
    () => [],
    () => [null],
    () => [[], {}],
    () => ({}),
    () => object([[propertyName(random), null]]),
    () => object([['type', 'string']]),
    () => [{ type: 'string' }, { type: 'integer' }, 3],
  ])();
}

function typePart(random: Random, depth: number): readonly [string, Json][] {
  const isLeaf = depth <= 0 || random.chance(0.4);
  if (isLeaf) return scalarPart(random);
  return random.pick<() => readonly [string, Json][]>([
    () => objectPart(random, depth),
    () => objectPart(random, depth),
    () => objectPart(random, depth),
    () => arrayPart(random, depth),
    () => arrayPart(random, depth),
    () => [
      ['type', 'object'],
      ['additionalProperties', values(random, depth)],
    ],
  ])();
}

function scalarPart(random: Random): readonly [string, Json][] {
  return random.pick<() => readonly [string, Json][]>([
    () => [['type', 'string']],
    () => [
      ['type', 'string'],
      ['enum', literals(random, () => text(random))],
    ],
    () => [
      ['type', 'integer'],
      ['format', random.pick(['int32', 'int64', 'uint16', 'odd'])],
    ],
    () => [
      ['type', 'number'],
      ['enum', literals(random, () => random.int(5) / 2 - 1)],
    ],
    () => [['type', 'boolean']],
    () => [
      ['type', 'boolean'],
      ['enum', [true]],
    ],
    () => [['enum', literals(random, () => garbage(random))]],
    () => [['x-kubernetes-int-or-string', true]],
    () => [
      ['x-kubernetes-int-or-string', true],
      ['anyOf', [{ type: 'integer' }, { type: 'string' }]],
    ],
    () => [['x-kubernetes-preserve-unknown-fields', true]],
    () => [['type', random.pick(['object', 'array', 'null', 'thing', ''])]],
    () => [['type', ['string', 'null', random.pick(['integer', 'object', 'array'])]]],
    () => [],
  ])();
}

function literals(random: Random, make: () => Json): Json {
  return Array.from({ length: random.int(4) }, make);
}

/** Property names that lead to the same type name. */
const twins = ['fooBar', 'foo-bar', 'FooBar', 'foo.bar', 'foo bar'] as const;

function objectPart(random: Random, depth: number): readonly [string, Json][] {
  const isTwinned = random.chance(0.1);
  const names = Array.from({ length: 1 + random.int(5) }, () =>
    isTwinned ? random.pick(twins) : propertyName(random),
  );
  const member = (name: string): Json =>
    isTwinned
      ? object([['properties', object([[name, anySchema(random, depth - 1)]])]])
      : anySchema(random, depth - 1);
  const properties = object(names.map((name) => [name, member(name)]));
  const parts: [string, Json][] = [['properties', properties]];
  if (random.chance(0.9)) parts.push(['type', random.chance(0.95) ? 'object' : 'string']);
  if (random.chance(0.5)) {
    parts.push(['required', [...random.some(names, 3), ...(random.chance(0.1) ? ['absent'] : [])]]);
  }
  if (random.chance(0.1)) parts.push(['additionalProperties', values(random, depth)]);
  if (random.chance(0.15)) parts.push(['x-kubernetes-preserve-unknown-fields', true]);
  if (random.chance(0.05)) parts.push(['x-kubernetes-embedded-resource', true]);
  return parts;
}

function values(random: Random, depth: number): Json {
  return random.chance(0.2) ? random.pick<Json>([true, false, {}]) : anySchema(random, depth - 1);
}

function arrayPart(random: Random, depth: number): readonly [string, Json][] {
  const items = random.chance(0.05) ? garbage(random) : anySchema(random, depth - 1);
  const parts: [string, Json][] = [['type', 'array']];
  if (random.chance(0.95)) parts.push(['items', items]);
  if (random.chance(0.3))
    parts.push(['x-kubernetes-list-type', random.pick(['map', 'set', 'atomic', 'odd'])]);
  if (random.chance(0.3)) parts.push(['x-kubernetes-list-map-keys', keysOf(items, random)]);
  return parts;
}

function keysOf(items: Json, random: Random): Json {
  const properties = isObject(items) && Object.hasOwn(items, 'properties') ? items['properties'] : undefined;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return [...random.some(names, 2), ...(random.chance(0.1) ? ['absent'] : [])];
}

function docsPart(random: Random): readonly [string, Json][] {
  const parts: [string, Json][] = [['description', text(random)]];
  if (random.chance(0.4)) parts.push(['default', random.chance(0.3) ? garbage(random) : text(random)]);
  if (random.chance(0.2)) parts.push(['nullable', true]);
  if (random.chance(0.2)) parts.push(['format', text(random)]);
  return parts;
}

function logicPart(random: Random, depth: number): readonly [string, Json][] {
  const keyword = random.pick(['allOf', 'anyOf', 'oneOf'] as const);
  const members = Array.from({ length: random.int(4) }, () =>
    random.chance(0.3) ? object([['required', [propertyName(random)]]]) : anySchema(random, depth - 2),
  );
  const parts: [string, Json][] = [[keyword, members]];
  if (random.chance(0.3)) parts.push(['not', anySchema(random, 0)]);
  return parts;
}

function rulesPart(random: Random): readonly [string, Json][] {
  return random.some<[string, Json]>(
    [
      ['pattern', random.pick(['^(?i)[[:alpha:]]\\A$', '*/', "'", ''])],
      ['minLength', 1],
      ['maxItems', 3],
      ['minimum', -0.5],
      ['maximum', 1e300],
      ['exclusiveMinimum', true],
      ['uniqueItems', false],
      ['multipleOf', 0.01],
      ['maxProperties', 2 ** 53],
    ],
    3,
  );
}

function extensionPart(random: Random): readonly [string, Json][] {
  return random.some<[string, Json]>(
    [
      ['x-kubernetes-validations', [{ rule: text(random), message: text(random) }, { rule: 'self' }]],
      ['x-kubernetes-map-type', 'atomic'],
      ['x-kubernetes-preserve-unknown-fields', random.chance(0.7)],
      ['x-kubernetes-embedded-resource', true],
      ['title', text(random)],
      ['externalDocs', { url: text(random) }],
      ['example', garbage(random)],
      ['$ref', '#/definitions/other'],
      ['patternProperties', { '^x-': { type: 'string' } }],
      ['definitions', { other: { type: 'string' } }],
      ['deprecated', true],
    ],
    2,
  );
}
