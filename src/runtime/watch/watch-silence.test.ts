import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import { listOf, thing } from '../../../test/support/runtime/scripted-source.ts';
import { follow, world } from '../../../test/support/runtime/watched.ts';
import { TransportError } from '../api/errors.ts';
import { watch } from './watch.ts';

describe('timeout error of a watch', () => {
  const refused = new TransportError('refused');
  it.each<{ name: string; given: Parameters<typeof world>; message: string; cause?: unknown }>([
    {
      name: 'contains the failure that was being retried',
      given: [refused, refused, refused],
      message: '; last failure: refused',
      cause: refused,
    },
    { name: 'contains no failure before a list', given: [refused, listOf(5, [])], message: '' },
    {
      name: 'contains no failure before a stream',
      given: [listOf(5, []), refused, new ByteStream()],
      message: '',
    },
  ])('$name', async ({ given, message, cause }) => {
    const { clock, environment, source } = world(...given);
    const { end } = follow(watch(source, { environment, timeoutMs: 3000 }));
    await clock.advance(3000);
    expect(await end).toMatchObject({
      name: 'TimeoutError',
      message: `watch things in namespace shop: timed out after 3000 ms${message}`,
    });
    expect(Object(await end).cause).toBe(cause);
    expect(clock.armed).toBe(0);
  });
});

describe('an idle stream', () => {
  it('fails with TimeoutError, and is retried', async () => {
    const { clock, environment, source } = world(new ByteStream());
    const reported: unknown[] = [];
    follow(watch(source, { environment, resourceVersion: '5', onRetry: (error) => reported.push(error) }));
    await clock.advance(330_000);
    expect(reported).toMatchObject([
      { name: 'TimeoutError', message: 'watch things in namespace shop: the stream timed out without data' },
    ]);
  });

  it.each([
    { name: 'with a received chunk continues', comes: true },
    { name: 'without data times out', comes: false },
  ])('after a clock jump, a stream $name', async ({ comes }) => {
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

  it('does not time out while it is not read', async () => {
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
    expect([stream.cancelled, source.requested.length]).toEqual([false, 1]);
    await events.return?.();
    expect(clock.armed).toBe(0);
  });

  it.each([
    { name: 'times out after a bookmark: 150 s without a byte', bookmark: true, idleMs: 150_000 },
    { name: 'times out without bookmarks: its lifetime and 30 s', bookmark: false, idleMs: 330_000 },
  ])('$name', async ({ bookmark, idleMs }) => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    follow(watch(source, { environment, resourceVersion: '5' }));
    if (bookmark) stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    await clock.advance(idleMs - 1);
    expect(stream.cancelled).toBe(false);
    await clock.advance(1);
    expect(stream.cancelled).toBe(true);
    await clock.advance(800);
    expect(source.requested).toHaveLength(2);
  });

  it('does not time out while bytes arrive, even without a complete line', async () => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    follow(watch(source, { environment, resourceVersion: '5' }));
    stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(60_000);
      stream.push(' ');
    }
    expect([stream.cancelled, source.requested.length]).toEqual([false, 1]);
  });

  it('differs from a list without a response: five minutes', async () => {
    const { clock, environment, source } = world('never', listOf(5, []));
    follow(watch(source, { environment }));
    await clock.advance(300_000);
    expect(source.requested[0]?.signal.aborted).toBe(true);
    await clock.advance(800);
    expect(source.log).toEqual([
      'list limit=500',
      'list limit=500',
      'watch resourceVersion=5 allowWatchBookmarks=true',
    ]);
  });

  it('includes a stream that never begins', async () => {
    const { clock, environment, source } = world('never', new ByteStream());
    follow(watch(source, { environment, resourceVersion: '5' }));
    await clock.advance(330_800);
    expect(source.requested).toHaveLength(2);
    expect(source.requested[0]?.signal.aborted).toBe(true);
  });
});
