/** Reduces schemas of parameters and bodies to the parts that decide their type. */
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import { anything, type PathSchema, schemasPrefix } from './openapi.ts';

/** Returns whether a definition has a type. */
export type Known = (definition: string) => boolean;

/** Prefixes of named schemas in OpenAPI 3 and OpenAPI 2. */
const reference = /^#\/(?:components\/schemas|definitions)\/(.*)$/;

/** Names that need no escapes in a reference. Servers use no others. */
const plainName = /^(?!__proto__$)[\w.-]+$/;

/**
 * Maximum number of nodes. Larger schemas are truncated: bodies are references, and no server has inline
 * schemas of this size.
 */
const maxNodes = 1_000;
const maxDepth = 20;

/** Returns the schema of a parameter or a body. An invalid schema or a dangling reference becomes `{}`. */
export function readSchema(value: JsonValue | undefined, known: Known): PathSchema {
  return readNode(value, { known, budget: { nodes: maxNodes }, depth: 0 });
}

interface Walk {
  readonly known: Known;
  /** Number of remaining nodes. Nodes may be shared, so a short document may have very many. */
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
  // A reference cannot have siblings in OpenAPI 3.0, so servers wrap it to add a description.
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

/** Additional keys may have any value, unless the schema types them. */
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
