import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { apiError, closedClient, cutStream } from '../../../../test/support/runtime/failures.ts';
import { FakeClock, settle } from '../../../../test/support/runtime/fake-clock.ts';
import { RecordingSink } from '../../../../test/support/runtime/recording-sink.ts';
import {
  listOf,
  ScriptedSource,
  type SourceResponse,
  thing,
} from '../../../../test/support/runtime/scripted-source.ts';
import { Reflector } from './reflector.ts';

interface Setup {
  readonly source: ScriptedSource;
  readonly sink: RecordingSink;
  readonly clock: FakeClock;
  readonly reflector: ReturnType<typeof reflectorOf>;
  readonly controller: AbortController;
}

function reflectorOf(source: ScriptedSource, sink: RecordingSink, clock: FakeClock) {
  return new Reflector(source, sink, { streaming: false, environment: { clock, random: () => 0 } });
}

function setUp(...responses: SourceResponse[]): Setup {
  const [source, sink, clock] = [new ScriptedSource(...responses), new RecordingSink(), new FakeClock()];
  return {
    source,
    sink,
    clock,
    reflector: reflectorOf(source, sink, clock),
    controller: new AbortController(),
  };
}

/** Creates a promise that the test resolves. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const change = (version: number, name = 'a') => ({ type: 'MODIFIED', object: thing(name, version) });
const bookmark = (version: number) => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(version) } },
});

describe('a reflector', () => {
  it('counts requests and events', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { source, sink, clock, reflector, controller } = setUp(
      apiError('internal'),
      listOf(5, [thing('a', 3)]),
      first,
      second,
      listOf(9, [thing('a', 9)]),
    );
    const end = reflector.run(controller.signal);
    await settle();
    expect(reflector.counters.lastError).toEqual(apiError('internal'));
    await clock.advance(800);
    first.line(change(6));
    first.line(change(6));
    first.line(bookmark(7));
    await clock.advance(2000);
    first.end();
    await settle();
    second.line(bookmark(8));
    second.push('<html>\n');
    await clock.advance(900);
    expect(source.log).toEqual([
      'list resourceVersion=0 limit=500',
      'list resourceVersion=0 limit=500',
      'watch resourceVersion=5 allowWatchBookmarks=true',
      'watch resourceVersion=7 allowWatchBookmarks=true',
      'list resourceVersion=8',
      'watch resourceVersion=9 allowWatchBookmarks=true',
    ]);
    expect(reflector.counters).toEqual({
      lists: 3,
      watches: 3,
      restarts: 1,
      relists: 1,
      failures: 2,
      events: 1,
      bookmarks: 2,
      stale: 1,
      resourceVersion: '9',
      request: { verb: 'watch', at: 4600 },
      lastDataAt: 4600,
      lastError: undefined,
      decodeJsonMs: expect.any(Number),
      decodeProtobufMs: 0,
    });
    expect(sink.state.get('a')?.metadata.resourceVersion).toBe('9');
    controller.abort();
    await end;
    expect(clock.armed).toBe(0);
  });

  it('does not count the empty state of a resource that does not exist as data', async () => {
    const stream = new ByteStream();
    const absent = apiError('absent');
    const { sink, clock, reflector, controller } = setUp(
      ...[listOf(5, [thing('a', 3)]), stream, absent, absent, absent, absent],
      listOf(9, []),
    );
    const end = reflector.run(controller.signal);
    await clock.advance(2000);
    stream.line(bookmark(7));
    await settle();
    const { lastDataAt } = reflector.counters;
    stream.end();
    while (sink.state.size > 0) await clock.advance(1000);
    expect(reflector.counters).toMatchObject({ resourceVersion: '', lastDataAt });
    while (reflector.counters.resourceVersion === '') await clock.advance(1000);
    expect(reflector.counters.lastDataAt).toBeGreaterThan(lastDataAt ?? Infinity);
    controller.abort();
    await end;
  });

  it('reports which stream ended too soon', async () => {
    const stream = new ByteStream();
    const { reflector, controller } = setUp(listOf(5, []), stream);
    const end = reflector.run(controller.signal);
    await settle();
    stream.end();
    await settle();
    expect(reflector.counters.lastError).toHaveProperty(
      'message',
      'watch things in namespace shop: the stream ended at once, without any event',
    );
    controller.abort();
    await end;
  });

  it('requests the next page after the previous one was processed', async () => {
    const { source, sink, reflector, controller } = setUp(
      listOf(5, [thing('a', 3)], 'x'),
      listOf(5, [thing('b', 4)]),
    );
    const slow = gate();
    sink.gathering = slow.passed;
    const end = reflector.run(controller.signal);
    await settle();
    expect(source.log).toHaveLength(1);
    slow.open();
    await settle();
    expect(source.log).toHaveLength(3);
    controller.abort();
    await end;
  });

  it('rejects when the client is closed', async () => {
    const { reflector, controller } = setUp(closedClient());
    await expect(reflector.run(controller.signal)).rejects.toThrow('closed');
  });

  it('has bounded memory', async () => {
    const stream = new ByteStream();
    const { sink, clock, reflector, controller } = setUp(listOf(5, []), stream);
    const end = reflector.run(controller.signal);
    await settle();
    for (let version = 6; version < 10_006; version += 1) {
      stream.line(change(version));
      if (version % 500 === 0) await settle();
    }
    // Events are processed in several turns of the event loop.
    await expect.poll(() => reflector.counters.events).toBe(10_000);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    expect([clock.armed, sink.state.size]).toEqual([1, 1]);
    controller.abort();
    await end;
    expect([clock.armed, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
  });

  it('has one request, one timer and one listener at a time, over thousands of streams', async () => {
    const streams = Array.from({ length: 2000 }, () => new ByteStream());
    const { clock, reflector, controller } = setUp(listOf(5, []), ...streams);
    const end = reflector.run(controller.signal);
    await settle();
    for (const [index, stream] of streams.entries()) {
      stream.line(change(6 + index));
      if (index % 2 === 0) stream.end();
      else stream.fail(cutStream());
      await clock.advance(800);
      expect([clock.armed, getEventListeners(controller.signal, 'abort').length]).toEqual([1, 1]);
    }
    expect(reflector.counters).toMatchObject({
      lists: 1,
      watches: 2001,
      restarts: 2000,
      failures: 0,
      events: 2000,
    });
    controller.abort();
    await end;
  });
});

describe('a reflector that is stopped', () => {
  it('in the middle of a list has replaced nothing, and starts again', async () => {
    const { source, sink, reflector, controller } = setUp(listOf(5, [thing('a', 3)], 'x'), 'never');
    const end = reflector.run(controller.signal);
    await settle();
    controller.abort();
    await end;
    expect(sink.log).toEqual(['begin', 'gather ADDED a']);
    expect([sink.state.size, reflector.counters.resourceVersion]).toEqual([0, undefined]);
    const again = new AbortController();
    const second = reflector.run(again.signal);
    await settle();
    expect(source.log.at(-1)).toBe('list resourceVersion=0 limit=500');
    again.abort();
    await second;
  });

  it('while the state is replaced has replaced it completely or not at all', async () => {
    const { source, sink, reflector, controller } = setUp(listOf(5, [thing('a', 3)]), 'never');
    const slow = gate();
    sink.replacing = slow.passed;
    const end = reflector.run(controller.signal);
    await settle();
    controller.abort();
    slow.open();
    await end;
    expect([sink.state.size, reflector.counters.resourceVersion, source.log.length]).toEqual([
      0,
      undefined,
      1,
    ]);
  });

  it('resumes later with a state not older than the last version', async () => {
    const stream = new ByteStream();
    const { source, sink, reflector, controller } = setUp(listOf(5, [thing('a', 3)]), stream, listOf(9, []));
    const first = reflector.run(controller.signal);
    await settle();
    stream.line(change(7));
    await settle();
    controller.abort();
    await first;
    expect(stream.cancelled).toBe(true);
    const again = new AbortController();
    const second = reflector.run(again.signal);
    await settle();
    expect(source.log.slice(2)).toEqual([
      'list resourceVersion=7',
      'watch resourceVersion=9 allowWatchBookmarks=true',
    ]);
    expect(sink.state.size).toBe(0);
    again.abort();
    await second;
  });

  it('and started at once waits for the end of the previous run', async () => {
    const { sink, reflector, controller } = setUp(listOf(5, [thing('a', 3)]), listOf(5, [thing('a', 3)]));
    const slow = gate();
    sink.gathering = slow.passed;
    const first = reflector.run(controller.signal);
    await settle();
    controller.abort();
    const again = new AbortController();
    const second = reflector.run(again.signal);
    await settle();
    expect(sink.log).toEqual(['begin', 'gather ADDED a']);
    slow.open();
    await first;
    await settle();
    expect(sink.log.slice(2)).toEqual(['gathered', 'begin', 'gather ADDED a', 'gathered', 'replace']);
    again.abort();
    await second;
  });

  it('before its start sends no request', async () => {
    const { source, reflector, controller } = setUp(listOf(5, []));
    controller.abort();
    await reflector.run(controller.signal);
    expect(source.log).toEqual([]);
  });
});
