import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { apiError } from '../../../../test/support/runtime/failures.ts';
import { FakeClock } from '../../../../test/support/runtime/fake-clock.ts';
import {
  listOf,
  ScriptedSource,
  type Thing,
  thing,
} from '../../../../test/support/runtime/scripted-source.ts';
import { isDecodeError } from '../../api/errors.ts';
import type { Stored } from '../../api/types.ts';
import type { ListWatch } from '../source.ts';
import { run } from './drive-machine.ts';
import { watchMachine } from './watch-machine.ts';

it('has one abort listener per pending request', async () => {
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

it.each([new Error('oops'), 'oops', null, undefined])('throws the error of the source: %o', async (error) => {
  const source: ListWatch<Thing> = {
    target: { resource: 'things' },
    list: () => Promise.reject(error),
    watch: () => Promise.reject(error),
    closed: new AbortController().signal,
  };
  const { signal } = new AbortController();
  await expect(run(watchMachine<Stored<Thing>>({}), source, { signal }).next()).rejects.toBe(error);
});

describe('a stream in an unsupported format', () => {
  /**
   * Returns streams of frames: one byte for the version of an object, or a zero for an unsupported format.
   */
  function framesOf(...streams: number[][]) {
    const requested: unknown[] = [];
    const source: ListWatch<Thing> = {
      target: { resource: 'things' },
      list: () => Promise.reject(new Error('there is no need to list')),
      watch: async ({ resourceVersion }) => {
        requested.push(resourceVersion);
        const stream = new ByteStream();
        for (const version of streams.shift() ?? []) stream.push(Buffer.of(0, 0, 0, 1, version));
        const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
        const readFrame = ([version = 0]: Uint8Array): unknown =>
          version === 0 ? undefined : { type: 'ADDED', object: thing('a', version) };
        return { ...stream.response, headers, readFrame };
      },
    };
    return { requested, source };
  }

  /** Returns the outputs up to the final error. */
  async function play(source: ListWatch<Thing>, clock: FakeClock) {
    const failures: unknown[] = [];
    const seen: string[] = [];
    const controller = new AbortController();
    const outputs = run(watchMachine<Stored<Thing>>({ resourceVersion: '1' }), source, {
      signal: controller.signal,
      environment: { clock, random: () => 0 },
      onRetry: ({ error }) => failures.push(error),
    });
    const end = (async () => {
      for await (const output of outputs) {
        if (output.type === 'events')
          seen.push(...output.events.map(({ object }) => object.metadata.resourceVersion));
      }
    })().catch((error: unknown) => error);
    await clock.advance(10);
    controller.abort('enough');
    expect(await end).toBe('enough');
    return { seen, failures };
  }

  it('is reopened from the last version at once, without a failure', async () => {
    const { requested, source } = framesOf([2, 3, 0, 9], [4], [5]);
    expect(await play(source, new FakeClock())).toEqual({ seen: ['2', '3', '4'], failures: [] });
    expect(requested).toEqual(['1', '3']);
  });

  it('is a DecodeError if the next one is unsupported as well', async () => {
    const { requested, source } = framesOf([0], [2, 0], [3]);
    const { seen, failures } = await play(source, new FakeClock());
    expect(seen).toEqual(['2']);
    expect(failures.map((error) => isDecodeError(error) && error.message)).toEqual([
      'watch things: the server repeatedly sends a format that cannot be decoded',
    ]);
    expect(requested).toEqual(['1', '1']);
  });
});
