/** Types of nodes, with the keywords that need no documentation. */
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { listOf } from '../../input/json.ts';
import type { Literal, Shape } from '../ir.ts';
import type { LogicKeyword } from './facts.ts';

/** The type of a node, and the keywords that it expresses completely. */
export interface Typed {
  readonly shape: Shape;
  /** Whether the type itself allows `null`, in addition to the keyword `nullable`. */
  readonly nullable: boolean;
  /** Keywords that documentation need not repeat. */
  readonly stated: readonly LogicKeyword[];
}

/** Returns a type that expresses no logical keyword. */
export function typed(shape: Shape, stated: readonly LogicKeyword[] = [], nullable = false): Typed {
  return { shape, nullable, stated };
}

/** The `type` of a schema: a string in OpenAPI, a string or a list in JSON schema. */
export interface StatedTypes {
  /** Known types without `null` and duplicates, in the order of the schema. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Values that are not types. */
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
  const words = new Set<unknown>(typeof type === 'string' ? [type] : listOf(type));
  const nullable = words.delete('null');
  const types = [...words].filter((word): word is string => knownTypes.has(word));
  const unknown =
    Array.isArray(type) || typeof type === 'string'
      ? [...words].filter((word) => !knownTypes.has(word))
      : [type];
  return { types, nullable, unknown };
}

/** Returns a set of literals, which is open if servers may add others. */
export function enumShape(values: readonly Literal[], open: boolean): Shape {
  return { shape: 'enum', values, open };
}
