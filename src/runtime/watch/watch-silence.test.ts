import { describe, expect, it } from 'vitest';
import { TransportError } from '../errors.ts';
import { ByteStream } from '../testkit/byte-stream.ts';
import { settle } from '../testkit/fake-clock.ts';
import { listOf, thing } from '../testkit/scripted-source.ts';
import { follow, world } from '../testkit/watched.ts';
import { watch } from './watch.ts';

describe('a time-out', () => {
  const refused = new TransportError('refused');
  it.each<{ name: string; given: Parameters<typeof world>; message: string; cause?: unknown }>([
    {
      name: 'names the failure that the watch was getting over',
      given: [refused, refused, refused],
      message: '; last failure: refused',
      cause: refused,
    },
    { name: 'names no failure from before a list', given: [refused, listOf(5, [])], message: '' },
    {
      name: 'names no failure from before a stream',
      given: [listOf(5, []), refused, new ByteStream()],
      message: '',
    },
  ])('$name', async ({ given, message, cause }) => {
    const { clock, environment, source } = world(...given);
    const { end } = follow(watch(source, { environment, timeoutMs: 3000 }));
    await clock.advance(3000);
    expect(await end).toMatchObject({
      name: 'TimeoutError',
      message: `watch things shop: timed out after 3000 ms${message}`,
    });
    expect(Object(await end).cause).toBe(cause);
    expect(clock.armed).toBe(0);
  });
});

describe('a stream that has gone silent', () => {
  it('is said to be that', async () => {
    const { clock, environment, source } = world(new ByteStream());
    const told: unknown[] = [];
    follow(watch(source, { environment, resourceVersion: '5', onRetry: (error) => told.push(error) }));
    await clock.advance(330_000);
    expect(told).toMatchObject([
      { name: 'TimeoutError', message: 'watch things shop: the stream has gone silent' },
    ]);
  });

  it.each([
    { name: 'of which a chunk waits is alive', comes: true },
    { name: 'of which nothing comes is dead', comes: false },
  ])('after the clock has leapt, one $name', async ({ comes }) => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    const { seen } = follow(watch(source, { environment, resourceVersion: '5' }));
    stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    await settle();
    clock.leap(8 * 3_600_000);
    await clock.advance(0);
    if (comes) stream.line({ type: 'ADDED', object: thing('a', 9) });
    await clock.advance(5000);
    expect([seen, stream.cancelled]).toEqual([comes ? ['ADDED 9'] : [], !comes]);
    await clock.advance(145_000);
    expect(stream.cancelled).toBe(true);
  });

  it('is not one that nobody reads', async () => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    const events = watch(source, { environment, resourceVersion: '5' })[Symbol.asyncIterator]();
    stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    stream.line({ type: 'ADDED', object: thing('a', 9) });
    await events.next();
    await clock.advance(3_600_000);
    const next = events.next();
    await settle();
    stream.line({ type: 'ADDED', object: thing('b', 10) });
    await settle();
    expect(await next).toMatchObject({ value: { object: { metadata: { name: 'b' } } } });
    expect([stream.cancelled, source.asked.length]).toEqual([false, 1]);
    await events.return?.();
    expect(clock.armed).toBe(0);
  });

  it.each([
    { name: 'after a bookmark: 150 s without a byte', bookmark: true, silenceMs: 150_000 },
    { name: 'without bookmarks: its time and 30 s', bookmark: false, silenceMs: 330_000 },
  ])('$name', async ({ bookmark, silenceMs }) => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    follow(watch(source, { environment, resourceVersion: '5' }));
    if (bookmark) stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    await clock.advance(silenceMs - 1);
    expect(stream.cancelled).toBe(false);
    await clock.advance(1);
    expect(stream.cancelled).toBe(true);
    await clock.advance(800);
    expect(source.asked).toHaveLength(2);
  });

  it('is not one where bytes come, even without a whole line', async () => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    follow(watch(source, { environment, resourceVersion: '5' }));
    stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(60_000);
      stream.push(' ');
    }
    expect([stream.cancelled, source.asked.length]).toEqual([false, 1]);
  });

  it('is told from a list that is not answered: five minutes', async () => {
    const { clock, environment, source } = world('never', listOf(5, []));
    follow(watch(source, { environment }));
    await clock.advance(300_000);
    expect(source.asked[0]?.signal.aborted).toBe(true);
    await clock.advance(800);
    expect(source.log).toEqual([
      'list limit=500',
      'list limit=500',
      'watch resourceVersion=5 allowWatchBookmarks=true',
    ]);
  });

  it('is also one that never begins', async () => {
    const { clock, environment, source } = world('never', new ByteStream());
    follow(watch(source, { environment, resourceVersion: '5' }));
    await clock.advance(330_800);
    expect(source.asked).toHaveLength(2);
    expect(source.asked[0]?.signal.aborted).toBe(true);
  });
});
