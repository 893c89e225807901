import type { JsonObject } from '../../input/crd/crd-input.ts';
import { listOf } from '../../input/json.ts';
import type { Schema, Shape } from '../ir.ts';
import { asObject } from '../schema/json.ts';
import { plain, typeKey } from '../schema/schema.ts';
import { optionSpot, type Spot } from '../schema/schema-path.ts';
import { type Typed, typed } from '../schema/typed.ts';
import { statedType, withAllOf } from './members.ts';
import type { Walker } from './walker.ts';

/** Returns the union of the types of one node, as in `type: [string, array]`. */
export function unionOfTypes(types: readonly string[], typeByWord: (type: string) => Typed): Typed {
  const members = types.map(typeByWord);
  const stated = members.every((member) => member.stated.includes('enum')) ? (['enum'] as const) : [];
  const { shape } = merged(members.map((member) => plain(member.shape)));
  return typed(
    shape,
    stated,
    members.some((member) => member.nullable),
  );
}

/**
 * Returns the union of the `anyOf` or `oneOf` members of a node without a type, or `undefined` if a member
 * has no type, because then any value may be valid.
 */
export function unionOfMembers(node: JsonObject, spot: Spot, walker: Walker): Typed | undefined {
  const keyword = node['anyOf'] !== undefined ? 'anyOf' : 'oneOf';
  const members = listOf(node[keyword]).map((member) => asObject(member));
  if (members.length === 0 || !members.every((member) => member !== undefined && statesType(member)))
    return undefined;
  const schemas = members.map((member, index) => walker.walk(member, optionSpot(spot, keyword, index)));
  const { shape, nullable, whole } = merged(schemas);
  return typed(shape, whole ? [keyword] : [], nullable);
}

interface Merged {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** Whether the shape contains every member with its facts. */
  readonly whole: boolean;
}

/** Merges schemas into one shape: flat, without duplicates, and without members that are only `null`. */
function merged(schemas: readonly Schema[]): Merged {
  const flat = schemas.flatMap((schema) => (schema.shape === 'union' ? schema.members : [schema]));
  const nullable = schemas.some((schema) => schema.nullable) || flat.some((schema) => schema.nullable);
  const unknown = flat.find((schema) => schema.shape === 'unknown');
  if (unknown !== undefined) return { shape: shapeOf(unknown), nullable, whole: false };
  const values = flat.filter((schema) => !isNull(schema)).map((schema) => ({ ...schema, nullable: false }));
  const distinct = [...new Map(values.map((schema) => [typeKey(schema), schema] as const)).values()];
  const [only = plain({ shape: 'enum', values: [], open: false })] = distinct;
  if (distinct.length <= 1) return { shape: shapeOf(only), nullable, whole: false };
  return { shape: { shape: 'union', members: distinct }, nullable, whole: distinct.length === values.length };
}

function shapeOf(schema: Schema): Shape {
  const { nullable: _nullable, facts: _facts, ...shape } = schema;
  return shape;
}

function isNull(schema: Schema): boolean {
  return schema.shape === 'enum' && schema.values.length === 0;
}

function statesType(member: JsonObject): boolean {
  const node = withAllOf(member);
  return typeWords.some((keyword) => node[keyword] !== undefined) || statedType(node) !== undefined;
}

const typeWords = [
  '$ref',
  'enum',
  'anyOf',
  'oneOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
] as const;
