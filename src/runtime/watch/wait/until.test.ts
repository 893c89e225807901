import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { apiError, refusedConnection, statuses } from '../../../../test/support/runtime/failures.ts';
import { FakeClock, settle } from '../../../../test/support/runtime/fake-clock.ts';
import {
  listOf,
  ScriptedSource,
  type SourceResponse,
  type Thing,
  thing,
} from '../../../../test/support/runtime/scripted-source.ts';
import { isTimeoutError } from '../../api/errors.ts';
import { isForbidden } from '../../api/failure-reasons.ts';
import type { BookmarkOptions, WatchOptions } from '../../api/options.ts';
import type { BookmarkEvent, WatchEvent } from '../../api/watch-events.ts';
import { watch } from '../watch.ts';
import { type UntilOptions, until, untilObjects, type Watched } from './until.ts';

/** Creates a client with scripted responses that implements `watch`. */
function world(...responses: SourceResponse[]) {
  const clock = new FakeClock();
  const environment = { clock, random: () => 0 };
  const source = new ScriptedSource(...responses);
  const requested: WatchOptions[] = [];
  function following(
    options: WatchOptions & BookmarkOptions,
  ): AsyncIterable<WatchEvent<Thing> | BookmarkEvent>;
  function following(options?: WatchOptions): AsyncIterable<WatchEvent<Thing>>;
  function following(
    options: WatchOptions & Partial<BookmarkOptions> = {},
  ): AsyncIterable<WatchEvent<Thing> | BookmarkEvent> {
    requested.push(options);
    return watch(source, { ...options, bookmarks: true, environment });
  }
  const client: Watched<Thing> = { watch: following };
  return { clock, source, client, requested, options: { environment } };
}

const short = ({ type, object }: WatchEvent<Thing>): string =>
  `${type} ${object.metadata.name} ${object.metadata.resourceVersion}`;
const names = (objects: readonly { readonly metadata: { readonly name: string } }[]): string =>
  objects.map(({ metadata }) => metadata.name).join(' ');

/** Starts a wait for an event that never occurs; returns the events that its predicate receives. */
function seeing({ client, options }: ReturnType<typeof world>) {
  const seen: string[] = [];
  const end = until(client, (event) => void seen.push(short(event)) === undefined && false, {
    ...options,
    timeoutMs: 20_000,
  });
  return { seen, end: end.catch((error: unknown) => error) };
}

