import { expect, it, vi } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { FakeClock, settle } from '../../../../test/support/runtime/fake-clock.ts';
import { ScriptedSource, type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import { EventStream } from './stream.ts';

it('an open stream is not idle before it is read', async () => {
  const bytes = new ByteStream();
  const [clock, { signal }] = [new FakeClock(), new AbortController()];
  const action = { type: 'watch', params: { resourceVersion: '5' } } as const;
  const operation = { verb: 'watch', resource: 'things' };
  const stream = new EventStream<Thing>(operation, action, { clock, random: () => 0 }, signal);
  await stream.open(new ScriptedSource(bytes), action.params);
  await clock.advance(3_600_000);
  const change = { type: 'ADDED', object: thing('a', 9) };
  bytes.line(change);
  expect(await stream.read()).toEqual({ type: 'events', events: [change] });
  stream.close();
  expect([bytes.cancelled, clock.armed]).toEqual([true, 0]);
});

it('closing a stream never throws, even if its transport does', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const bytes = new ByteStream();
  const cancel = (): never => {
    throw new Error('oops');
  };
  const source = {
    target: { resource: 'things' },
    list: () => Promise.reject(new Error('unused')),
    watch: async () => ({ ...bytes.response, cancel }),
  };
  const [clock, controller] = [new FakeClock(), new AbortController()];
  const action = { type: 'watch', params: { resourceVersion: '5' } } as const;
  const operation = { verb: 'watch', resource: 'things' };
  const stream = new EventStream<Thing>(operation, action, { clock, random: () => 0 }, controller.signal);
  await stream.open(source, action.params);
  stream.close();
  await settle();
  expect(clock.armed).toBe(0);
  expect(warn.mock.calls).toEqual([['cancel() of a response failed: oops', 'ResponseWarning']]);
  // Also if the response arrives after the end.
  const late = new EventStream<Thing>(operation, action, { clock, random: () => 0 }, controller.signal);
  const opening = late.open(source, action.params);
  controller.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');
  await settle();
  expect(warn).toHaveBeenCalledTimes(2);
  warn.mockRestore();
});
