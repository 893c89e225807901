import { getEventListeners } from 'node:events';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { apiError, statuses } from '../../../test/support/runtime/failures.ts';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import { listOf, ScriptedSource, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { follow, short, world } from '../../../test/support/runtime/watched.ts';
import { isApiError, isDecodeError, TransportError } from '../api/errors.ts';
import { isExpired } from '../api/failure-reasons.ts';
import type { BookmarkEvent, WatchEvent } from '../api/watch-events.ts';
import { watch } from './watch.ts';

describe('watch', () => {
  it('calls onRetry for each retried failure, even if onRetry throws', async () => {
    const refused = new TransportError('refused');
    const { environment, clock, source } = world(refused, refused, listOf(5, []), refused);
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const controller = new AbortController();
    const received: [unknown, number][] = [];
    const onRetry = (error: unknown, { attempt }: { readonly attempt: number }): void => {
      received.push([error, attempt]);
      throw new Error('oops');
    };
    const { end } = follow(watch(source, { environment, signal: controller.signal, onRetry }));
    await clock.advance(60_000);
    expect(received).toEqual([
      [refused, 1],
      [refused, 2],
      [refused, 1],
    ]);
    expect(warnings.mock.calls[0]).toEqual(['onRetry of a watch failed: oops', 'WatchWarning']);
    warnings.mockRestore();
    controller.abort('enough');
    expect(await end).toBe('no error');
  });

  it('counts failures from 1 again after an established stream', async () => {
    const refused = new TransportError('refused');
    const stream = new ByteStream();
    const { environment, clock, source } = world(refused, stream, 'never');
    const attempts: number[] = [];
    const onRetry = (_: unknown, { attempt }: { readonly attempt: number }) => attempts.push(attempt);
    follow(watch(source, { environment, resourceVersion: '5', onRetry }));
    await clock.advance(2000);
    stream.fail(new Error('socket hang up'));
    await settle();
    expect(attempts).toEqual([1, 1]);
  });

  it('yields nothing more of a response after an abort', async () => {
    const { environment, source } = world(listOf(5, [thing('a', 3), thing('b', 4)]));
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const event of watch(source, { environment, signal: controller.signal })) {
      seen.push(short(event));
      controller.abort('enough');
    }
    expect(seen).toEqual(['ADDED 3']);
  });

  it('ends when the client is closed', async () => {
    const closed = new TransportError('closed', undefined, { code: 'CLIENT_CLOSED' });
    const { clock, environment, source } = world(listOf(5, []), closed);
    const { end } = follow(watch(source, { environment }));
    expect(await end).toBe(closed);
    expect(clock.armed).toBe(0);
  });

  it('throws DecodeError if the server repeats a page', async () => {
    const page = listOf(5, [thing('a', 3)], 'x');
    const { clock, environment, source } = world(page, page, page, page, page);
    const { end } = follow(watch(source, { environment }));
    await clock.advance(5000);
    expect(isDecodeError(await end)).toBe(true);
    expect(source.log).toEqual(['list limit=500', ...Array(3).fill('list limit=500 continue=x')]);
  });

  it('throws DecodeError after 100 empty pages in a row with continue tokens', async () => {
    const pages = Array.from({ length: 120 }, (_, index) => listOf(5, [], `t${index}`));
    const full = pages.with(50, listOf(5, [thing('a', 3)], 't50'));
    for (const [given, requested] of [
      [pages, 100],
      [[...full, ...pages.map((_, index) => listOf(5, [], `u${index}`))], 151],
    ] as const) {
      const { clock, environment, source } = world(...given);
      const { end } = follow(watch(source, { environment }));
      await clock.advance(0);
      expect(source.log).toHaveLength(requested);
      await clock.advance(1_000_000);
      const error = await end;
      expect(isDecodeError(error) && error.message).toMatch(
        /^list things in namespace shop: the server returned 100 empty pages of the list in a row/,
      );
    }
  });

  it.each(['continue', 'resourceVersion'])(
    'throws DecodeError if %s of a list is not a string',
    async (name) => {
      const list = { ...listOf(5, []), metadata: Object({ resourceVersion: '5', [name]: 7 }) };
      const { clock, environment, source } = world(list, list, list);
      const { end } = follow(watch(source, { environment }));
      await clock.advance(5000);
      const error = await end;
      expect(isDecodeError(error) && error.message).toBe(
        `list things in namespace shop: ${name} of the list is number, not a string`,
      );
    },
  );

  it('yields existing objects, then changes, over several streams', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { clock, environment, source } = world(listOf(5, [thing('a', 3)]), first, second);
    const controller = new AbortController();
    const { seen, end } = follow(watch(source, { environment, signal: controller.signal }));
    await settle();
    first.line({ type: 'MODIFIED', object: thing('a', 6) });
    first.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    await clock.advance(2000);
    first.end();
    await settle();
    second.line({ type: 'DELETED', object: thing('a', 9) });
    await settle();
    expect(seen).toEqual(['ADDED 3', 'MODIFIED 6', 'DELETED 9']);
    expect(source.log).toEqual([
      'list limit=500',
      'watch resourceVersion=5 allowWatchBookmarks=true',
      'watch resourceVersion=8 allowWatchBookmarks=true',
    ]);
    controller.abort(new Error('enough'));
    expect(await end).toBe('no error');
  });

  it('yields bookmarks if requested', async () => {
    const stream = new ByteStream();
    const { environment, source } = world(stream);
    const watched = watch(source, { environment, resourceVersion: '5', bookmarks: true });
    expectTypeOf(watched).toEqualTypeOf<AsyncIterable<WatchEvent<Thing> | BookmarkEvent>>();
    expectTypeOf(watch(source)).toEqualTypeOf<AsyncIterable<WatchEvent<Thing>>>();
    stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } });
    for await (const event of watched) {
      expect(short(event)).toBe('BOOKMARK 8');
      break;
    }
  });

  it('throws when the history has expired', async () => {
    const stream = new ByteStream();
    const { environment, source, clock } = world(stream);
    const { seen, end } = follow(watch(source, { environment, resourceVersion: '5' }));
    stream.line({ type: 'ADDED', object: thing('a', 6) });
    stream.line({ type: 'ERROR', object: statuses.expired });
    expect(isExpired(await end)).toBe(true);
    expect(seen).toEqual(['ADDED 6']);
    expect([stream.cancelled, clock.armed]).toEqual([true, 0]);
  });

  it('requests streams of 300 to 600 seconds', async () => {
    const requested = async (random: number) => {
      const { clock, source } = world();
      const watching = follow(
        watch(source, { environment: { clock, random: () => random }, resourceVersion: '5' }),
      );
      await settle();
      void watching;
      const [request] = source.requested;
      return request?.verb === 'watch' ? request.params.timeoutSeconds : undefined;
    };
    expect(await requested(0)).toBe(300);
    expect(await requested(0.5)).toBe(450);
    expect(await requested(0.999_999)).toBe(600);
  });

  it('waits up to twice the delay at random', async () => {
    const { clock, source } = world(apiError('internal'), new ByteStream());
    follow(watch(source, { environment: { clock, random: () => 0.5 }, resourceVersion: '5' }));
    await clock.advance(1199);
    expect(source.requested).toHaveLength(1);
    await clock.advance(1);
    expect(source.requested).toHaveLength(2);
  });
});

