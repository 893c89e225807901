/** Types of defaults. */
import { isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { describe, own } from './members.ts';
import { isSet, type Objection, type Place, placeAt, placesIn, textAt } from './places.ts';

/** Returns objections to defaults whose type differs from that of their schema, at any depth. */
export function mistypedDefaults(root: Place): readonly Objection[] {
  const value = own(root.schema, 'default');
  const fault = value === undefined || value === null ? undefined : typeFault(value, root.schema, '');
  const children = [
    ...placesIn(root, 'properties'),
    ...placeAt(root, 'items'),
    ...placeAt(root, 'additionalProperties'),
  ];
  const keys = [...root.keys, 'default'];
  return [
    ...(fault === undefined
      ? []
      : [{ keys, reason: 'invalid', value: value ?? null, detail: fault } as const]),
    ...children.flatMap(mistypedDefaults),
  ];
}

function typeFault(value: Json, schema: JsonObject, path: string): string | undefined {
  const type = textAt(schema, 'type');
  if (value === null) return isSet(schema, 'nullable') || path === '' ? undefined : wrong(value, type, path);
  if (isSet(schema, 'x-kubernetes-int-or-string'))
    return isInteger(value) || typeof value === 'string'
      ? undefined
      : wrong(value, 'integer or string', path);
  if (type !== '' && !isOfType(value, type)) return wrong(value, type, path);
  if (isArray(value)) {
    const items = own(schema, 'items');
    return isObject(items)
      ? first(value.entries(), (item) => typeFault(item, items, `${path}[]`))
      : undefined;
  }
  if (!isObject(value)) return undefined;
  const properties = own(schema, 'properties');
  const values = own(schema, 'additionalProperties');
  return first(Object.entries(value), (member, name) => {
    const property = isObject(properties) ? own(properties, String(name)) : undefined;
    const inner = property ?? values;
    return isObject(inner) ? typeFault(member, inner, `${path}.${name}`) : undefined;
  });
}

function first<K>(
  entries: Iterable<readonly [K, Json]>,
  find: (value: Json, key: K) => string | undefined,
): string | undefined {
  for (const [key, value] of entries) {
    const found = find(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isInteger(value: Json): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return isInteger(value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}

function wrong(value: Json, type: string, path: string): string {
  const where = path === '' ? '' : ` at ${path.replace(/^\./, '')}`;
  return `must be of type ${type}${where}, not ${describe(value)}`;
}
