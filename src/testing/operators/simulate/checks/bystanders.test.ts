/** Objects of others beside those of an operator, and objects that were replaced. */
import type { JsonObject } from '@kgen/schema/values/json';
import { expect, test } from 'vitest';
import { addedBystanders, bystanderNamespace, bystandersOf, changedBystanders } from './bystanders.ts';
import { snapshotOf } from './compare/snapshot.ts';
import { replacedLines } from './identity.ts';

const value: JsonObject = {
  kind: 'Service',
  metadata: {
    name: 'object-1-web',
    namespace: 'shop',
    labels: { instance: 'object-1', 'managed-by': 'sites' },
    ownerReferences: [{ uid: 'owner' }],
  },
  spec: { clusterIP: '10.0.0.1', ports: [{ port: 80, nodePort: 30_000 }] },
};

const snapshot = (resource: string, object: JsonObject) =>
  snapshotOf(
    { content: () => new Map([[resource, [['shop/x', object] as const]]]) },
    { resources: new Set([resource]), withStatus: new Set(), base: new Map(), outlives: () => false },
  );

test('have similar names and labels, and neither owners nor members that the server allocates', () => {
  const spec = { ports: [{ port: 80 }] };
  const near = { name: 'object-10-web', namespace: 'shop', labels: { instance: 'object-10' } };
  const far = { name: 'object-1-web', namespace: bystanderNamespace, labels: { instance: 'object-1' } };
  expect(bystandersOf(snapshot('services', value), new Set(), ['object-1'])).toEqual([
    { kind: 'Service', metadata: near, spec },
    { kind: 'Service', metadata: far, spec },
  ]);
});

test.each([
  ['of resources on which controllers of the cluster act', 'deployments.apps', new Set<string>()],
  ['of the resources of users', 'services', new Set(['services'])],
])('are not %s', (_, resource, samples) => {
  expect(bystandersOf(snapshot(resource, value), samples, ['object-1'])).toEqual([]);
});

test('are reported if they were changed or deleted', () => {
  const entries = (keys: readonly string[]) => keys.map((key) => [key, { ...value }] as const);
  const before = new Map([['services', entries(['shop/a'])]]);
  const after = new Map([
    ['services', [...(before.get('services') ?? []), ...entries(['shop/b', 'shop/c'])]],
  ]);
  const bystanders = addedBystanders(before, after);
  expect(bystanders.map(({ key }) => key)).toEqual(['shop/b', 'shop/c']);
  const store = { get: (_: string, key: string) => (key === 'shop/b' ? { ...value } : undefined) };
  expect(changedBystanders(store, bystanders)).toEqual({
    lines: ['services shop/b of another client was changed', 'services shop/c of another client was deleted'],
    kinds: ['Service', 'Service'],
  });
});

test('an object was replaced if it was removed in one run only, and exists in both', () => {
  const run = (removed: readonly string[]) => ({
    snapshot: snapshot('services', value),
    removed: new Set(removed),
  });
  const key = 'services shop/object-1-web';
  expect(replacedLines(run([]), run([]))).toEqual([]);
  expect(replacedLines(run([key]), run([key]))).toEqual([]);
  expect(replacedLines(run([]), run([key]))).toEqual([`${key} was deleted and created again: uid `]);
});
