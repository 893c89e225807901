import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { listOf } from '../../input/json.ts';
import type { Literal } from '../ir.ts';
import type { LogicKeyword } from './facts.ts';
import { isAbsent, objectsIn } from './json.ts';
import { type Limit, noLimits } from './limits.ts';

/** Literals that a schema allows. */
export interface Literals {
  /** In the order of the schema, without duplicates and `null`. Empty only if `null` is the only value. */
  readonly values: readonly Literal[];
  /** Whether `null` was among the values. */
  readonly nullable: boolean;
  /** Keywords that the literals express completely. */
  readonly stated: readonly LogicKeyword[];
}

/**
 * Returns the literals that a schema allows within its limits: by its `enum` and by those of the members of
 * its logical keywords. Returns `undefined` if they cannot be expressed by literals: there are none, a list
 * contains a number beyond 2^53, or objects or lists that no type excludes, or none of the values has a type
 * in `types` (an empty list allows every type).
 */
export function literalsOf(
  node: JsonObject,
  types: readonly string[],
  limits: readonly Limit[] = noLimits,
): Literals | undefined {
  const sets = [...valueSets(node), ...limits.flatMap(limitValues)];
  const [first, ...others] = sets;
  if (first === undefined || first.some((value) => isInexact(value, types))) return undefined;
  if (types.length === 0 && !first.every(isLiteral)) return undefined;
  const fitting = [...new Set(first.filter(isLiteral))].filter((value) => fits(value, types));
  const nullable = fitting.includes(null);
  const values = narrowed(
    fitting.filter((value) => value !== null),
    others,
    [node, ...limits.flatMap(onlySchemas)],
  );
  const isEmpty = values.length === 0 && !first.every((value) => value === null);
  return isEmpty ? undefined : { values, nullable, stated: statedBy(node) };
}

type Values = readonly JsonValue[];

/** Lists of values by node: members may be shared by many nodes. */
const known = new WeakMap<JsonObject, readonly Values[]>();

/** Maximum depth of members that are searched for values. */
const maxMemberDepth = 50;

/** Returns lists of values, each of which contains every allowed value. */
function valueSets(node: JsonObject, depth = 0): readonly Values[] {
  const before = known.get(node);
  if (before !== undefined || depth > maxMemberDepth) return before ?? [];
  const own = listOf(node['enum']);
  const below = (member: JsonObject): readonly Values[] => valueSets(member, depth + 1);
  const sets = [
    ...(own.length === 0 ? [] : [own]),
    ...[...new Set(objectsIn(node['allOf']))].flatMap(below),
    ...unionOf(objectsIn(node['anyOf']), below),
    ...unionOf(objectsIn(node['oneOf']), below),
  ];
  known.set(node, sets);
  return sets;
}

/** Returns the values that at least one member allows, if all of them have values. */
function unionOf(
  members: readonly JsonObject[],
  setsOf: (member: JsonObject) => readonly Values[],
): readonly Values[] {
  if (members.length === 0) return [];
  const sets = members.map((member) => intersection(setsOf(member)));
  return sets.includes(undefined) ? [] : [[...new Set(sets.flatMap((set) => set ?? []))]];
}

function limitValues(limit: Limit): readonly Values[] {
  const sets = limit.map(({ schemas, limits }) =>
    intersection([...schemas.flatMap((schema) => valueSets(schema)), ...limits.flatMap(limitValues)]),
  );
  return sets.includes(undefined) ? [] : [[...new Set(sets.flatMap((set) => set ?? []))]];
}

function intersection([first, ...others]: readonly Values[]): Values | undefined {
  if (others.length === 0) return first;
  const sets = others.map((values) => new Set(values));
  return first?.filter((value) => sets.every((set) => set.has(value)));
}

/** Returns the keywords whose members have nothing but values. */
function statedBy(node: JsonObject): readonly LogicKeyword[] {
  const members = (['anyOf', 'oneOf'] as const).filter((keyword) => {
    const schemas = objectsIn(node[keyword]);
    return (
      schemas.length > 0 && schemas.every((schema) => isBare(schema) && listOf(schema['enum']).length > 0)
    );
  });
  return isAbsent(node['not']) || !isBare(objectsIn([node['not']])[0])
    ? ['enum', ...members]
    : ['enum', ...members, 'not'];
}

/** Returns whether a schema states nothing but values. */
function isBare(node: JsonObject | undefined): boolean {
  return node !== undefined && Object.keys(node).every((key) => key === 'enum' || key === 'description');
}

/** Returns the values that all lists contain and no schema refuses; all values if none is left. */
function narrowed(
  values: readonly Literal[],
  others: readonly Values[],
  schemas: readonly JsonObject[],
): readonly Literal[] {
  const sets = others.map((other) => new Set(other));
  const common = values.filter((value) => sets.every((set) => set.has(value)));
  const nodes = new Set<JsonObject>();
  for (const schema of schemas) addNodes(schema, nodes);
  const tests = common.length * nodes.size > maxTests ? [] : schemas.map((schema) => testOf(schema, 0));
  const left = common.filter((value) => tests.every((test) => test(value) !== false));
  return left.length === 0 ? values : left;
}

