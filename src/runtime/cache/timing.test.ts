/** The timing policy of an environment reaches watches, streams, reflectors, waits and retries. */

import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { apiError } from '../../../test/support/runtime/failures.ts';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { noInformers } from '../../../test/support/runtime/no-informers.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import {
  listOf,
  ScriptedSource,
  type SourceResponse,
  type Thing,
  thing,
} from '../../../test/support/runtime/scripted-source.ts';
import type { RuntimeEnvironment } from '../common/clock.ts';
import { defaultTiming, type Timing, timingOf } from '../common/timing.ts';
import { waitFor } from '../watch/wait/wait.ts';
import { watch } from '../watch/watch.ts';
import { SharedInformer } from './informer/shared-informer.ts';
import { namespacedLister } from './lister/lister.ts';

noTimePasses();

function world(timing: Partial<Timing>, ...responses: readonly SourceResponse[]) {
  const clock = new FakeClock();
  const environment: RuntimeEnvironment = { clock, random: () => 0, timing };
  return { clock, environment, source: new ScriptedSource(...responses) };
}

const busy = apiError('internal');
const backoff = { firstMs: 7, factor: 3, maxMs: 50, resetAfterMs: 1000 };

/** Requests until the next failure, with the time of each. */
async function times(clock: FakeClock, count: () => number, untilMs: number): Promise<number[]> {
  const seen: number[] = [];
  for (let ms = 0; ms <= untilMs; ms += 1) {
    await clock.advance(ms === 0 ? 0 : 1);
    while (seen.length < count()) seen.push(ms);
  }
  return seen;
}

describe('the timing policy of an environment', () => {
  it('replaces single values of the default policy', () => {
    expect(timingOf({})).toBe(defaultTiming);
    expect(timingOf({ timing: { listMs: 5 } })).toEqual({ ...defaultTiming, listMs: 5 });
  });

  it('sets the delays between retries of a watch', async () => {
    const { clock, environment, source } = world({ backoff }, ...Array.from({ length: 10 }, () => busy));
    const controller = new AbortController();
    let requests = 0;
    const list = source.list.bind(source);
    const counted = {
      target: source.target,
      watch: source.watch.bind(source),
      list: (...args: Parameters<typeof list>) => {
        requests += 1;
        return list(...args);
      },
    };
    const options = { environment, signal: controller.signal, onRetry: () => undefined };
    const end = watch(counted, options)[Symbol.asyncIterator]().next();
    expect(await times(clock, () => requests, 200)).toEqual([0, 7, 28, 78, 128, 178]);
    controller.abort('enough');
    expect(await end).toEqual({ done: true, value: undefined });
  });

  it('sets the delays of an informer after failures and while its resource is missing', async () => {
    const timing = { backoff, notFoundBackoff: { firstMs: 5, factor: 2, maxMs: 15 } };
    for (const [error, want] of [
      [busy, [0, 7, 28, 78]],
      [apiError('absent'), [0, 5, 15, 30, 45, 60, 75, 90]],
    ] as const) {
      const { clock, environment, source } = world(timing, ...Array.from({ length: 10 }, () => error));
      const informer = new SharedInformer<Thing, unknown>({
        informers: noInformers,
        name: 'things',
        resource: { group: 'example.com', version: 'v1', resource: 'things' },
        sources: [{ source }],
        lister: namespacedLister<Thing>,
        options: {},
        streaming: false,
        environment,
      });
      informer.on('error', () => undefined);
      informer.start();
      expect(await times(clock, () => informer.stats().lists, 100)).toEqual(want);
      await informer.stop();
    }
  });

  it('sets the lifetime of streams and their grace period', async () => {
    const timing = { minStreamMs: 10_000, maxStreamMs: 20_000, streamGraceMs: 500, backoff };
    const { clock, environment, source } = world(timing, listOf(5, []), new ByteStream());
    const controller = new AbortController();
    const retries: unknown[] = [];
    const onRetry = (error: unknown): void => void retries.push(error);
    const end = watch(source, { environment, signal: controller.signal, onRetry })
      [Symbol.asyncIterator]()
      .next();
    await clock.advance(10_499);
    expect(retries).toEqual([]);
    await clock.advance(2);
    expect(retries).toMatchObject([{ message: expect.stringContaining('timed out without data') }]);
    controller.abort('enough');
    expect(await end).toEqual({ done: true, value: undefined });
  });

  it('sets the delay of a wait before it lists again', async () => {
    const gone = apiError('expired');
    const responses = [listOf(5, [thing('a', 3)]), gone, listOf(9, [thing('a', 8)])];
    const { clock, environment, source } = world({ backoff }, ...responses, new ByteStream());
    const operation = { verb: 'wait for', resource: 'things' };
    const isNew = (object: { metadata: { resourceVersion: string } } | undefined): boolean =>
      object?.metadata.resourceVersion === '8';
    const result = waitFor(source, isNew, { operation, environment, onRetry: () => undefined });
    let done = false;
    void result.then(() => {
      done = true;
    });
    await clock.advance(6);
    expect(done).toBe(false);
    await clock.advance(1);
    expect(await result).toMatchObject({ metadata: { resourceVersion: '8' } });
  });
});