describe('an interrupted line', () => {
  it('is not an event; the next stream sends it again', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { clock, environment, source } = world(first, second);
    const { seen } = follow(watch(source, { environment, resourceVersion: '5' }));
    const line = JSON.stringify({ type: 'ADDED', object: thing('a', 6) });
    first.push(line.slice(0, 40));
    first.fail(new Error('socket hang up'));
    second.push(`${line}\n`);
    await clock.advance(800);
    expect(seen).toEqual(['ADDED 6']);
    expect(source.log[1]).toBe('watch resourceVersion=5 allowWatchBookmarks=true');
  });
});

describe('a line without an end', () => {
  it('is not an event: the watch resumes after the last one', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { clock, environment, source } = world(first, second);
    const received: string[] = [];
    const onRetry = (error: unknown): void => void received.push(String(error));
    const { seen } = follow(watch(source, { environment, resourceVersion: '5', onRetry }));
    const line = JSON.stringify({ type: 'ADDED', object: thing('b', 7) });
    first.line({ type: 'ADDED', object: thing('a', 6) });
    first.push(line.slice(0, 40));
    first.end();
    second.push(`${line}\n`);
    await clock.advance(800);
    expect(seen).toEqual(['ADDED 6', 'ADDED 7']);
    expect(source.log[1]).toBe('watch resourceVersion=6 allowWatchBookmarks=true');
    expect(received).toEqual([
      'TransportError: watch things in namespace shop: the stream ended in the middle of a line',
    ]);
  });
});

