import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import type { Literal } from '../ir.ts';
import { asList, objectsIn } from './json.ts';

/** Literals of the `enum` of a schema. */
export interface Literals {
  /**
   * At least one, in the order of the schema, without duplicates. Contains `null` only if there is no other
   * value.
   */
  readonly values: readonly Literal[];
  /** Whether `null` was among the values. */
  readonly nullable: boolean;
}

/**
 * Returns the literals that a schema allows. Returns `undefined` if its `enum` (its own, or one of its
 * `allOf` members) cannot be expressed by literals: it is absent, contains a number beyond 2^53, contains
 * objects or lists that no type excludes, or none of its values has a type in `types` (an empty list allows
 * every type).
 */
export function literalsOf(node: JsonObject, types: readonly string[]): Literals | undefined {
  const [first, ...others] = enumsOf(node);
  if (first === undefined || first.some((value) => isInexact(value, types))) return undefined;
  if (types.length === 0 && !first.every(isLiteral)) return undefined;
  const values = [...new Set(first.filter(isLiteral))].filter((value) => fits(value, types));
  const nullable = values.includes(null);
  const named = narrowed(
    values.filter((value) => value !== null),
    others,
  );
  if (named.length > 0) return { values: named, nullable };
  return first.every((value) => value === null) ? { values: [null], nullable } : undefined;
}

/** Returns the node's own list, followed by those of `allOf` members. */
function enumsOf(node: JsonObject): readonly (readonly JsonValue[])[] {
  const nodes = [node, ...objectsIn(node['allOf'])];
  return nodes.map((each) => asList(each['enum'])).filter((values) => values.length > 0);
}

/** Returns the intersection of all lists, or the first list if the intersection is empty. */
function narrowed(values: readonly Literal[], others: readonly (readonly JsonValue[])[]): readonly Literal[] {
  const sets = others.map((other) => new Set(other));
  const left = values.filter((value) => sets.every((set) => set.has(value)));
  return left.length === 0 ? values : left;
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
