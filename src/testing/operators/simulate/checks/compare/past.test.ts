/** Differences that a past may leave, and those that it must not. */
import type { JsonObject } from '@kgen/schema/values/json';
import { expect, test } from 'vitest';
import { Chance } from './chance.ts';
import { differenceLines, type RunDifference } from './differences.ts';
import { Exceptions } from './exceptions.ts';
import { type EarlierCluster, remains } from './past.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

/** Objects by `resource name`. */
type Objects = Readonly<Record<string, JsonObject>>;

const apps = 'apps.example.com';

function cluster(objects: Objects): Snapshot {
  const content = new Map<string, (readonly [string, JsonObject])[]>();
  for (const [key, value] of Object.entries(objects)) {
    const [resource = '', name = ''] = key.split(' ');
    const object = { metadata: { name, uid: `uid-of-${name}`, namespace: 'shop' }, ...value };
    content.set(resource, [...(content.get(resource) ?? []), [name, object]]);
  }
  const resources = new Set(content.keys());
  const scope = { resources, withStatus: new Set([apps]), base: new Map(), outlives: () => false };
  return snapshotOf({ content: () => content }, scope);
}

const differences = (fresh: Snapshot, other: Snapshot): readonly RunDifference[] =>
  new Chance(fresh, new Exceptions([])).differences(other);

interface Past {
  readonly fresh: Objects;
  readonly actual: Objects;
  readonly earlier?: Objects;
  readonly ghosts?: Objects;
  readonly deleted?: readonly string[];
  readonly adopted?: readonly string[];
}

function linesOf({
  fresh,
  actual,
  earlier = fresh,
  ghosts = fresh,
  deleted = [],
  adopted = [],
}: Past): readonly string[] {
  const [one, other, before] = [cluster(fresh), cluster(actual), cluster(earlier)];
  const known: EarlierCluster = { snapshot: before, differences: differences(one, before) };
  const left = remains({
    differences: differences(one, other),
    earlier: [known],
    ghosts: differences(one, cluster(ghosts)),
    adopted: new Set(adopted),
    deleted,
    sampleResources: new Set([apps]),
  });
  return differenceLines(left, other);
}

const data = (value: JsonObject): Objects => ({ 'configmaps x': { data: value } });
const status = (value: JsonObject): Objects => ({ [`${apps} x`]: { status: value } });
const job = (state: 'Complete' | 'Suspended'): JsonObject => ({
  kind: 'Job',
  status: { conditions: [{ type: state, status: 'True' }] },
});
const claimBy = (manager: string): Objects => {
  const managedFields = [{ manager, fieldsV1: { 'f:spec': {} } }];
  const metadata = { name: 'x', uid: 'uid-of-x', namespace: 'shop', managedFields };
  return { 'persistentvolumeclaims x': { kind: 'PersistentVolumeClaim', metadata } };
};
const ready = (state: string): JsonObject => ({ conditions: [{ type: 'Ready', status: state }] });
const degraded = (state: string): JsonObject => ({ conditions: [{ type: 'Degraded', status: state }] });
const ownedBy = (name: string): Objects => {
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'App', name, uid: `uid-of-${name}` }];
  return { 'services y': { metadata: { name: 'y', uid: 'uid-of-y', namespace: 'shop', ownerReferences } } };
};
const shrink = { type: 'CannotShrink', status: 'True' };

