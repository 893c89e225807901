/**
 * Type of a schema node by its own `type`, `format` and `enum`, otherwise by its logical members. Definitions
 * whose schema does not describe their values are in `special-definitions.ts`.
 */

import { quote, quoteAll } from '../../common/problems.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { listOf } from '../../input/json.ts';
import { type Literals, literalsOf } from '../schema/enums.ts';
import type { LogicKeyword } from '../schema/facts.ts';
import { asObject, jsonText, objectsIn } from '../schema/json.ts';
import type { Spot } from '../schema/schema-path.ts';
import { enumShape, type Typed, typed, typesOf } from '../schema/typed.ts';
import { isBarePair, isIntOrStringPair, statedType } from './members.ts';
import { arrayType } from './walk-array.ts';
import { embeddedType, objectType } from './walk-object.ts';
import { unionOfMembers, unionOfTypes } from './walk-union.ts';
import type { Walker } from './walker.ts';

const logic: readonly LogicKeyword[] = ['enum', 'allOf', 'anyOf', 'oneOf', 'not'];
const noLogic: readonly LogicKeyword[] = [];

/** Returns the logical keywords of a node that its type does not express. */
export function unsaid(node: JsonObject, stated: readonly LogicKeyword[]): readonly LogicKeyword[] {
  const present = logic.some((keyword) => node[keyword] !== undefined);
  return present ? logic.filter((keyword) => isStated(node[keyword]) && !stated.includes(keyword)) : noLogic;
}

/** An empty list of members or values has no effect. */
function isStated(value: JsonValue | undefined): boolean {
  return asObject(value) !== undefined || listOf(value).length > 0;
}

/** Returns the type of a node. Its own keywords take precedence over its logical members. */
export function typeOf(node: JsonObject, spot: Spot, walker: Walker): Typed {
  if (node['$ref'] !== undefined && walker.references === undefined) walker.warn(spot, refText(spot));
  const { types, nullable, unknown } = typesOf(node);
  if (unknown.length > 0) walker.warn(spot, unknownTypeText(spot, unknown));
  const found = isIntOrString(node, types, walker)
    ? intOrString(node, spot, walker)
    : types.length === 0 && unknown.length > 0
      ? typed({ shape: 'unknown', reason: 'untyped' })
      : typeFrom(node, types, spot, walker);
  if (types.length === 0 && nullable && found.shape.shape === 'unknown')
    return typed(enumShape([], false), [], true);
  return nullable ? { ...found, nullable } : found;
}

function typeFrom(node: JsonObject, types: readonly string[], spot: Spot, walker: Walker): Typed {
  if (node['x-kubernetes-embedded-resource'] === true) return typed(embeddedType(node, spot, walker));
  if (types.length > 1) return unionOfTypes(types, (type) => typeByWord(node, type, spot, walker));
  return typeByWord(node, types[0] ?? statedType(node), spot, walker);
}

function typeByWord(node: JsonObject, type: string | undefined, spot: Spot, walker: Walker): Typed {
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return isRestricted(node, spot) ? enumOf(node, type, spot, walker) : scalars[type];
    case 'array':
      return typed(arrayType(node, spot, walker));
    case 'object':
      return typed(objectType(node, spot, walker));
    default:
      return untyped(node, spot, walker);
  }
}

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

const scalars: Readonly<Record<Scalar, Typed>> = {
  string: typed({ shape: 'string' }),
  integer: typed({ shape: 'integer' }),
  number: typed({ shape: 'number' }),
  boolean: typed({ shape: 'boolean' }),
};

function isRestricted(node: JsonObject, { limits }: Spot): boolean {
  return limits !== undefined || logic.some((keyword) => keyword !== 'not' && node[keyword] !== undefined);
}

function enumOf(node: JsonObject, type: Scalar, spot: Spot, walker: Walker): Typed {
  const literals = literalsOf(node, [type], spot.limits);
  return literals === undefined ? scalars[type] : literalType(literals, walker);
}

function literalType({ values, nullable, stated }: Literals, walker: Walker, more = noLogic): Typed {
  return typed(enumShape(values, isOpen(walker)), [...stated, ...more], nullable);
}

/** Without a type, enum values decide, then the members of `anyOf` and `oneOf`. */
function untyped(node: JsonObject, spot: Spot, walker: Walker): Typed {
  const literals = literalsOf(node, [], spot.limits);
  if (literals !== undefined) return literalType(literals, walker);
  if (node['x-kubernetes-preserve-unknown-fields'] === true) {
    return typed({ shape: 'unknown', reason: 'preserve-unknown' });
  }
  return unionOfMembers(node, spot, walker) ?? typed({ shape: 'unknown', reason: 'untyped' });
}

function isIntOrString(node: JsonObject, types: readonly string[], { references }: Walker): boolean {
  if (node['x-kubernetes-int-or-string'] === true) return true;
  if (types.length === 2) return types.includes('integer') && types.includes('string');
  if (node['format'] === 'int-or-string')
    // Servers ignore this format of a custom resource, whose type decides.
    return types.length === 0 || (types[0] === 'string' && references !== undefined);
  const untypedNode = types.length === 0 && statedType(node) === undefined;
  return untypedNode && (isIntOrStringPair(node['anyOf']) || isIntOrStringPair(node['oneOf']));
}

function intOrString(node: JsonObject, spot: Spot, walker: Walker): Typed {
  const stated: LogicKeyword[] = [];
  if (isBarePair(node['anyOf'])) stated.push('anyOf');
  if (isBarePair(node['oneOf'])) stated.push('oneOf');
  const members = objectsIn(node['allOf']);
  if (members.every((member) => Object.keys(member).length === 1 && isBarePair(member['anyOf'])))
    stated.push('allOf');
  const literals = literalsOf(node, ['integer', 'string'], spot.limits);
  return literals === undefined
    ? typed({ shape: 'int-or-string' }, stated)
    : literalType(literals, walker, stated);
}

/**
 * API servers add values to the enums of built-in kinds, while the schema of a custom resource is complete.
 */
function isOpen(walker: Walker): boolean {
  return walker.references !== undefined;
}

function refText(spot: Spot): string {
  return `${quote(spot.path)} has a $ref, which CRDs may not have and kgen does not follow: write the schema out in its place`;
}

function unknownTypeText(spot: Spot, unknown: readonly unknown[]): string {
  const words = unknown.map((word) => (typeof word === 'string' ? word : jsonText(word, { limit: 60 })));
  return `${quote(spot.path)} has the type ${quoteAll(words)}, which does not exist and is typed as unknown: use string, integer, number, boolean, array or object`;
}