describe('an error in the stream', () => {
  const ended = (end: unknown): unknown => (isApiError(end) ? end.code : end);
  it.each<{ name: string; object: unknown; end?: number; waitMs?: number; from?: number }>([
    { name: '410 Expired', object: statuses.expired, end: 410 },
    { name: '410 Gone', object: statuses.gone, end: 410 },
    { name: '403', object: statuses.forbidden, end: 403 },
    { name: '429 with Retry-After', object: statuses.busy, waitMs: 7000 },
    { name: '429 without', object: { ...statuses.busy, details: {} }, waitMs: 800 },
    { name: '500', object: statuses.internal, waitMs: 800 },
    { name: '503', object: statuses.unavailable, waitMs: 800 },
    { name: '504, ahead', object: statuses.ahead, waitMs: 800 },
    { name: 'not a Status', object: { kind: 'Pod', spec: {} }, waitMs: 800 },
    { name: 'a string', object: 'oops', waitMs: 800 },
    { name: 'null', object: null, waitMs: 800 },
    { name: 'a list', object: [], waitMs: 800 },
    {
      name: 'a Status with malformed members',
      object: { code: 'x', reason: 7, message: {}, details: 'y' },
      waitMs: 800,
    },
  ])('$name', async ({ object, end, waitMs = 0 }) => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    const controller = new AbortController();
    const watched = follow(watch(source, { environment, resourceVersion: '5', signal: controller.signal }));
    stream.line({ type: 'ADDED', object: thing('a', 6) });
    stream.line({ type: 'ERROR', object });
    stream.line({ type: 'ADDED', object: thing('b', 7) });
    await clock.advance(Math.max(0, waitMs - 1));
    expect(source.requested).toHaveLength(1);
    expect([watched.seen, stream.cancelled]).toEqual([['ADDED 6'], true]);
    if (end !== undefined) return expect(ended(await watched.end)).toBe(end);
    await clock.advance(1);
    expect(source.log[1]).toBe('watch resourceVersion=6 allowWatchBookmarks=true');
    controller.abort('enough');
    expect(await watched.end).toBe('no error');
  });
});

it('marks the end of the existing objects with a bookmark, if bookmarks are requested', async () => {
  const { environment, source } = world(listOf(5, [thing('a', 3)]), new ByteStream());
  const events = watch(source, { environment, bookmarks: true })[Symbol.asyncIterator]();
  expect((await events.next()).value).toEqual({ type: 'ADDED', object: thing('a', 3) });
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  expect((await events.next()).value).toEqual({
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '5', annotations } },
  });
  await events.return?.();
});

it('treats frames as malformed if the source cannot decode them', async () => {
  const streams = Array.from({ length: 3 }, () => new ByteStream());
  const { clock, environment, source } = world();
  source.watch = async () => {
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' };
    return { ...(streams.shift() ?? new ByteStream()).response, headers };
  };
  const opened = [...streams];
  const { end } = follow(watch(source, { environment, resourceVersion: '5' }));
  await clock.advance(5000);
  const error = await end;
  expect(isDecodeError(error) && error.message).toContain('its frames cannot be decoded');
  expect(opened.map(({ cancelled }) => cancelled)).toEqual([true, true, true]);
});

