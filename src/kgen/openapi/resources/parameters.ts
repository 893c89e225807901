import { byText } from '../../common/words.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject } from '../../input/json.ts';
import { resolved } from '../documents/refs.ts';
import type { ApiParameter } from '../types.ts';
import type { Operation } from './operations.ts';

/** Parameters that every request accepts. */
const everywhere: ReadonlySet<string> = new Set(['pretty']);

/** Parameters that servers accept repeatedly although their documents declare a single value. */
const repeated: ReadonlySet<string> = new Set(['exec command', 'attach command', 'portforward ports']);

/**
 * Returns the query parameters of an operation and of its path item, sorted by name. Parameters of the
 * operation take precedence. Excludes parameters of every request, and `path` if it is part of the path.
 */
export function parametersOf(operations: readonly Operation[]): readonly ApiParameter[] {
  const found = new Map<string, ApiParameter>();
  const hasPath = operations.some(({ path }) => path.open);
  for (const operation of operations) {
    for (const parameter of queryOf(operation)) {
      if (!found.has(parameter.name) && !(hasPath && parameter.name === 'path'))
        found.set(parameter.name, parameter);
    }
  }
  return [...found.values()].sort((a, b) => byText(a.name, b.name));
}

function queryOf({ value, item, document, path }: Operation): readonly ApiParameter[] {
  const all = [value['parameters'], item['parameters']].flatMap((list) => (isList(list) ? list : []));
  return all.flatMap((entry) => {
    const node = resolved(document.value, entry);
    return isObject(node) && node['in'] === 'query' ? (parameterOf(node, path.subresource) ?? []) : [];
  });
}

function parameterOf(node: JsonObject, subresource = ''): ApiParameter | undefined {
  const { name, description } = node;
  if (typeof name !== 'string' || everywhere.has(name)) return undefined;
  const schema = isObject(node['schema']) ? node['schema'] : node;
  const isList = schema['type'] === 'array';
  const value = isList && isObject(schema['items']) ? schema['items'] : schema;
  const found = {
    name,
    type: typeOf(value['type']),
    list: isList || repeated.has(`${subresource} ${name}`),
  };
  return typeof description === 'string' ? { ...found, description } : found;
}

function typeOf(type: JsonValue | undefined): ApiParameter['type'] {
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}
