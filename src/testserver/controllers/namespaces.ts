import {
  array,
  equal,
  type Json,
  type JsonObject,
  object,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import { namespaces } from '../resources/builtin.ts';
import { servedTypes } from '../resources/catalog.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Cluster } from './cluster.ts';
import type { Controller } from './controller.ts';
import { withCondition } from './workloads/values.ts';

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
    for (const { type, value } of contentsOf(cluster, name)) {
      if (text(value, 'metadata', 'deletionTimestamp') !== '') continue;
      yield* cluster.remove(type, value, { propagationPolicy: 'Background' });
    }
    const rest = contentsOf(cluster, name);
    if (rest.length === 0) finalize(cluster, name);
    else reportRemaining(cluster, name, rest);
  },
};

function isTerminating(namespace: JsonObject | undefined): boolean {
  return text(namespace, 'metadata', 'deletionTimestamp') !== '';
}

interface Content {
  readonly type: ResourceType;
  readonly value: JsonObject;
}

function contentsOf(cluster: Cluster, namespace: string): readonly Content[] {
  const { store } = cluster.state;
  const served = servedTypes(store).filter((type) => type.namespaced);
  const types = new Map(served.map((type) => [type.storage, type]));
  return [...types.values()].flatMap((type) =>
    store.list(type.storage, `${namespace}/`).map(([, value]) => ({ type, value })),
  );
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

/** Explains in the status of a namespace what it waits for. */
function reportRemaining(cluster: Cluster, name: string, rest: readonly Content[]): void {
  const { store } = cluster.state;
  const value = store.get(namespaces.storage, name);
  if (value === undefined) return;
  const before = array(value, 'status', 'conditions');
  const next = conditionsOf(rest).reduce<readonly Json[]>(
    (all, condition) => withMessage(all, { ...condition, lastTransitionTime: cluster.timestamp() }),
    before,
  );
  if (!equal(before, next)) store.put(namespaces.storage, name, putAt(value, ['status', 'conditions'], next));
}

function withMessage(all: readonly Json[], condition: JsonObject): readonly Json[] {
  const type = text(condition, 'type');
  return withCondition(all, condition).map((each) =>
    text(each, 'type') === type ? { ...object(each), message: text(condition, 'message') } : each,
  );
}

function conditionsOf(rest: readonly Content[]): readonly JsonObject[] {
  const finalizers = rest.flatMap(({ value }) => strings(value, 'metadata', 'finalizers'));
  const hasFinalizers = finalizers.length > 0;
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
    state(
      'ContentRemaining',
      true,
      'SomeResourcesRemain',
      `Some resources are remaining: ${counts(
        rest.map(({ type }) => (type.group === '' ? `${type.plural}.` : `${type.plural}.${type.group}`)),
        'has',
      )}`,
    ),
    hasFinalizers
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
