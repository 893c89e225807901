/** The part of a cluster's state that two runs of an operator must agree on, and their differences. */

import {
  array,
  equal,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  text,
} from '@kgen/schema/values/json';
import type { Store, StoreContent } from '@kgen/testserver/internal/store/store';
import { type Difference, differencesOf } from '../../../values/differences.ts';

/** Objects by `resource namespace/name`, without identities and times, which differ between runs. */
export type View = ReadonlyMap<string, Json>;

/** Selects the objects of a view. */
export interface ViewScope {
  /** Storage keys of resources. */
  readonly resources: ReadonlySet<string>;
  /** Those of `resources` whose status is the operator's own. */
  readonly withStatus: ReadonlySet<string>;
  /** Objects that existed before the run. They are shown only if they have changed. */
  readonly base: StoreContent;
  /** Selects objects that are not shown, because they depend on the past. */
  readonly outlives: (object: JsonObject) => boolean;
}

/** Returns the view of the objects of some resources. */
export function viewOf(
  store: Pick<Store, 'list'>,
  { resources, withStatus, base, outlives }: ViewScope,
): View {
  const view = new Map<string, Json>();
  for (const resource of [...resources].sort()) {
    const before = new Set(base.get(resource)?.map(([, value]) => value));
    const changed = store.list(resource).filter(([, value]) => !before.has(value) && !outlives(value));
    const found = changed.map(([, value]): [string, Json] => {
      const kept = withStatus.has(resource) ? value : omit(value, 'status');
      return [`${resource} ${nameOf(value)}`, objectView(kept)];
    });
    const sorted = found.map((entry) => ({ entry, text: JSON.stringify(entry) }));
    sorted.sort((a, b) => (a.text < b.text ? -1 : 1));
    for (const { entry } of sorted) view.set(freeKey(view, entry[0]), entry[1]);
  }
  return view;
}

/** Objects with generated names have the same key, and a number from the second on. */
function freeKey(view: View, key: string): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? key : `${key} (${number})`;
    if (!view.has(numbered)) return numbered;
  }
}

function nameOf(value: JsonObject): string {
  const namespace = text(value, 'metadata', 'namespace');
  const generated = text(value, 'metadata', 'generateName');
  const name = generated === '' ? masked(text(value, 'metadata', 'name')) : `${generated}*`;
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** An annotation that another client has set on an object of the operator. */
export const foreignAnnotation = 'simulation.kgen.dev/annotated';

/** Returns a line for each annotated object that exists, but has lost its annotation. */
export function lostAnnotations(
  store: Pick<Store, 'list'>,
  resources: Iterable<string>,
  annotated: ReadonlyMap<string, string>,
): readonly string[] {
  return [...resources].flatMap((resource) =>
    store.list(resource).flatMap(([, value]) => {
      const name = annotated.get(text(value, 'metadata', 'uid'));
      const isKept = text(value, 'metadata', 'annotations', foreignAnnotation) !== '';
      return name === undefined || isKept ? [] : [`${name} has lost the annotation ${foreignAnnotation}`];
    }),
  );
}

/** Metadata that the server or other controllers write. */
const hidden: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'selfLink',
  'name',
  'annotations',
]);

function objectView(value: JsonObject): Json {
  const metadata = fromEntries(
    Object.entries(object(value, 'metadata')).filter(([name]) => !hidden.has(name)),
  );
  const annotations = Object.entries(object(value, 'metadata', 'annotations')).filter(
    ([name]) => !name.startsWith('deployment.kubernetes.io/') && name !== foreignAnnotation,
  );
  const shown = annotations.length === 0 ? metadata : { ...metadata, annotations: fromEntries(annotations) };
  return maskedJson({ ...value, metadata: shown });
}

/** Members that the server allocates. */
const allocated: ReadonlySet<string> = new Set([
  'nodePort',
  'healthCheckNodePort',
  'clusterIP',
  'clusterIPs',
]);

function maskedJson(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (isArray(value)) return value.map(maskedJson);
  if (!isObject(value)) return value;
  return fromEntries(
    Object.keys(value)
      .filter((key) => !allocated.has(key))
      .sort()
      .map((key): [string, Json] => [masked(key), maskedJson(value[key] ?? null)]),
  );
}

function masked(value: string): string {
  return value
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '<ip>');
}

/** Maximum number of differing fields of one object that are listed. */
const mostFields = 5;

/** Returns a line for each difference: a missing or additional object, or a field with both values. */
export function differences(expected: View, actual: View): readonly string[] {
  const lines: string[] = [];
  for (const [key, value] of expected) {
    const other = actual.get(key);
    if (other === undefined) lines.push(`${key} is missing`);
    else
      lines.push(
        ...differencesOf(value, other, equal)
          .slice(0, mostFields)
          .map((difference) => `${key}: ${differenceText(difference)}`),
      );
  }
  for (const key of actual.keys()) if (!expected.has(key)) lines.push(`${key} should not exist`);
  return lines;
}

function differenceText({ path, expected, actual }: Difference): string {
  const field = path.replace(/^\./, '');
  if (expected === undefined) return `${field} is ${JSON.stringify(actual)} and should be absent`;
  if (actual === undefined) return `${field} is absent in place of ${JSON.stringify(expected)}`;
  return `${field} is ${JSON.stringify(actual)} in place of ${JSON.stringify(expected)}`;
}

/** Paths of members, outside of lists, that field managers own in an object. */
export function ownedPaths(value: JsonObject, managers: ReadonlySet<string>): readonly (readonly string[])[] {
  return array(value, 'metadata', 'managedFields')
    .filter((entry) => managers.has(text(entry, 'manager')) && text(entry, 'subresource') === '')
    .flatMap((entry) => leaves(object(entry, 'fieldsV1'), []));
}

function leaves(fields: JsonObject, path: readonly string[]): readonly (readonly string[])[] {
  const members = Object.entries(fields).filter(([key]) => key.startsWith('f:'));
  if (members.length === 0 && Object.keys(fields).length === 0) return [path];
  return members.flatMap(([key, inner]) => leaves(isObject(inner) ? inner : {}, [...path, key.slice(2)]));
}
