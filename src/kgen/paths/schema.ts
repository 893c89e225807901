/** Schemas of parameters and bodies, as a document has them, reduced to what types them. */
import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import { anything, type PathSchema, schemasPrefix } from './openapi.ts';

/** Whether there is a type for a definition. */
export type Known = (definition: string) => boolean;

/** Where OpenAPI 3 and OpenAPI 2 keep named schemas. */
const reference = /^#\/(?:components\/schemas|definitions)\/(.*)$/;

/** Names that stand in a reference as they are. Servers have no others. */
const plainName = /^(?!__proto__$)[\w.-]+$/;

/** Larger schemas are not read to their end: bodies are references, and no server has inline ones of this size. */
const maxNodes = 1_000;
const maxDepth = 20;

/** The schema of a parameter or a body; what cannot be understood, or leads to nothing, becomes `{}`. */
export function readSchema(value: JsonValue | undefined, known: Known): PathSchema {
  return readNode(value, { known, budget: { nodes: maxNodes }, depth: 0 });
}

interface Walk {
  readonly known: Known;
  /** How many nodes may follow: nodes may be shared, and so be many more than the document is long. */
  readonly budget: { nodes: number };
  readonly depth: number;
}

type Below = (node: JsonValue | undefined) => PathSchema;

function readNode(value: JsonValue | undefined, walk: Walk): PathSchema {
  const { known, budget, depth } = walk;
  budget.nodes -= 1;
  if (!isObject(value) || budget.nodes < 0 || depth > maxDepth) return anything;
  const below: Below = (node) => readNode(node, { ...walk, depth: depth + 1 });
  const $ref = own(value, '$ref');
  if (typeof $ref === 'string') return refTo($ref, known);
  if (own(value, 'format') === 'int-or-string') return { oneOf: [{ type: 'integer' }, { type: 'string' }] };
  const wrapped = own(value, 'allOf');
  // A reference cannot have siblings in OpenAPI 3.0, so servers wrap it to describe it.
  if (isList(wrapped)) return wrapped.length === 1 ? below(wrapped[0]) : anything;
  const choices = own(value, 'oneOf') ?? own(value, 'anyOf');
  if (isList(choices)) return choices.length === 0 ? anything : { oneOf: choices.map(below) };
  return typed(value, below);
}

function refTo(path: string, known: Known): PathSchema {
  const name = reference.exec(path)?.[1] ?? '';
  return plainName.test(name) && known(name) ? { $ref: schemasPrefix + name } : anything;
}

function typed(value: JsonObject, below: Below): PathSchema {
  const type = own(value, 'type');
  switch (type) {
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return { type };
    case 'array':
      return { type, items: below(own(value, 'items')) };
    case 'object':
      return objectSchema(value, below);
    default:
      return anything;
  }
}

/** Keys that are not named may hold anything unless the schema types them. */
function objectSchema(value: JsonObject, below: Below): PathSchema {
  const properties = own(value, 'properties');
  const required = own(value, 'required');
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    return { type: 'object', additionalProperties: below(own(value, 'additionalProperties')) };
  }
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, below(schema)])),
    required: isList(required) ? required.filter((name) => typeof name === 'string') : [],
  };
}
