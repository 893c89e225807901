import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { apiError } from '../../../test/support/runtime/failures.ts';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import {
  type InformerWorld,
  notingHandlers,
  informerWorld as world,
} from '../../../test/support/runtime/informer-world.ts';
import { listOf, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../api/types.ts';

const count = 2000;
const names = Array.from({ length: count }, (_, number) => `n${number}`);

/** Returns all objects, each with the same version. */
const state = (version: number): Stored<Thing>[] =>
  names.map((name) => thing(name, version, { labels: { version: String(version) } }));
const expired = { type: 'ERROR', object: apiError('expired').status };

const versionOf = ({ metadata }: Stored<Thing>): string[] => [metadata.resourceVersion];

/**
 * Reads the informer in every turn of the event loop until it is at `version`; returns the distinct states.
 */
async function look({ informer }: InformerWorld, version: number): Promise<string[]> {
  const index = informer.addIndex('version', versionOf);
  const seen: string[] = [];
  for (let turn = 0; turn < 100_000; turn += 1) {
    const objects = informer.lister.list();
    const versions = new Set(objects.map(({ metadata }) => metadata.resourceVersion));
    const filed = index.values().map((value) => `${value}: ${index.get(value).length}`);
    const now = `${objects.length} at ${[...versions].join(' and ')}, index ${filed.join(' and ')}`;
    if (seen.at(-1) !== now) seen.push(now);
    if (informer.lister.get('shop', 'n0')?.metadata.resourceVersion === String(version)) return seen;
    await settle(1);
  }
  return seen;
}

describe('a relist of many objects', () => {
  let looks = 0;
  beforeEach(() => {
    looks = 0;
    // Each read of the clock advances it: after five of them the slice is over.
    vi.spyOn(performance, 'now').mockImplementation(() => {
      looks += 1;
      return looks;
    });
  });
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    { how: 'listed', streaming: false },
    { how: 'streamed', streaming: true },
  ])('is visible before or after, never in between ($how)', async ({ streaming }) => {
    const [first, second, third] = [new ByteStream(), new ByteStream(), new ByteStream()];
    const scene = world(
      streaming ? [first, second, third] : [listOf(5, state(4)), first, listOf(9, state(8)), second],
      {},
      streaming,
    );
    const { informer, clock } = scene;
    const send = (stream: ByteStream, version: number): void => {
      for (const object of state(version)) stream.line({ type: 'ADDED', object });
      stream.line(endOfState(version + 1));
    };
    informer.start();
    await settle();
    if (streaming) send(first, 4);
    const before = await look(scene, 4);
    await clock.advance(1);
    first.line(expired);
    await clock.advance(1700);
    if (streaming) send(second, 8);
    const after = await look(scene, 8);
    const [none, old, fresh] = [
      '0 at , index ',
      ...[4, 8].map((at) => `${count} at ${at}, index ${at}: ${count}`),
    ];
    expect([before, after]).toEqual([
      [none, old],
      [old, fresh],
    ]);
    await informer.stop();
  });

  it('yields to the event loop, and calls no handler before its end', async () => {
    const stream = new ByteStream();
    const scene = world([listOf(5, state(4)), stream, listOf(9, state(8)), new ByteStream()]);
    const { informer, clock } = scene;
    let updates = 0;
    const early: number[] = [];
    const registration = informer.handle({
      update: ({ metadata }) => {
        updates += 1;
        const { length } = informer.lister.list({ labelSelector: 'version=8' });
        if (metadata.resourceVersion !== '8' || length !== count) early.push(updates);
      },
    });
    let turns = 0;
    const indexed = new Map<string, Set<number>>();
    informer.addIndex('by version', ({ metadata }) => {
      const { resourceVersion, labels } = metadata;
      indexed.set(resourceVersion, (indexed.get(resourceVersion) ?? new Set()).add(turns));
      return [labels?.['version'] ?? ''];
    });
    informer.start();
    await registration.synced;
    stream.line(expired);
    const relisted = clock.advance(800);
    for (; informer.lister.get('shop', 'n0')?.metadata.resourceVersion !== '8'; turns += 1) await settle(1);
    await relisted;
    while (updates < count) await settle(1);
    expect(turns).toBeGreaterThan(count / 10);
    // Also while the new state is indexed.
    expect(indexed.get('8')?.size).toBeGreaterThan(1);
    expect(early).toEqual([]);
    await informer.stop();
  });

  it('is discarded by a stop, and begins again with the next start', async () => {
    const stream = new ByteStream();
    let stopAt = Number.POSITIVE_INFINITY;
    let transformed = 0;
    const { informer, clock, source } = world(
      [listOf(5, state(4)), stream, listOf(9, state(8)), listOf(11, state(10)), new ByteStream()],
      {
        transform: (object) => {
          transformed += 1;
          if (transformed === stopAt) void informer.stop();
          return object;
        },
      },
    );
    const { calls, handlers } = notingHandlers();
    const registration = informer.handle(handlers);
    informer.start();
    await registration.synced;
    stopAt = count + count / 2;
    stream.line(expired);
    await clock.advance(800);
    while (transformed < stopAt) await settle(1);
    await informer.stop();
    expect([transformed, informer.stats().objects, clock.armed]).toEqual([stopAt, count, 0]);
    expect(new Set(informer.lister.list().map(({ metadata }) => metadata.resourceVersion))).toEqual(
      new Set(['4']),
    );
    informer.start();
    await registration.synced;
    expect(calls.slice(count)).toEqual(names.map((name) => `update ${name}@4 to ${name}@10`));
    expect(source.log.at(-2)).toBe('list resourceVersion=5');
    await informer.stop();
  });
});

describe('a relist that is stopped in its last steps', () => {
  it('changes nothing', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(Number.POSITIVE_INFINITY);
    onTestFinished(() => void vi.restoreAllMocks());
    const stream = new ByteStream();
    const { informer, clock } = world([listOf(5, state(4)), stream, listOf(9, state(8))]);
    let filed = 0;
    const index = informer.addIndex('version', (object) => {
      filed += 1;
      if (filed === count + count / 2) void informer.stop();
      return versionOf(object);
    });
    informer.start();
    await informer.synced;
    stream.line(expired);
    await clock.advance(800);
    while (filed < count + count / 2) await settle(1);
    await settle(50);
    expect([filed < 2 * count, index.values(), informer.stats().objects]).toEqual([true, ['4'], count]);
    expect(informer.lister.get('shop', 'n0')?.metadata.resourceVersion).toBe('4');
  });
});

function endOfState(version: number): object {
  const metadata = {
    resourceVersion: String(version),
    annotations: { 'k8s.io/initial-events-end': 'true' },
  };
  return { type: 'BOOKMARK', object: { apiVersion: 'example.com/v1', kind: 'Thing', metadata } };
}