describe('until', () => {
  it('resolves for an existing object, and releases everything', async () => {
    const { client, source, clock, options } = world(listOf(5, [thing('a', 3), thing('b', 4)]));
    const { signal } = new AbortController();
    const found = until(client, ({ object }) => object.metadata.name === 'b', {
      ...options,
      signal,
      timeoutMs: 1000,
    });
    expect(await found).toEqual({ type: 'ADDED', object: thing('b', 4) });
    expect(source.log).toEqual(['list limit=500']);
    expect([clock.armed, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('calls the predicate for every change after the list', async () => {
    const stream = new ByteStream();
    const all = world(listOf(5, [thing('a', 3)]), stream);
    stream.line({ type: 'MODIFIED', object: thing('a', 6) });
    stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } });
    stream.line({ type: 'DELETED', object: thing('a', 8) });
    const event = await until(all.client, ({ type }) => type === 'DELETED', all.options);
    expect(short(event)).toBe('DELETED a 8');
    expect(all.source.log).toEqual(['list limit=500', 'watch resourceVersion=5 allowWatchBookmarks=true']);
    expect([stream.cancelled, all.clock.armed]).toEqual([true, 0]);
  });

  it('calls the predicate with the differences after the history expired', async () => {
    const stream = new ByteStream();
    const before = [thing('gone', 1), thing('same', 2), thing('changed', 3), thing('another', 4)];
    const after = [
      thing('same', 2),
      thing('changed', 8),
      thing('another', 9, { uid: 'other' }),
      thing('new', 10),
    ];
    const all = world(listOf(5, before), stream, apiError('expired'), listOf(20, after), new ByteStream());
    const { seen, end } = seeing(all);
    await settle();
    stream.line({ type: 'MODIFIED', object: thing('gone', 6) });
    stream.line({ type: 'ERROR', object: statuses.expired });
    await all.clock.advance(2000);
    expect(seen.splice(0, 4)).toEqual(['ADDED gone 1', 'ADDED same 2', 'ADDED changed 3', 'ADDED another 4']);
    expect(seen).toEqual([
      'MODIFIED gone 6',
      'DELETED gone 6',
      'DELETED another 4',
      'MODIFIED changed 8',
      'ADDED another 9',
      'ADDED new 10',
    ]);
    await all.clock.advance(20_000);
    expect(isTimeoutError(await end)).toBe(true);
    expect(all.clock.armed).toBe(0);
  });

  it('passes the selectors on, and limits the total time', async () => {
    const { client, requested, clock, options } = world(listOf(5, []), apiError('expired'), 'never');
    const end = until(client, () => true, { ...options, labelSelector: 'a=b', timeoutMs: 1000 }).catch(
      (error) => error,
    );
    await clock.advance(1000);
    expect(isTimeoutError(await end)).toBe(true);
    expect(
      requested.map(({ labelSelector, timeoutMs, resourceVersion }) => [
        labelSelector,
        timeoutMs,
        resourceVersion,
      ]),
    ).toEqual([
      ['a=b', 1000, undefined],
      ['a=b', 200, undefined],
    ]);
    expect(clock.armed).toBe(0);
  });

  it('calls onRetry for each retried failure', async () => {
    const refused = refusedConnection();
    const { client, clock, options } = world(refused, listOf(5, [thing('a', 3)]));
    const received: unknown[] = [];
    const onRetry: UntilOptions['onRetry'] = (error, info) => received.push([error, info]);
    const found = until(client, () => true, { ...options, onRetry });
    await clock.advance(1000);
    expect(short(await found)).toBe('ADDED a 3');
    expect(received).toEqual([[refused, { attempt: 1 }]]);
  });

  it.each([Number.NaN, -1])('throws RangeError for a timeout of %d ms', async (timeoutMs) => {
    const { client, requested, options } = world();
    await expect(until(client, () => true, { ...options, timeoutMs })).rejects.toThrow(RangeError);
    expect(requested).toEqual([]);
  });

  it('rejects if a retry cannot succeed', async () => {
    const { client, options } = world(apiError('forbidden'));
    await expect(until(client, () => true, options)).rejects.toSatisfy(isForbidden);
  });

  it('rejects with the error of the predicate, and leaves nothing open', async () => {
    const { client, options, clock } = world(listOf(5, [thing('a', 3)]), new ByteStream());
    const oops = (): boolean => {
      throw new Error('oops');
    };
    await expect(until(client, oops, { ...options, timeoutMs: 1000 })).rejects.toThrow('oops');
    expect(clock.armed).toBe(0);
  });

  it.each([until, untilObjects])('%o throws TypeError for an async predicate', async (wait) => {
    const { client, options, clock } = world(listOf(5, [thing('a', 3)]));
    const call: Promise<unknown> = Reflect.apply(wait, undefined, [client, async () => false, options]);
    await expect(call).rejects.toThrow(`the predicate of ${wait.name} is async`);
    expect(clock.armed).toBe(0);
  });

  it.each<{ name: string; responses: SourceResponse[]; ms: number }>([
    { name: 'the list', responses: ['never'], ms: 0 },
    { name: 'the stream', responses: [listOf(5, []), new ByteStream()], ms: 0 },
    { name: 'another list', responses: [apiError('expired')], ms: 10 },
  ])('rejects with the reason of its signal while it waits for $name', async ({ responses, ms }) => {
    const { client, options, clock } = world(...responses);
    const controller = new AbortController();
    const end = until(client, () => false, { ...options, signal: controller.signal }).catch((error) => error);
    await clock.advance(ms);
    controller.abort('enough');
    expect(await end).toBe('enough');
    expect([clock.armed, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
  });
});

describe('until without a predicate', () => {
  it('throws before the first request', async () => {
    const { client, source, options } = world(listOf(5, []));
    const none = Object(undefined);
    const wrong = 'the predicate is not a function';
    await expect(until(client, none, options)).rejects.toThrow(`until: ${wrong}`);
    await expect(untilObjects(client, none, options)).rejects.toThrow(`untilObjects: ${wrong}`);
    expect(source.log).toEqual([]);
  });
});

describe('a client that streams the state itself', () => {
  it('may send changes before the end of the state', async () => {
    async function* received(): AsyncGenerator<WatchEvent<Thing> | BookmarkEvent, void> {
      yield { type: 'ADDED', object: thing('a', 1) };
      yield { type: 'ADDED', object: thing('b', 2) };
      yield { type: 'MODIFIED', object: thing('b', 3) };
      yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: '3' } } };
      yield { type: 'DELETED', object: thing('a', 4) };
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: '4', annotations } } };
    }
    // The overload without bookmarks is not called.
    const client = { watch: received } as Watched<Thing>;
    expect(await untilObjects(client, () => true)).toEqual([thing('b', 3)]);
  });
});

