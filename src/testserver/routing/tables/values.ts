/** Cells that the tables of several kinds have in common. */
import { array, at, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { selectorText } from '../../resources/label-selector.ts';
import { age } from './duration.ts';

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
  return selectorText({ matchLabels: labels }) || '<none>';
}

/** Returns a label selector as a query, or `<none>`. */
export function formatSelector(selector: Json | undefined): string {
  return selectorText(selector) || '<none>';
}

/** Returns the first `limit` items, and the number of the others. */
export function listWithMore(items: readonly string[], limit: number): string {
  const shown = items.slice(0, limit).join(',');
  return items.length > limit ? `${shown} + ${items.length - limit} more...` : shown;
}
