import { array, equal, type Json, type JsonObject, putAt, strings, text } from '@kgen/schema/values/json';
import type { Verb } from '../call/verb.ts';
import { namespaces } from '../resources/builtin.ts';
import { servedTypes } from '../resources/catalog.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Cluster } from './cluster.ts';
import type { Controller } from './controller.ts';

/** Deletes the objects in deleted namespaces, and the namespaces once they are empty. */
export const namespaceController: Controller = {
  name: 'namespaces',
  keys: ({ resource, key, type }, cluster) => {
    if (resource === namespaces.storage) return [key];
    const [namespace = '', name] = key.split('/');
    if (type === 'ADDED' || name === undefined) return [];
    return isTerminating(cluster.state.store.get(namespaces.storage, namespace)) ? [namespace] : [];
  },
  *reconcile(name, cluster) {
    const found = cluster.state.store.get(namespaces.storage, name);
    if (found === undefined || !isTerminating(found)) return;
    // Pods may need the other objects until they have ended.
    const podTypes = contentTypes(cluster).filter(({ storage }) => storage === 'pods');
    if ((yield* deleteContent(cluster, name, podTypes)).length > 0) {
      report(cluster, name, []);
      return;
    }
    const rest = yield* deleteContent(cluster, name, contentTypes(cluster));
    report(cluster, name, rest);
    if (rest.length === 0) finalize(cluster, name);
  },
};

function isTerminating(namespace: JsonObject | undefined): boolean {
  return text(namespace, 'metadata', 'deletionTimestamp') !== '';
}

interface Content {
  readonly type: ResourceType;
  readonly value: JsonObject;
}

function contentTypes(cluster: Cluster): readonly ResourceType[] {
  const served = servedTypes(cluster.state.store).filter((type) => type.namespaced);
  return [...new Map(served.map((type) => [type.storage, type])).values()];
}

/** Deletes the objects of a namespace, and returns those that remain. */
function* deleteContent(
  cluster: Cluster,
  namespace: string,
  types: readonly ResourceType[],
): Verb<readonly Content[]> {
  const contents = (): readonly Content[] =>
    types.flatMap((type) =>
      cluster.state.store.list(type.storage, `${namespace}/`).map(([, value]) => ({ type, value })),
    );
  for (const { type, value } of contents()) {
    if (text(value, 'metadata', 'deletionTimestamp') !== '') continue;
    yield* cluster.remove(type, value, { propagationPolicy: 'Background' });
  }
  return contents();
}

/** Removes the finalizer that holds the namespace, and the namespace if nothing else holds it. */
function finalize(cluster: Cluster, name: string): void {
  const { store } = cluster.state;
  const value = store.get(namespaces.storage, name);
  if (value === undefined) return;
  const finalizers = strings(value, 'spec', 'finalizers').filter((item) => item !== 'kubernetes');
  const isHeld = finalizers.length > 0 || strings(value, 'metadata', 'finalizers').length > 0;
  if (!isHeld) store.remove(namespaces.storage, name);
  else if (strings(value, 'spec', 'finalizers').includes('kubernetes')) {
    store.put(namespaces.storage, name, putAt(value, ['spec', 'finalizers'], finalizers));
  }
}

/** Reports what the deletion of a namespace waits for. */
function report(cluster: Cluster, name: string, rest: readonly Content[]): void {
  const { store } = cluster.state;
  const value = store.get(namespaces.storage, name);
  if (value === undefined) return;
  const before = array(value, 'status', 'conditions');
  const next = conditionsOf(rest).reduce<readonly Json[]>(
    (all, condition) => merged(all, condition, cluster.timestamp()),
    before,
  );
  if (!equal(before, next)) store.put(namespaces.storage, name, putAt(value, ['status', 'conditions'], next));
}

/** Returns the conditions with one of them changed in its place. */
function merged(all: readonly Json[], next: JsonObject, now: string): readonly Json[] {
  const isSameType = (each: Json): boolean => text(each, 'type') === text(next, 'type');
  const before = all.find(isSameType);
  if (before === undefined) return [...all, { ...next, lastTransitionTime: now }];
  const isSame = text(before, 'status') === text(next, 'status');
  const lastTransitionTime = isSame ? text(before, 'lastTransitionTime') : now;
  return all.map((each) => (isSameType(each) ? { ...next, lastTransitionTime } : each));
}

function conditionsOf(rest: readonly Content[]): readonly JsonObject[] {
  const finalizers = rest.flatMap(({ value }) => strings(value, 'metadata', 'finalizers'));
  const resources = rest.map(({ type }) => `${type.plural}.${type.group}`);
  return [
    state('DeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'),
    state(
      'DeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    state(
      'DeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    resources.length > 0
      ? state(
          'ContentRemaining',
          true,
          'SomeResourcesRemain',
          `Some resources are remaining: ${counts(resources, 'has')}`,
        )
      : state('ContentRemaining', false, 'ContentRemoved', 'All content successfully removed'),
    finalizers.length > 0
      ? state(
          'FinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${counts(finalizers, 'in')}`,
        )
      : state(
          'FinalizersRemaining',
          false,
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ];
}

function state(name: string, isTrue: boolean, reason: string, message: string): JsonObject {
  return { type: `Namespace${name}`, status: isTrue ? 'True' : 'False', reason, message };
}

function counts(names: readonly string[], verb: string): string {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${verb} ${count} resource instances`)
    .join(', ');
}
