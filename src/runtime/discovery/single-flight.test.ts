import { expect, test } from 'vitest';
import { getting } from './reading/discovery-request.ts';
import { Shared } from './single-flight.ts';

const operation = getting('/apis');

/** Returns work that is settled by the test. */
function works(): {
  readonly begun: { end: (value: string) => void; fail: (error: Error) => void; signal: AbortSignal }[];
  readonly work: (signal: AbortSignal) => Promise<string>;
} {
  const begun: ReturnType<typeof works>['begun'] = [];
  const work = (signal: AbortSignal): Promise<string> =>
    new Promise((end, fail) => {
      begun.push({ end, fail, signal });
    });
  return { begun, work };
}

test('runs work once for all waiting callers', async () => {
  const { begun, work } = works();
  const shared = new Shared<string>();
  const both = Promise.all([shared.run({}, operation, work), shared.run({}, operation, work)]);
  begun[0]?.end('done');
  expect(await both).toEqual(['done', 'done']);
  expect(begun).toHaveLength(1);
  const again = shared.run({}, operation, work);
  begun[1]?.end('again');
  expect(await again).toBe('again');
});

test('rejects all waiting callers after a failure, and later calls start again', async () => {
  const { begun, work } = works();
  const shared = new Shared<string>();
  const both = [shared.run({}, operation, work), shared.run({}, operation, work)];
  begun[0]?.fail(new Error('no'));
  for (const one of both) await expect(one).rejects.toThrow('no');
  expect(begun[0]?.signal.aborted).toBe(true);
  const next = shared.run({}, operation, work);
  begun[1]?.end('yes');
  expect(await next).toBe('yes');
});

test('does not abort later work when earlier work is aborted', async () => {
  const { begun, work } = works();
  const shared = new Shared<string>();
  const controller = new AbortController();
  const first = shared.run({ signal: controller.signal }, operation, work);
  controller.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  expect(begun[0]?.signal.aborted).toBe(true);
  const second = shared.run({}, operation, work);
  begun[0]?.fail(new Error('late'));
  await new Promise(setImmediate);
  const third = shared.run({}, operation, work);
  expect(begun).toHaveLength(2);
  expect(begun[1]?.signal.aborted).toBe(false);
  begun[1]?.end('done');
  expect(await Promise.all([second, third])).toEqual(['done', 'done']);
});

test('starts nothing for an aborted signal', async () => {
  const { begun, work } = works();
  const signal = AbortSignal.abort(new Error('before'));
  await expect(new Shared<string>().run({ signal }, operation, work)).rejects.toThrow('before');
  expect(begun).toEqual([]);
});
