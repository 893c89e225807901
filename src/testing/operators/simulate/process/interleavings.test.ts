import { expect, test } from 'vitest';
import { Interleavings } from './interleavings.ts';

/** A write: its time, its controller, the begin of its reconcile, and its verb. */
type Row = readonly [atMs: number, controller: string, startMs: number, verb: string];

test.each<[title: string, rows: readonly Row[], met: readonly string[]]>([
  [
    'a write during a reconcile of another controller',
    [
      [5, 'apps', 1, 'create'],
      [7, 'maps', 3, 'update'],
    ],
    ['create before update'],
  ],
  [
    'a write before the reconcile, or at its begin',
    [
      [5, 'apps', 1, 'create'],
      [6, 'apps', 1, 'patch'],
      [9, 'maps', 6, 'update'],
    ],
    [],
  ],
  [
    'a write of another reconcile of the same controller',
    [
      [5, 'apps', 1, 'create'],
      [7, 'apps', 3, 'update'],
    ],
    [],
  ],
  [
    'writes of two others before each write of a reconcile, the latest one first',
    [
      [5, 'apps', 1, 'create'],
      [6, 'sets', 1, 'delete'],
      [7, 'maps', 3, 'update'],
      [8, 'maps', 3, 'patch'],
    ],
    [
      'create before delete',
      'delete before update',
      'create before update',
      'delete before patch',
      'create before patch',
    ],
  ],
])('%s', (_, rows, met) => {
  const interleavings = new Interleavings();
  const counts = rows.map(([atMs, controller, startMs, verb]) => {
    const before = interleavings.met.length;
    const isMet = interleavings.received(writeOf(verb), { controller, startMs }, atMs);
    return [isMet, interleavings.met.length > before];
  });
  expect(interleavings.met.map(({ between, write }) => `${between.verb} before ${write.verb}`)).toEqual(met);
  for (const [isMet, isCounted] of counts) expect(isMet).toBe(isCounted);
});

function writeOf(verb: string) {
  return { verb, resource: 'configmaps', site: '/app.ts:1' };
}
