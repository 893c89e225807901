import { expect, test } from 'vitest';
import { VirtualTime } from '../server/virtual-time.ts';
import { BookmarkTimer, type BookmarkTimes } from './bookmarks.ts';

const change = (resource: string) =>
  ({ type: 'ADDED', resource, key: 'a', revision: 1, object: {} }) as const;

test.each<
  [title: string, times: BookmarkTimes, changes: readonly [ms: number, resource: string][], sent: number[]]
>([
  ['at intervals until shortly before the end', { everyMs: 300 }, [[10, 'foos']], [300, 600, 900]],
  ['last at the end', { everyMs: 600 }, [], [600, 900]],
  ['at the start, without changes', { everyMs: 2_000, afterChangeMs: 60 }, [], [60, 900]],
  [
    'at the end of the interval in which an object has changed',
    { everyMs: 2_000, afterChangeMs: 60 },
    [
      [130, 'foos'],
      [140, 'foos'],
      [200, 'foos'],
    ],
    [60, 180, 240, 900],
  ],
  [
    'after changes that are followed',
    { everyMs: 2_000, afterChangeMs: 60, isFollowed: ({ resource }) => resource !== 'leases' },
    [
      [130, 'leases'],
      [210, 'foos'],
    ],
    [60, 240, 900],
  ],
])('sends bookmarks %s', async (_, times, changes, expected) => {
  const time = new VirtualTime(0, 1);
  const sent: number[] = [];
  const environment = { now: time.now, timer: time.timer, random: () => 0 };
  const bookmarks = new BookmarkTimer(environment, times, 900, () => sent.push(time.now()));
  for (const [ms, resource] of changes) time.timer(ms, () => bookmarks.changed(change(resource)));
  await time.advance(5_000);
  expect(sent).toEqual(expected);
});

test('sends no bookmark after it is cancelled', async () => {
  const time = new VirtualTime(0, 1);
  const sent: number[] = [];
  const environment = { now: time.now, timer: time.timer, random: () => 0 };
  const times = { everyMs: 100, afterChangeMs: 60 };
  const bookmarks = new BookmarkTimer(environment, times, 1_000, () => sent.push(time.now()));
  await time.advance(110);
  bookmarks.changed(change('foos'));
  bookmarks.cancel();
  await time.advance(5_000);
  expect(sent).toEqual([60, 100]);
});
