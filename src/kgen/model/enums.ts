import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import type { Literal } from './ir.ts';
import { asList, objectsIn } from './json.ts';

/** What the `enum` of a schema says of its type. */
export interface Literals {
  /** At least one; in the order of the schema, each once; with `null` only where nothing else is left. */
  readonly values: readonly Literal[];
  /** True when `null` was among them. */
  readonly nullable: boolean;
}

/**
 * The literals that a schema allows, or undefined when its `enum` (its own, or one of its `allOf` members) cannot be
 * said with literals: there is none, it holds a number beyond 2^53, objects or lists where no type rules them out, or
 * none of its values is of a type in `types` (an empty list allows every type).
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

/** The node's own list first, then those that hold as well. */
function enumsOf(node: JsonObject): readonly (readonly JsonValue[])[] {
  const nodes = [node, ...objectsIn(node['allOf'])];
  return nodes.map((each) => asList(each['enum'])).filter((values) => values.length > 0);
}

/** What all lists allow; where that is nothing, the first stands. */
function narrowed(values: readonly Literal[], others: readonly (readonly JsonValue[])[]): readonly Literal[] {
  const sets = others.map((other) => new Set(other));
  const left = values.filter((value) => sets.every((set) => set.has(value)));
  return left.length === 0 ? values : left;
}

/** What JSON has no word for, such as infinity, is never on the wire. */
function isLiteral(value: JsonValue): value is Literal {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/**
 * An integer whose digits are not certain is no literal, and a list that has one cannot be said with literals.
 * Other numbers are what they are, however large.
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
