import type { JsonObject } from '../input/crd-input.ts';
import type { LogicKeyword } from './facts.ts';
import type { Literal, Shape } from './ir.ts';
import { asList } from './json.ts';

/** The type of a node, and which of its keywords the type says in full. */
export interface Typed {
  readonly shape: Shape;
  /** True when the type's own words allow `null`; the keyword `nullable` comes on top. */
  readonly nullable: boolean;
  /** Keywords that documentation need not repeat. */
  readonly said: readonly LogicKeyword[];
}

/** A type that leaves every logical keyword to documentation. */
export function typed(shape: Shape, said: readonly LogicKeyword[] = [], nullable = false): Typed {
  return { shape, nullable, said };
}

/** The `type` of a schema, which OpenAPI has as one word and JSON schema as a list as well. */
export interface StatedTypes {
  /** Known types without `null`, each once, in the order of the schema. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Words that are no type. */
  readonly unknown: readonly unknown[];
}

const knownTypes: ReadonlySet<unknown> = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
]);

const byWord: ReadonlyMap<unknown, StatedTypes> = new Map(
  ['string', 'integer', 'number', 'boolean', 'array', 'object'].map((type) => [
    type,
    { types: [type], nullable: false, unknown: [] },
  ]),
);

const nothingStated: StatedTypes = { types: [], nullable: false, unknown: [] };

/** Reads `type`. */
export function typesOf(node: JsonObject): StatedTypes {
  const type = node['type'];
  if (type === undefined || type === null || type === '') return nothingStated;
  const single = byWord.get(type);
  if (single !== undefined) return single;
  const words = new Set<unknown>(typeof type === 'string' ? [type] : asList(type));
  const nullable = words.delete('null');
  const types = [...words].filter((word): word is string => knownTypes.has(word));
  const unknown =
    Array.isArray(type) || typeof type === 'string'
      ? [...words].filter((word) => !knownTypes.has(word))
      : [type];
  return { types, nullable, unknown };
}

/** A set of literals; an open one where servers may add others. */
export function enumShape(values: readonly Literal[], open: boolean): Shape {
  return { shape: 'enum', values, open };
}
