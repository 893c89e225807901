import { expect, test } from 'vitest';
import { Backlogs } from './backlogs.ts';

const megabyte = 1024 * 1024;

function sinkOf(backlog: number): { backlog: number; isDestroyed: boolean; destroy(): void } {
  return {
    backlog,
    isDestroyed: false,
    destroy() {
      this.isDestroyed = true;
      this.backlog = 0;
    },
  };
}

test('a client with more unread bytes than the limit is disconnected', () => {
  const [slow, slower] = [sinkOf(64 * megabyte), sinkOf(64 * megabyte + 1)];
  const backlogs = new Backlogs();
  backlogs.check(slow);
  backlogs.check(slower);
  expect([slow.isDestroyed, slower.isDestroyed]).toEqual([false, true]);
});

test('the client with most unread bytes is disconnected at the limit of all clients', () => {
  const sinks = [sinkOf(4 * megabyte), sinkOf(6 * megabyte), sinkOf(0)];
  const backlogs = new Backlogs(10 * megabyte);
  for (const sink of sinks) backlogs.check(sink);
  expect(sinks.map(({ isDestroyed }) => isDestroyed)).toEqual([false, false, false]);
  const last = sinkOf(2 * megabyte);
  backlogs.check(last);
  expect([...sinks, last].map(({ isDestroyed }) => isDestroyed)).toEqual([false, true, false, false]);
});

test('clients that have read everything do not count', () => {
  const [first, second] = [sinkOf(6 * megabyte), sinkOf(6 * megabyte)];
  const backlogs = new Backlogs(10 * megabyte);
  backlogs.check(first);
  first.backlog = 0;
  backlogs.check(second);
  expect([first.isDestroyed, second.isDestroyed]).toEqual([false, false]);
});
