import type { JsonObject } from '@kgen/schema/values/json';
import { expect, it } from 'vitest';
import { Exceptions } from './compare/exceptions.ts';
import type { Recorded, Snapshot } from './compare/snapshot.ts';
import { dueLines } from './due.ts';

function map(name: string, data: JsonObject = {}): Recorded {
  const value = { metadata: { name, namespace: 'a' }, data };
  return { resource: 'configmaps', value, isShown: true, content: { data } };
}

const before = [map('token', { value: '1' })];

interface Row {
  readonly title: string;
  readonly running: Snapshot;
  readonly down: Snapshot;
  readonly lines: readonly string[];
}

it.each<Row>([
  { title: 'nothing is due', running: before, down: before, lines: [] },
  {
    title: 'a change is due, and done in both runs',
    running: [map('token', { value: '2' })],
    down: [map('token', { value: '3' })],
    lines: [],
  },
  {
    title: 'an expiry is missed',
    running: [],
    down: before,
    lines: [
      'configmaps a/token is deleted within 3 days while the operator runs, but not if it is down for that time and starts again',
    ],
  },
  {
    title: 'a rotation is missed while the operator runs',
    running: before,
    down: [map('token', { value: '2' })],
    lines: [
      'configmaps a/token changes if the operator is down for 3 days and starts again, but not within that time while it runs',
    ],
  },
  {
    title: 'several backups are made up for by one',
    running: [...before, map('backup-1'), map('backup-2')],
    down: [...before, map('backup-2')],
    lines: [],
  },
  {
    title: 'a backup is missed',
    running: [...before, map('backup-1')],
    down: before,
    lines: [
      'an object of configmaps is created within 3 days while the operator runs, but not if it is down for that time and starts again',
    ],
  },
])('$title', ({ running, down, lines }) => {
  const passed = (after: Snapshot) => ({ ms: 3 * 86_400_000, isActive: true, before, after });
  expect(dueLines(passed(running), passed(down), new Exceptions([]))).toEqual(lines);
});