describe('end of a watch', () => {
  it.each(['list', 'watch', 'read', 'wait'])('without an error by abort during: %s', async (what) => {
    const stream = new ByteStream();
    const responses = {
      list: ['never' as const],
      watch: [listOf(5, []), 'never' as const],
      read: [listOf(5, []), stream],
      wait: [apiError('internal')],
    }[what];
    const { clock, environment, source } = world(...(responses ?? []));
    const controller = new AbortController();
    const { end } = follow(watch(source, { environment, signal: controller.signal }));
    await settle();
    controller.abort('why not');
    expect(await end).toBe('no error');
    expect(clock.armed).toBe(0);
    expect(stream.cancelled).toBe(what === 'read');
  });

  it('without an error by a signal that has aborted before: sends no request', async () => {
    const { environment, source } = world();
    const { end } = follow(watch(source, { environment, signal: AbortSignal.abort('early') }));
    expect(await end).toBe('no error');
    expect(source.requested).toEqual([]);
  });

  it('by leaving the loop', async () => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(listOf(5, [thing('a', 3)]), stream);
    for await (const event of watch(source, { environment })) {
      if (event.type === 'ADDED') stream.line({ type: 'MODIFIED', object: thing('a', 6) });
      else break;
    }
    expect([stream.cancelled, clock.armed]).toEqual([true, 0]);
  });

  it('by return() while next() is pending', async () => {
    const stream = new ByteStream();
    const { clock, environment, source } = world(stream);
    const iterator = watch(source, { environment, resourceVersion: '5' })[Symbol.asyncIterator]();
    const next = iterator.next();
    await settle();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect([stream.cancelled, clock.armed]).toEqual([true, 0]);
  });

  it('cancels a stream whose response arrives too late', async () => {
    const stream = new ByteStream();
    const { clock, environment } = world();
    let response: (stream: ByteStream) => void = () => undefined;
    const source = new ScriptedSource();
    source.watch = () =>
      new Promise((resolve) => {
        response = (late) => resolve(late.response);
      });
    const controller = new AbortController();
    const { end } = follow(watch(source, { environment, resourceVersion: '5', signal: controller.signal }));
    await settle();
    controller.abort('now');
    expect(await end).toBe('no error');
    response(stream);
    await settle();
    expect([stream.cancelled, clock.armed]).toEqual([true, 0]);
  });
});

it('adds one listener to its signal, regardless of the number of streams, and removes it at the end', async () => {
  const streams = Array.from({ length: 20 }, () => new ByteStream());
  const { clock, environment, source } = world(listOf(5, []), ...streams);
  const { signal } = new AbortController();
  const iterator = watch(source, { environment, signal })[Symbol.asyncIterator]();
  const next = iterator.next();
  for (const stream of streams) {
    await clock.advance(1000);
    stream.end();
  }
  await clock.advance(1000);
  expect(source.requested).toHaveLength(22);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await iterator.return?.();
  await next;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('ends each request before the next one', async () => {
  const streams = Array.from({ length: 3 }, () => new ByteStream());
  const { clock, environment, source } = world(...streams, 'never');
  const controller = new AbortController();
  const { end } = follow(watch(source, { environment, resourceVersion: '5', signal: controller.signal }));
  for (const stream of streams) {
    await clock.advance(1000);
    stream.end();
  }
  await clock.advance(1000);
  expect(source.requested.map(({ signal }) => signal.aborted)).toEqual([true, true, true, false]);
  controller.abort('enough');
  expect(await end).toBe('no error');
});

it('does not read ahead', async () => {
  const stream = new ByteStream();
  const { environment, source } = world(stream);
  const iterator = watch(source, { environment, resourceVersion: '5' })[Symbol.asyncIterator]();
  for (let version = 6; version < 106; version += 1)
    stream.line({ type: 'ADDED', object: thing('a', version) });
  await iterator.next();
  await settle();
  expect(stream.reads).toBe(1);
  await iterator.return?.();
});
