import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { ByteStream } from '../testkit/byte-stream.ts';
import { apiError } from '../testkit/failures.ts';
import { FakeClock } from '../testkit/fake-clock.ts';
import { listOf, ScriptedSource, type Thing } from '../testkit/scripted-source.ts';
import type { Stored } from '../types.ts';
import { run } from './run.ts';
import { watchMachine } from './state.ts';

it('holds on to its signal for one request at a time', async () => {
  const streams = Array.from({ length: 10 }, () => new ByteStream());
  const source = new ScriptedSource(apiError('internal'), listOf(5, []), ...streams);
  const clock = new FakeClock();
  const controller = new AbortController();
  const requests: string[] = [];
  const outputs = run(watchMachine<Stored<Thing>>({}), source, {
    signal: controller.signal,
    environment: { clock, random: () => 0 },
    onRequest: (verb) => requests.push(verb),
  });
  const end = (async () => {
    for await (const _ of outputs) expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  })().catch((error: unknown) => error);
  await clock.advance(800);
  for (const stream of streams) {
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    await clock.advance(1000);
    stream.end();
  }
  await clock.advance(1000);
  expect(requests).toEqual(['list', 'list', ...streams.map(() => 'watch'), 'watch']);
  controller.abort('enough');
  expect(await end).toBe('enough');
  expect([getEventListeners(controller.signal, 'abort').length, clock.armed]).toEqual([0, 0]);
});
