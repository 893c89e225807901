/** Differences, YAML, histories and the tree of objects. */
import { expect, test } from 'vitest';
import { recordingEntries, recordingText } from '../../recording.fixture.ts';
import { viewOfRecording } from '../../recording.ts';
import { differencesOf } from './differences.ts';
import { idOf, modelOf, type RunModel, reconcilesOf, stateBefore } from './run-model.ts';
import { eventText } from './texts.ts';
import { treeOf } from './tree.ts';
import { shortText, yamlOf } from './yaml.ts';

test.each([
  ['a changed field', { a: { b: 1 } }, { a: { b: 2 } }, ['.a.b']],
  ['added and removed fields', { a: 1 }, { b: 1 }, ['.a', '.b']],
  ['an item of an array', { a: [1, 2] }, { a: [1, 3] }, ['.a[1]']],
  ['a key with dots', { labels: { 'a.b/c': '1' } }, { labels: { 'a.b/c': '2' } }, ['.labels["a.b/c"]']],
  ['another type', { a: [] }, { a: {} }, ['.a']],
  [
    'bookkeeping of the server',
    { metadata: { resourceVersion: '1', managedFields: [] } },
    { metadata: { resourceVersion: '2' } },
    [],
  ],
])('finds %s', (_, before, after, paths) => {
  expect(differencesOf(before, after).map(({ path }) => path)).toEqual(paths);
});

test('differences are limited', () => {
  const labels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`label-${index}`, '']));
  expect(differencesOf({}, { ...labels }, 7)).toHaveLength(7);
});

test('YAML quotes strings that would be other values, and leaves managed fields out', () => {
  const object = {
    metadata: { name: 'web', labels: {}, managedFields: [1] },
    list: [{ a: 'true', b: ['x: y'] }, []],
    number: 1,
    text: 'a\nb',
  };
  expect(yamlOf(object).split('\n')).toEqual([
    ...['metadata:', '  name: web', '  labels: {}', 'list:', '- a: "true"', '  b:', '  - "x: y"', '- []'],
    ...['number: 1', 'text: "a\\nb"'],
  ]);
});

test('long strings are shortened', () => {
  expect(yamlOf({ a: 'x'.repeat(1_000_000) }).length).toBeLessThan(3_000);
  expect(shortText('x'.repeat(1_000_000), 10)).toBe('"xxxxxxxx…');
});

const model = modelOfEntries(recordingEntries);

function modelOfEntries(entries: readonly object[]): RunModel {
  const [run] = viewOfRecording(recordingText(entries)).runs;
  if (run === undefined) throw new Error('no run');
  return modelOf(run);
}

function historyOf(resource: string): readonly string[] {
  const found = [...model.objects.values()].find(({ target }) => target.resource === resource);
  return found?.states.map(({ change, by }) => (by === undefined ? change : `${change} by ${by}`)) ?? [];
}

test('an object has the states of its informer, or those of responses', () => {
  expect(historyOf('apps')).toEqual(['existing', 'update']);
  expect(historyOf('configmaps')).toEqual(['write by 1']);
});

test('objects in responses of other services are not objects of the run', () => {
  const body = JSON.stringify({ kind: 'App', metadata: { name: 'web', resourceVersion: '7' } });
  const other = modelOfEntries([
    ...recordingEntries,
    {
      type: 'fetch',
      run: 1,
      request: 7,
      method: 'PUT',
      url: 'https://cluster.example.com/apis/a/v1/apps/web',
    },
    { type: 'fetched', run: 1, request: 7, result: 'response', status: 200 },
    { type: 'fetched body', run: 1, request: 7, encoding: 'utf8', body },
  ]);
  expect([...other.objects.keys()]).toEqual([...model.objects.keys()]);
  const event = other.run.events.at(-1);
  expect(event && eventText(event)).toBe('PUT https://cluster.example.com/apis/a/v1/apps/web');
});

