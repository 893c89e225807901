/** A second namespace, in which users create objects under the names of the first one. */
import { compact, type JsonObject, object, omit, text } from '@kgen/schema/values/json';
import type { ObjectSource } from '@kgen/testserver/internal/server/sources';

/** Kinds to whose objects others refer by their names. */
const referredTo: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Role',
  'RoleBinding',
  'Secret',
  'ServiceAccount',
]);

/**
 * Returns a Namespace like the first one among objects, with copies of those to which others refer, such as
 * Secrets.
 */
export function copiesIn(namespace: string, objects: readonly JsonObject[]): readonly ObjectSource[] {
  const copies = objects
    .filter((value) => referredTo.has(text(value, 'kind')))
    .map((value) => ({ ...createdIn(omit(value, 'status'), namespace), kind: text(value, 'kind') }));
  const known = objects.find((value) => text(value, 'kind') === 'Namespace');
  const byName = new Map(copies.map((copy) => [`${copy.kind} ${text(copy, 'metadata', 'name')}`, copy]));
  return [namedLike(known, namespace), ...byName.values()];
}

/** Returns an object of a server as a user would create it in a namespace. */
export function createdIn(value: JsonObject, namespace: string): JsonObject {
  const { name, labels, annotations } = object(value, 'metadata');
  return { ...value, metadata: compact({ name, namespace, labels, annotations }) };
}

/** Returns a Namespace with the labels of another one, which webhooks may select. */
function namedLike(known: JsonObject | undefined, name: string): ObjectSource & JsonObject {
  const { labels, annotations } = object(known, 'metadata');
  return { apiVersion: 'v1', kind: 'Namespace', metadata: compact({ name, labels, annotations }) };
}