describe('untilObjects', () => {
  it('resolves for an empty collection', async () => {
    const { client, options } = world(listOf(5, []));
    expect(await untilObjects(client, (objects) => objects.length === 0, options)).toEqual([]);
  });

  it('calls the predicate with all existing objects at once, then for each change', async () => {
    const stream = new ByteStream();
    const { client, options, clock } = world(
      listOf(5, [thing('a', 1), thing('b', 2)]),
      stream,
      listOf(9, [thing('b', 2)]),
    );
    stream.line({ type: 'ADDED', object: thing('c', 6) });
    stream.line({ type: 'DELETED', object: thing('b', 7) });
    stream.line({ type: 'ERROR', object: statuses.expired });
    const seen: string[] = [];
    const found = untilObjects(
      client,
      (objects) => {
        seen.push(names(objects));
        return names(objects) === 'b';
      },
      options,
    );
    await clock.advance(2000);
    expect(names(await found)).toBe('b');
    expect(seen).toEqual(['a b', 'a b c', 'a c', 'b']);
  });
});

describe('timeout error of until', () => {
  const refused = refusedConnection();
  it.each<{ name: string; given: SourceResponse[]; line?: unknown; want: string }>([
    { name: 'without a response', given: ['never'], want: 'nothing yet' },
    { name: 'without objects', given: [listOf(5, []), 'never'], want: '0 objects' },
    {
      name: 'with objects',
      given: [listOf(5, [thing('a', 3)]), 'never'],
      want: '1 object, then ADDED shop/a at resourceVersion 3',
    },
    {
      name: 'with a failure since the last event',
      given: [listOf(5, []), refused, refused, refused, refused, refused],
      want: '0 objects; last failure: connect ECONNREFUSED',
    },
    {
      name: 'without a failure before the last event',
      given: [refused, listOf(5, []), 'never'],
      want: '0 objects',
    },
    {
      name: 'with an expired history',
      given: [listOf(5, []), ...Array<SourceResponse>(9).fill(apiError('expired'))],
      want: '0 objects; last failure: 410 Expired: Expired',
    },
  ])('$name', async ({ given, want }) => {
    const { client, options, clock } = world(...given);
    const end = until(client, () => false, { ...options, timeoutMs: 5000 }).catch((reason) => reason);
    await clock.advance(5000);
    expect(isTimeoutError(await end)).toBe(true);
    expect((await end).message).toBe(
      `wait for things in namespace shop: condition not met within 5000 ms; last seen: ${want}`,
    );
    expect(clock.armed).toBe(0);
  });
});
