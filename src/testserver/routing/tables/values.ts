/** Cells that the tables of several kinds have in common. */
import { array, at, type Json, type JsonObject, object, text } from '@kgen/schema/values/json';
import { age } from './duration.ts';

/** Returns the name of an object. */
export function nameOf(value: Json | undefined): string {
  return text(value, 'metadata', 'name');
}

/** Returns the age of an object. */
export function ageOf(value: Json | undefined, now: number): string {
  return age(text(value, 'metadata', 'creationTimestamp'), now);
}

/** Returns the number at the path `keys`, or 0. */
export function count(value: Json | undefined, ...keys: readonly string[]): number {
  const found = at(value, ...keys);
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : 0;
}

/** Returns the value at the path `keys` as a string, or `missing`. */
export function printed(value: Json | undefined, missing: string, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return found === undefined || found === null ? missing : String(found);
}

/** Returns names and images of the containers of a pod template. */
export function containerCells(podSpec: JsonObject): readonly string[] {
  const containers = array(podSpec, 'containers');
  return ['name', 'image'].map((key) => containers.map((container) => text(container, key)).join(','));
}

/** Returns labels as `a=b,c=d`, or `<none>`. */
export function formatLabels(labels: JsonObject): string {
  return requirementsOf({ matchLabels: labels }).join(',') || '<none>';
}

/** Returns a label selector as a query, or `<none>`. */
export function formatSelector(selector: Json | undefined): string {
  return requirementsOf(selector).join(',') || '<none>';
}

/** Returns the requirements of a label selector in the syntax of queries, sorted by key. */
export function requirementsOf(selector: Json | undefined): readonly string[] {
  const equal = Object.entries(object(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    query: `${key}=${String(value)}`,
  }));
  const others = array(selector, 'matchExpressions').map((item) => ({
    key: text(item, 'key'),
    query: expression(item),
  }));
  const all = [...equal, ...others].toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return all.map(({ query }) => query);
}

function expression(item: Json): string {
  const key = text(item, 'key');
  const values = array(item, 'values').map(String).toSorted().join(',');
  switch (text(item, 'operator')) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

/** Returns the first `limit` items, and the number of the others. */
export function listWithMore(items: readonly string[], limit: number): string {
  const shown = items.slice(0, limit).join(',');
  return items.length > limit ? `${shown} + ${items.length - limit} more...` : shown;
}
