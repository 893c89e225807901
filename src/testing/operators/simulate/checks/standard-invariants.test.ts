import { pods } from '@kgen/kubernetes/core/v1';
import type { JsonObject } from '@kgen/schema/values/json';
import { describe, expect, it } from 'vitest';
import { type ClusterReader, type Invariant, InvariantChecks } from './invariants.ts';
import { invariants } from './standard-invariants.ts';

const now = Date.UTC(2026, 0, 1);

function pod(name: string, members: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { kind: 'Pod', metadata: { namespace: 'a', name, ...metadata }, ...members };
}

/** Returns the message of an invariant; empty if it holds. */
async function messageOf(invariant: Invariant, objects: readonly JsonObject[]): Promise<string> {
  const found: string[] = [];
  const store: Pick<ClusterReader, 'list'> = { list: () => objects.map((each) => each as never) };
  const list = () => store.list(pods).map((each): [string, JsonObject] => ['', each as never]);
  await new InvariantChecks(
    [invariant],
    { list },
    () => now,
    (message) => found.push(message),
  ).check(false);
  return found.join();
}

describe('onePerRole', () => {
  const primary = { metadata: { labels: { role: 'primary' } } };
  const onePrimary = invariants.onePerRole(pods, ({ metadata }) => metadata.labels?.['role']);
  it.each([
    ['different roles', [pod('b', {}, primary.metadata), pod('c')], ''],
    ['no roles', [pod('b'), pod('c')], ''],
    [
      'one that is being deleted',
      [
        pod('b', {}, primary.metadata),
        pod('c', {}, { ...primary.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ],
      '',
    ],
    [
      'one role',
      [pod('b', {}, primary.metadata), pod('c', {}, primary.metadata)],
      'Error: Pod a/b and Pod a/c have the role primary',
    ],
  ])('%s', async (_, objects, message) => {
    expect(await messageOf(onePrimary, objects)).toBe(message);
  });
});

it.each<[observed: JsonObject, message: string]>([
  [{}, ''],
  [{ observedGeneration: 2 }, ''],
  [{ observedGeneration: 3 }, 'Error: Pod a/b: observedGeneration is 3, and generation 2'],
  [
    { conditions: [{ type: 'Ready', observedGeneration: 4 }] },
    'Error: Pod a/b: observedGeneration is 4, and generation 2',
  ],
])('observedGenerations of %j', async (status, message) => {
  const objects = [pod('b', { status }, { generation: 2 })];
  expect(await messageOf(invariants.observedGenerations(pods), objects)).toBe(message);
});

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'AllReady',
  lastTransitionTime: '2025-12-31T00:00:00Z',
};

it.each<[conditions: readonly JsonObject[], message: string]>([
  [[], ''],
  [[ready, { ...ready, type: 'Synced' }], ''],
  [[ready, ready], 'condition Ready: there are two with this type'],
  [[{ ...ready, type: '' }], 'condition without a type: the type is missing'],
  [[{ ...ready, status: true }], 'condition Ready: the status is true'],
  [[{ ...ready, reason: 'all ready' }], 'condition Ready: the reason is "all ready"'],
  [[{ ...ready, lastTransitionTime: '' }], 'condition Ready: lastTransitionTime is missing'],
  [
    [{ ...ready, lastTransitionTime: '2026-01-02T00:00:00Z' }],
    'condition Ready: lastTransitionTime is in the future',
  ],
])('conditions %j', async (conditions, message) => {
  const found = await messageOf(invariants.conditions(pods), [pod('b', { status: { conditions } })]);
  expect(found).toBe(message === '' ? '' : `Error: Pod a/b: ${message}`);
});

const fields = {
  'f:spec': { 'f:replicas': {}, 'f:items': { 'k:{"name":"x"}': { '.': {}, 'f:image': {} } } },
};

it.each<[manager: string, except: readonly string[][], message: string]>([
  ['user', [], ''],
  ['operator', [], 'Error: Pod a/b: the field manager operator has written spec.replicas'],
  [
    'operator',
    [['spec', 'replicas']],
    'Error: Pod a/b: the field manager operator has written spec.items.image',
  ],
  [
    'operator',
    [
      ['spec', 'replicas'],
      ['spec', 'items', 'image'],
    ],
    '',
  ],
])('specOfUsers with fields of %s, except %j', async (manager, except, message) => {
  const objects = [pod('b', {}, { managedFields: [{ manager, fieldsV1: fields }] })];
  expect(await messageOf(invariants.specOfUsers(pods, except), objects)).toBe(message);
});
