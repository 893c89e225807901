/** Objects of others whose names and labels are like those of the operator's objects. None may change. */
import {
  compact,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  object,
  omit,
  text,
} from '@kgen/schema/values/json';
import type { Store, StoreContent } from '@kgen/testserver/internal/store/store';
import { allocated } from './compare/renaming.ts';
import type { Snapshot } from './compare/snapshot.ts';

/** Namespace in which they have the names of the operator's objects. */
export const bystanderNamespace = 'bystanders';

/** An object of others, as it is stored. */
export interface Bystander {
  /** Storage key of its resource. */
  readonly resource: string;
  readonly key: string;
  readonly value: JsonObject;
}

/** Resources of which others have objects: no controller of the cluster acts on them. */
const resources: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'services',
  'serviceaccounts',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
]);

/**
 * Returns objects like those that an operator has created: in its namespace with a name that begins like one
 * of them, and in another namespace with the same name. Labels that contain the name of a declaration are as
 * those of the operator; others, by which it may find all of its objects, are absent.
 * @param sampleResources resources of users' objects, of which others have none
 * @param declared names of the objects of users
 */
export function bystandersOf(
  snapshot: Snapshot,
  sampleResources: ReadonlySet<string>,
  declared: readonly string[],
): readonly JsonObject[] {
  const isOfOthers = (resource: string): boolean => resources.has(resource) && !sampleResources.has(resource);
  const created = snapshot.filter(
    ({ resource, value, isShown }) =>
      isShown && isOfOthers(resource) && text(value, 'metadata', 'namespace') !== '',
  );
  return created.flatMap(({ value }) => {
    const near = (name: string): string =>
      declared.reduce((each, one) => each.replaceAll(one, `${one}0`), name);
    const name = text(value, 'metadata', 'name');
    const other = near(name) === name ? `${name}-0` : near(name);
    const namespace = text(value, 'metadata', 'namespace');
    return [
      likeness(value, { name: other, namespace, labels: labelsOf(value, declared, near) }),
      likeness(value, { name, namespace: bystanderNamespace, labels: labelsOf(value, declared, String) }),
    ];
  });
}

function likeness(value: JsonObject, metadata: JsonObject): JsonObject {
  return { ...object(withoutAllocated(omit(value, 'status', 'metadata'))), metadata: compact(metadata) };
}

function withoutAllocated(value: Json): Json {
  if (isArray(value)) return value.map(withoutAllocated);
  if (!isObject(value)) return value;
  return mapped(value, (key, item) => (allocated.has(key) ? undefined : withoutAllocated(item)));
}

function labelsOf(
  value: JsonObject,
  declared: readonly string[],
  rename: (text: string) => string,
): JsonObject {
  const labels = Object.entries(object(value, 'metadata', 'labels')).flatMap(([key, label]) =>
    typeof label === 'string' && declared.some((name) => label.includes(name))
      ? [[key, rename(label)] as const]
      : [],
  );
  return fromEntries(labels);
}

/** Returns the objects that a cluster has in addition to an earlier state, of the resources of bystanders. */
export function addedBystanders(before: StoreContent, after: StoreContent): readonly Bystander[] {
  return [...resources].flatMap((resource) => {
    const known = new Set(before.get(resource)?.map(([key]) => key));
    const added = (after.get(resource) ?? []).filter(([key]) => !known.has(key));
    return added.map(([key, value]) => ({ resource, key, value }));
  });
}

/** Returns a line for each of these objects that has changed, and their kinds. */
export function changedBystanders(
  store: Pick<Store, 'get'>,
  bystanders: readonly Bystander[],
): { readonly lines: readonly string[]; readonly kinds: readonly string[] } {
  const changed = bystanders.filter(({ resource, key, value }) => store.get(resource, key) !== value);
  return {
    lines: changed.map(({ resource, key }) => {
      const verb = store.get(resource, key) === undefined ? 'deleted' : 'changed';
      return `${resource} ${key} of another client was ${verb}`;
    }),
    kinds: changed.map(({ value }) => text(value, 'kind')),
  };
}
