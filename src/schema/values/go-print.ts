import { isArray, isObject, type Json } from './json.ts';

/** Returns a value as Go prints it with `%v`, which messages of the API server contain. */
export function goPrint(value: Json): string {
  if (value === null) return '<nil>';
  if (isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${goPrint(item)}`).join(' ')}]`;
}

/** Returns the Go type of a decoded JSON value. */
export function goType(value: Json): string {
  if (value === null) return '%!s(<nil>)';
  if (isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}