/** Maximum number of values times schemas that are tested. */
const maxTests = 1_000_000;

/** Adds a schema and the members of its logical keywords. */
function addNodes(schema: JsonObject, nodes: Set<JsonObject>): void {
  if (nodes.has(schema)) return;
  nodes.add(schema);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const member of objectsIn(schema[keyword])) addNodes(member, nodes);
  for (const member of objectsIn([schema['not'] ?? null])) addNodes(member, nodes);
}

/** Returns the schemas that hold in every alternative of a limit. */
function onlySchemas([only, ...others]: Limit): readonly JsonObject[] {
  return only === undefined || others.length > 0
    ? []
    : [...only.schemas, ...only.limits.flatMap((limit) => onlySchemas(limit))];
}

/** Whether a schema accepts a value. `undefined`: that depends on more than values, such as a pattern. */
type Test = (value: Literal) => boolean | undefined;

const tests = new WeakMap<JsonObject, Test>();

/** Returns the test of a schema. Its results are recorded per value, because members may be shared. */
function testOf(schema: JsonObject, depth: number): Test {
  const known = tests.get(schema);
  if (known !== undefined || depth > maxMemberDepth) return known ?? unknownTest;
  const members = (keyword: string): readonly Test[] =>
    objectsIn(schema[keyword]).map((member) => testOf(member, depth + 1));
  const [anyOf, oneOf] = [members('anyOf'), members('oneOf')];
  const own = new Set(listOf(schema['enum']));
  const parts: readonly Test[] = [
    ...(own.size === 0 ? [] : [(value: Literal) => own.has(value)]),
    ...members('allOf'),
    ...(anyOf.length === 0 ? [] : [(value: Literal) => holds(anyOf, value, anyOf.length)]),
    ...(oneOf.length === 0 ? [] : [(value: Literal) => holds(oneOf, value, 1)]),
    ...objectsIn([schema['not'] ?? null]).map((not) => negated(testOf(not, depth + 1))),
    ...(Object.keys(schema).every((keyword) => plainKeywords.has(keyword)) ? [] : [unknownTest]),
  ];
  const results = new Map<Literal, boolean | undefined>();
  const test: Test = (value) => {
    if (!results.has(value)) results.set(value, every(parts, value));
    return results.get(value);
  };
  tests.set(schema, test);
  return test;
}

/** Keywords that a test considers, and those that refuse no value of the type of the schema. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...['enum', 'allOf', 'anyOf', 'oneOf', 'not'],
  ...['description', 'title', 'default', 'example', 'nullable'],
]);

const unknownTest: Test = () => undefined;

function negated(test: Test): Test {
  return (value) => {
    const result = test(value);
    return result === undefined ? undefined : !result;
  };
}

function every(parts: readonly Test[], value: Literal): boolean | undefined {
  const results = parts.map((test) => test(value));
  return results.includes(false) ? false : results.includes(undefined) ? undefined : true;
}

/** Returns whether at least one of the tests accepts the value, and not more than `most`. */
function holds(members: readonly Test[], value: Literal, most: number): boolean | undefined {
  const results = members.map((test) => test(value));
  const sure = results.filter((result) => result === true).length;
  const possible = results.filter((result) => result !== false).length;
  if (possible === 0 || sure > most) return false;
  return sure > 0 && possible <= most ? true : undefined;
}

/** Returns whether API servers refuse `null`: they never accept it for a value with an `enum`. */
export function refusesNull(node: JsonObject, limits: readonly Limit[]): boolean {
  return hasEnum(node) || limits.some(limitRefusesNull);
}

function hasEnum(node: JsonObject): boolean {
  return listOf(node['enum']).length > 0;
}

function limitRefusesNull(limit: Limit): boolean {
  return limit.every(({ schemas, limits }) => schemas.some(hasEnum) || limits.some(limitRefusesNull));
}

/** Values that JSON cannot represent, such as infinity, are never sent. */
function isLiteral(value: JsonValue): value is Literal {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/**
 * An integer whose digits are not exact cannot be a literal, so a list that contains one cannot be expressed
 * by literals. Other numbers are exact, however large.
 */
function isInexact(value: JsonValue, types: readonly string[]): boolean {
  if (typeof value === 'bigint') return true;
  return types.includes('integer') && Number.isInteger(value) && !Number.isSafeInteger(value);
}

function fits(value: Literal, types: readonly string[]): boolean {
  return types.length === 0 || value === null || types.some((type) => isOfType(value, type));
}

function isOfType(value: Literal, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    default:
      return false;
  }
}