test.each<[title: string, past: Past, lines: readonly string[]]>([
  ['equal objects', { fresh: data({ a: '1' }), actual: data({ a: '1' }) }, []],
  [
    'a key of an earlier declaration',
    { fresh: data({ a: '1' }), actual: data({ a: '1', b: '2' }), earlier: data({ a: '1', b: '2' }) },
    ['configmaps shop/x: data.b is "2" and should be absent'],
  ],
  [
    'a value of an earlier declaration',
    { fresh: data({ a: '1' }), actual: data({ a: '0' }), earlier: data({ a: '0' }) },
    ['configmaps shop/x: data.a is "0" in place of "1"'],
  ],
  ['a value that no declaration has had', { fresh: data({ a: '1' }), actual: data({ a: '7' }) }, []],
  [
    'a missing key',
    { fresh: data({ a: '1', b: '2' }), actual: data({ a: '1' }) },
    ['configmaps shop/x: data.b is absent in place of "2"'],
  ],
  [
    'an object of an earlier declaration',
    { fresh: {}, actual: data({}), earlier: data({}) },
    ['configmaps shop/x should not exist'],
  ],
  ['an object that no declaration has had', { fresh: {}, actual: data({}) }, []],
  ['a missing object', { fresh: data({}), actual: {} }, ['configmaps shop/x is missing']],
  [
    'an object of a user that was deleted with its owner',
    { fresh: data({}), actual: {}, adopted: ['configmaps shop/x'] },
    [],
  ],
  ['a claim of a StatefulSet', { fresh: {}, actual: claimBy('kube-controller-manager') }, []],
  [
    'a claim of the operator',
    { fresh: {}, actual: claimBy('operator'), earlier: claimBy('operator') },
    ['persistentvolumeclaims shop/x should not exist'],
  ],
  [
    'an object whose name contains a generation',
    { fresh: { 'configmaps x-1': {} }, actual: { 'configmaps x-3': {} }, earlier: { 'configmaps x-1': {} } },
    [],
  ],
  [
    'a finished Job',
    { fresh: {}, actual: { 'jobs.batch x': job('Complete') }, earlier: { 'jobs.batch x': job('Complete') } },
    [],
  ],
  [
    'a Job that has not finished',
    {
      fresh: {},
      actual: { 'jobs.batch x': job('Suspended') },
      earlier: { 'jobs.batch x': job('Suspended') },
    },
    ['jobs.batch shop/x should not exist'],
  ],
  [
    'a number that was allocated while another object existed',
    {
      fresh: data({ port: '1' }),
      actual: data({ port: '2' }),
      earlier: data({ port: '2' }),
      ghosts: data({ port: '2' }),
      deleted: ['gone'],
    },
    [],
  ],
  [
    'a value that contains the name of a deleted object',
    {
      fresh: data({ peers: 'x' }),
      actual: data({ peers: 'x,gone' }),
      earlier: data({ peers: 'x,gone' }),
      ghosts: data({ peers: 'x,gone' }),
      deleted: ['gone'],
    },
    ['configmaps shop/x: data.peers is "x,gone" in place of "x"'],
  ],
  [
    'an item of an earlier declaration',
    {
      fresh: { 'services x': { spec: { ports: [1] } } },
      actual: { 'services x': { spec: { ports: [1, 2] } } },
      earlier: { 'services x': { spec: { ports: [2] } } },
    },
    ['services shop/x: spec.ports is [1,2] in place of [1]'],
  ],
  [
    'a list of an earlier declaration',
    {
      fresh: { 'services x': { spec: { ports: [1] } } },
      actual: { 'services x': { spec: { ports: [1, 2] } } },
      earlier: { 'services x': { spec: { ports: [1, 2] } } },
    },
    ['services shop/x: spec.ports is [1,2] in place of [1]'],
  ],
  [
    'a state that is never left',
    {
      fresh: status({ phase: 'Ready' }),
      actual: status({ phase: 'Bad' }),
      earlier: status({ phase: 'Bad' }),
    },
    [`${apps} shop/x: status.phase is "Bad" in place of "Ready"`],
  ],
  [
    'a condition of a change only',
    {
      fresh: status({ conditions: [] }),
      actual: status({ conditions: [{ type: 'Resized', status: 'True' }] }),
    },
    [],
  ],
  [
    'the size of a claim',
    {
      fresh: { 'persistentvolumeclaims x': { spec: { size: 1 } } },
      actual: { 'persistentvolumeclaims x': { spec: { size: 2 } } },
      earlier: { 'persistentvolumeclaims x': { spec: { size: 2 } } },
    },
    [],
  ],
  [
    'a size that the operator declines to change, as a condition states',
    {
      fresh: { ...status({ conditions: [] }), ...data({ size: '1' }) },
      actual: { ...status({ conditions: [shrink] }), ...data({ size: '2' }) },
      earlier: { ...status({ conditions: [] }), ...data({ size: '2' }) },
    },
    [],
  ],
  ...[
    { title: 'a condition that is false', now: ready('False'), before: ready('True') },
    { title: 'a condition that states an error', now: degraded('True'), before: degraded('False') },
    { title: 'a phase', now: { phase: 'Failed' }, before: { phase: 'Running' } },
  ].map(({ title, now, before }): [string, Past, readonly string[]] => [
    `an object and a value while the operator cannot act, as ${title} states`,
    {
      fresh: { ...status(now), ...data({ size: '1' }) },
      actual: { ...status(now), ...data({ size: '2' }), 'services x': {} },
      earlier: { ...status(before), ...data({ size: '2' }), 'services x': {} },
    },
    [],
  ]),
  [
    'an object of an earlier declaration though the operator is ready',
    {
      fresh: status(ready('True')),
      actual: { ...status(ready('True')), 'services x': {} },
      earlier: { ...status(ready('False')), 'services x': {} },
    },
    ['services shop/x should not exist'],
  ],
  [
    'an object of another owner than that for which the operator cannot act',
    {
      fresh: status(ready('False')),
      actual: { ...status(ready('False')), ...ownedBy('other') },
      earlier: { ...status(ready('True')), ...ownedBy('other') },
    },
    ['services shop/y should not exist'],
  ],
])('%s', (_, past, lines) => {
  expect(linesOf(past)).toEqual(lines);
});