test('a state that a response and an informer have is one, with its reconcile', () => {
  const change = { type: 'change', at: Date.parse('2026-01-05T10:00:02Z'), informer: 2, change: 'add' };
  const { body } = { body: Reflect.get(recordingEntries[8] ?? {}, 'body') };
  const informer = {
    type: 'informer',
    informer: 2,
    group: '',
    version: 'v1',
    resource: 'configmaps',
    kind: 'ConfigMap',
  };
  const { objects } = modelOfEntries([...recordingEntries, informer, { ...change, object: body }]);
  const [map] = [...objects.values()].filter(({ target }) => target.resource === 'configmaps');
  expect(map?.states).toMatchObject([{ change: 'create', by: 1 }]);
});

test('the reconciles of an object are those that it woke, and those that wrote it', () => {
  const touched = [...model.objects.values()].map((each) => [
    each.target.resource,
    reconcilesOf(model, each).length,
  ]);
  expect(touched).toEqual([
    ['apps', 1],
    ['secrets', 0],
    ['configmaps', 1],
  ]);
});

test('the state before a write is the last one of another version', () => {
  const request = model.run.events.find((event) => event.kind === 'request');
  if (request?.kind !== 'request') throw new Error('no request');
  expect(stateBefore(model, request)).toBeUndefined();
  const target = { group: 'example.com', resource: 'apps', namespace: 'shop', name: 'web' };
  expect(stateBefore(model, { ...request, target })).toMatchObject({ spec: { size: 2 } });
});

const everything = { kind: '', namespace: '', name: '' };

/** Returns the rows as texts, with two spaces for each level. */
function tree(of: RunModel, filter = everything, folded: readonly string[] = []): readonly string[] {
  return treeOf(of, filter, new Set(folded)).map(
    ({ depth, object, title, count }) =>
      `${'  '.repeat(depth)}${object?.target.resource ?? `${title} ${count}`}`,
  );
}

/** Objects of a kind with which the operator does not work, in addition. */
const withMore = [
  { type: 'informer', informer: 9, group: '', version: 'v1', resource: 'accounts', kind: 'Account' },
  { type: 'object', informer: 9, object: { metadata: { name: 'a', namespace: 'shop' } } },
  ...recordingEntries.slice(1),
];

test('objects are below their owners, which fold', () => {
  const app = idOf({ group: 'example.com', resource: 'apps', namespace: 'shop', name: 'web' });
  expect(tree(model)).toEqual(['apps', '  configmaps', 'secrets']);
  expect(tree(modelOfEntries([...recordingEntries.slice(0, 1), ...withMore]))).toEqual([
    ...['apps', '  configmaps', 'accounts', 'secrets'],
  ]);
  expect(tree(model, everything, [app])).toEqual(['apps', 'secrets']);
});

test('filters keep the owners of objects that match', () => {
  expect(tree(model, { ...everything, kind: 'configmaps' })).toEqual(['apps', '  configmaps']);
  expect(tree(model, { ...everything, name: 'no' })).toEqual([]);
  expect(tree(model, { ...everything, namespace: 'shop' })).toHaveLength(3);
});

test('many objects of a kind are one row until it is opened', () => {
  const pods = Array.from({ length: 20_000 }, (_, index) => ({
    type: 'object',
    informer: 0,
    object: { metadata: { name: `app-${index}`, namespace: 'shop', ownerReferences: [{ uid: 'none' }] } },
  }));
  const many = modelOfEntries([...recordingEntries.slice(0, 2), ...pods]);
  expect(tree(many)).toEqual(['apps.example.com 20000']);
  expect(tree(many, everything, ['group apps.example.com '])).toHaveLength(20_001);
});

test('owners that own each other are not lost and not repeated', () => {
  const owned = (name: string, uid: string, owner: string): object => ({
    type: 'object',
    informer: 0,
    object: { metadata: { name, uid, ownerReferences: [{ uid: owner }] } },
  });
  const cycle = [owned('a', '1', '2'), owned('b', '2', '1')];
  expect(tree(modelOfEntries([...recordingEntries.slice(0, 2), ...cycle]))).toHaveLength(2);
});
