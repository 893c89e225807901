import { expect, it, onTestFinished } from 'vitest';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import { Deferred } from './deferred.ts';

it('causes no unhandled rejection if it is rejected without a waiting caller', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const deferred = new Deferred();
  deferred.reject(new Error('stopped'));
  await settle();
  expect(unhandled).toEqual([]);
  await expect(deferred.promise).rejects.toThrow('stopped');
});
