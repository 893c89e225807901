import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { apiError } from '../../../../test/support/runtime/failures.ts';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import { delivered, informerWorld as world } from '../../../../test/support/runtime/informer-world.ts';
import { noTimePasses } from '../../../../test/support/runtime/no-time-passes.ts';
import { listOf, thing } from '../../../../test/support/runtime/scripted-source.ts';
import { describeStats } from './informer-stats.ts';

noTimePasses();

const bookmark = (resourceVersion: string) => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { resourceVersion } },
});

describe('counters and gauges', () => {
  it('count requests, events and objects', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { informer, clock } = world([apiError('internal'), listOf(5, [thing('a', 3)]), first, second]);
    expect(informer.stats().quietMs).toBeUndefined();
    informer.start();
    await clock.advance(800);
    first.line({ type: 'MODIFIED', object: thing('a', 6) });
    first.line({ type: 'MODIFIED', object: thing('a', 6) });
    first.line(bookmark('7'));
    await clock.advance(1000);
    first.end();
    await clock.advance(100);
    expect(informer.stats()).toEqual({
      synced: true,
      lists: 2,
      watches: 2,
      restarts: 1,
      relists: 0,
      failures: 1,
      events: 1,
      bookmarks: 1,
      stale: 1,
      unreadable: 0,
      unchanged: 0,
      objects: 1,
      unconfirmedWrites: 0,
      queued: 0,
      lagMs: 0,
      resourceVersions: new Map([['', '7']]),
      quietMs: 1100,
      decodeJsonMs: expect.any(Number),
      decodeProtobufMs: 0,
    });
    await informer.stop();
  });

  it('contain the delay of handlers', async () => {
    const { informer, clock } = world([listOf(5, [thing('a', 3), thing('b', 4)]), new ByteStream()]);
    let finish = (): void => undefined;
    informer.handle({
      add: () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    });
    informer.start();
    await informer.synced;
    await settle();
    await clock.advance(300);
    expect(informer.stats()).toMatchObject({ queued: 1, lagMs: 300 });
    finish();
    await delivered(informer);
    expect(informer.stats()).toMatchObject({ queued: 0, lagMs: 0 });
    await informer.stop();
  });
});

it('stats contain the longest idle time of all namespaces, and an empty version before the first state', () => {
  const counters = {
    ...{ lists: 1, watches: 1, restarts: 0, relists: 0, failures: 0, events: 0, bookmarks: 0, stale: 0 },
    ...{ decodeJsonMs: 1, decodeProtobufMs: 2 },
    ...{ request: undefined, lastError: undefined },
  };
  const present = { synced: true, objects: 0, unconfirmedWrites: 0, queued: 0, lagMs: 0, now: 10 };
  const part = (namespace: string, lastDataAt: number | undefined) => ({
    namespace,
    unreadable: 1,
    unchanged: 2,
    counters: { ...counters, lastDataAt, resourceVersion: undefined },
  });
  const { decodeJsonMs, decodeProtobufMs, quietMs, unreadable, unchanged, lists, resourceVersions } =
    describeStats([part('bank', 3), part('shop', 9)], present);
  expect([quietMs, unreadable, unchanged, lists]).toEqual([7, 2, 4, 2]);
  expect([decodeJsonMs, decodeProtobufMs]).toEqual([2, 4]);
  expect([...resourceVersions]).toEqual([
    ['bank', ''],
    ['shop', ''],
  ]);
  expect(describeStats([part('bank', 3), part('shop', undefined)], present).quietMs).toBeUndefined();
});

describe('reason for which an informer is not synced', () => {
  it('is reported at every stage', async () => {
    const { informer, clock, errors } = world(['never'], {});
    expect(informer.waitsFor).toBe('things in namespace shop: not started');
    informer.start();
    expect(informer.waitsFor).toBe('things in namespace shop: has not sent a request yet');
    await clock.advance(12_000);
    expect(informer.waitsFor).toBe(
      'things in namespace shop: waits for the whole state, requested 12 s ago: list things in namespace shop',
    );
    await informer.stop();
    expect(errors).toEqual([]);
  });

  it('is the pending handlers at the end', async () => {
    const { informer } = world([listOf(5, [thing('a', 3), thing('b', 4)]), new ByteStream()]);
    informer.handle({ add: () => new Promise(() => undefined) });
    informer.start();
    await informer.synced;
    await settle();
    expect(informer.waitsFor).toBeUndefined();
    const handled = informer.handled().catch((error) => error);
    expect(informer.waitsFor).toBe('things in namespace shop: handlers are busy, queued calls: 1');
    await informer.stop();
    expect(await handled).toEqual(
      new Error('informer for things in namespace shop was stopped before it was synced'),
    );
  });
});
