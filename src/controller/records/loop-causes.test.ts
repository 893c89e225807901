import { expect, it } from 'vitest';
import { loopCauses } from './loop-causes.ts';
import type { ReconcileRecord, RecordedCause } from './record.ts';

const target = { resource: 'foos.samplecontroller.c9g.io', namespace: 'shop', name: 'web' };
const fields = [{ path: '.status.count', before: '1', after: '2' }];
const own: RecordedCause = { type: 'update', count: 1, target, fields, writtenBy: 1 };
const foreign: RecordedCause = { type: 'update', count: 1, target, fields };
const retry: RecordedCause = { type: 'retry', count: 1 };

const recordOf = (...causes: readonly RecordedCause[]): ReconcileRecord => ({
  controller: 'app',
  key: { namespace: 'shop', name: 'web' },
  number: 1,
  reconcileID: 'id',
  startedAt: '2026-01-01T00:00:00.000Z',
  queuedMs: 0,
  durationMs: 1,
  attempt: 1,
  causes,
  reads: [],
  writes: [],
  omitted: { causes: 0, reads: 0, writes: 0 },
  outcome: { type: 'success' },
});

it.each<readonly [name: string, records: readonly ReconcileRecord[], text: string]>([
  ['none', [], ''],
  [
    'own writes, whatever their versions and values',
    [
      recordOf(own),
      recordOf({ ...own, writtenBy: 2, fields: [{ path: '.status.count', before: '2', after: '3' }] }),
    ],
    '2 of 2: own update of foos.samplecontroller.c9g.io shop/web (.status.count)',
  ],
  [
    'the most frequent one first',
    [recordOf(foreign), recordOf(retry, own), recordOf(retry, retry)],
    [
      '2 of 3: the retry of a failed reconcile',
      '1 of 3: update of foos.samplecontroller.c9g.io shop/web (.status.count)',
      '1 of 3: own update of foos.samplecontroller.c9g.io shop/web (.status.count)',
    ].join('; '),
  ],
])('names the causes of reconciles: %s', (_, records, text) => {
  expect(loopCauses(records)).toBe(text);
});
