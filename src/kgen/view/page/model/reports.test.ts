import { expect, test } from 'vitest';
import type { ViewEvent } from '../../format.ts';
import { reportsOf } from './reports.ts';
import { idOf, modelOf } from './run-model.ts';

const target = { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web' },
};
const regarding = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

function changeOf(at: number, name: string, content: object): ViewEvent {
  const own = { group: 'events.k8s.io', resource: 'events', namespace: 'shop', name };
  return { kind: 'change', at, change: 'create', target: own, content };
}

function reported(at: number, reason: string, more: object = {}): ViewEvent {
  return { kind: 'event', at, type: 'Normal', reason, note: 'a', regarding, reconcile: 1, ...more };
}

/** Returns the events about the deployment: `10 Scaled a x3`. */
function reports(...events: readonly ViewEvent[]): readonly string[] {
  const all: ViewEvent[] = [
    { kind: 'change', at: 0, change: 'create', target, content: deployment },
    ...events,
  ];
  const model = modelOf({ name: '', clock: 'utc', from: 0, to: 100, events: all, reconciles: [] });
  const object = model.objects.get(idOf(target));
  if (object === undefined) throw new Error('no object');
  return reportsOf(model, object).map(({ at, reason, note, count }) => `${at} ${reason} ${note} x${count}`);
}

const stored = { type: 'Normal', reason: 'Scaled', note: 'a', regarding };

test.each<readonly [string, readonly ViewEvent[], readonly string[]]>([
  ['reported by the operator, newest first', [reported(1, 'A'), reported(2, 'B')], ['2 B a x1', '1 A a x1']],
  [
    'about other objects',
    [
      { ...regarding, name: 'b' },
      { ...regarding, namespace: 'c' },
      { ...regarding, kind: 'Pod' },
    ].map((other) => reported(1, 'A', { regarding: other })),
    [],
  ],
  ['of events.k8s.io', [changeOf(5, 'e', { ...stored, series: { count: 3 } })], ['5 Scaled a x3']],
  [
    'of the core group',
    [changeOf(5, 'e', { type: 'Normal', reason: 'R', message: 'm', involvedObject: regarding, count: 2 })],
    ['5 R m x2'],
  ],
  [
    'that are reported and stored, once',
    [reported(1, 'Scaled'), changeOf(5, 'e', stored)],
    ['5 Scaled a x1'],
  ],
])('has events %s', (_, events, expected) => {
  expect(reports(...events)).toEqual(expected);
});
