/**
 * The annotation in which `kubectl apply` keeps the configuration that it applied. An object that it manages
 * in this way can be applied by the server without conflicts.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#upgrading-from-client-side-apply
 */
import {
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The only manager for which the annotation counts. */
const kubectl = 'kubectl';

/** Returns the configuration of the annotation, or `undefined` if it does not count for a manager. */
export function lastApplied(live: JsonObject, manager: string): JsonObject | undefined {
  const content = text(live, 'metadata', 'annotations', annotation);
  if (manager !== kubectl || content === '') return undefined;
  try {
    const value: Json = readJson(content);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an applied object whose annotation, if it has one, contains the new configuration. */
export function withLastApplied(value: JsonObject, config: JsonObject, manager: string): JsonObject {
  if (manager !== kubectl || text(value, 'metadata', 'annotations', annotation) === '') return value;
  const annotations = own(object(config, 'metadata'), 'annotations');
  const plain = isObject(annotations)
    ? putAt(config, ['metadata', 'annotations'], omit(annotations, annotation))
    : config;
  return putAt(value, ['metadata', 'annotations', annotation], `${writeJson(sorted(plain))}\n`);
}

/** Go writes the keys of maps in alphabetical order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
