import { pods as podsDescriptor } from '@kgen/kubernetes/core/v1';
import { ApiError, RESTClient, resource, TransportError } from '@kgen/runtime';
import {
  formatLogEntry,
  type LogPod,
  type LogPods,
  type LogRequestOptions,
  streamLogs,
} from '@kgen/runtime/streams';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogResumption, nanoseconds, splitTime } from '../../src/runtime/client/streams/logs/resume.ts';
import { randomOf } from '../support/random.ts';
import { rounds } from '../support/seeds.ts';
import { failure } from './support.ts';

/** Responds to requests for logs. */
type Read = (name: string, options: LogRequestOptions) => AsyncIterable<string>;

const runningPod = (name: string, containers = ['main'], phase = 'Running'): LogPod => ({
  metadata: { name, uid: `uid-${name}` },
  spec: { containers: containers.map((one) => ({ name: one })) },
  status: { phase },
});

/** Creates a client of pods. */
function clientOf(all: readonly LogPod[], read: Read): LogPods {
  return {
    find: async (name) => all.find(({ metadata }) => metadata.name === name),
    list: async () => ({ items: all }),
    watch: async function* ({ signal } = {}) {
      for (const object of all) yield { type: 'ADDED', object };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    },
    streamLog: read,
  };
}

async function* linesOf(...lines: readonly string[]): AsyncGenerator<string, void> {
  yield* lines;
}

const at = (second: number, fraction = '000000000'): string =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.${fraction}Z`;

async function texts(entries: AsyncIterable<{ readonly line: string }>): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { line } of entries) lines.push(line);
  return lines;
}

describe('streamLogs', () => {
  it('accepts the client of pods of a clientset', () => {
    const rest = new RESTClient({ server: 'http://127.0.0.1:1' });
    onTestFinished(() => rest.close());
    const entries = streamLogs(resource(rest, podsDescriptor).in('shop'), { pod: 'web-0' });
    expect(Symbol.asyncIterator in entries).toBe(true);
  });

  it('merges containers and pods in the order of time, with prefixes', async () => {
    const logs = new Map([
      ['a main', [`${at(1)} a1`, `${at(4)} a4`]],
      ['a side', [`${at(2)} s2`]],
      ['b main', [`${at(1, '500000000')} b1`, `${at(3)} b3`, `${at(5)} b5`]],
    ]);
    const pods = clientOf([runningPod('a', ['main', 'side']), runningPod('b')], (name, { container }) =>
      linesOf(...(logs.get(`${name} ${container}`) ?? [])),
    );
    const lines: string[] = [];
    for await (const entry of streamLogs(pods, { labelSelector: 'app=web' }))
      lines.push(formatLogEntry(entry));
    expect(lines).toEqual([
      '[pod/a/main] a1',
      '[pod/b/main] b1',
      '[pod/a/side] s2',
      '[pod/b/main] b3',
      '[pod/a/main] a4',
      '[pod/b/main] b5',
    ]);
  });

  it('resumes an interrupted log from its last second, without losing or repeating a line', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = [`${at(1)} a`, `${at(2, '1')} b`, `${at(2, '1')} c`, `${at(2, '2')} d`, `${at(3)} e`];
    const since: (string | undefined)[] = [];
    const all = [runningPod('a')];
    const pods = clientOf(all, async function* (_name, { sinceTime, tailLines }) {
      since.push(sinceTime ?? `tail ${tailLines}`);
      if (since.length === 1) {
        yield* log.slice(0, 2);
        throw new TransportError('reset');
      }
      if (since.length === 2) throw new ApiError({ code: 400, message: 'container is waiting to start' });
      yield* log.slice(1);
      all[0] = runningPod('a', ['main'], 'Succeeded');
    });
    const read = texts(streamLogs(pods, { pod: 'a', follow: true, tailLines: 5 }));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await read).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(since).toEqual(['tail 5', '2026-01-01T00:00:02Z', '2026-01-01T00:00:02Z']);
  });

  it('does not resume after an error that remains, or without follow', async () => {
    const forbidden = new ApiError({ code: 403, reason: 'Forbidden' });
    const fail: Read = async function* () {
      yield `${at(1)} a`;
      throw forbidden;
    };
    expect(
      await failure(texts(streamLogs(clientOf([runningPod('a')], fail), { pod: 'a', follow: true }))),
    ).toBe(forbidden);
    const reset = new TransportError('reset');
    const cut: Read = async function* () {
      yield `${at(1)} a`;
      throw reset;
    };
    expect(await failure(texts(streamLogs(clientOf([runningPod('a')], cut), { pod: 'a' })))).toBe(reset);
  });

  it('ends a followed selection without an error when its signal aborts', async () => {
    const controller = new AbortController();
    const pods = clientOf([runningPod('a')], async function* (_name, { signal }) {
      yield `${at(1)} a`;
      controller.abort();
      await new Promise((resolve) =>
        signal?.aborted ? resolve(0) : signal?.addEventListener('abort', resolve),
      );
    });
    const { signal } = controller;
    const lines = await texts(streamLogs(pods, { labelSelector: { app: 'web' }, follow: true, signal }));
    expect(['a', '']).toContain(lines.join());
  });

  it.each<[string, (stream: string | undefined) => boolean, readonly (string | undefined)[]]>([
    ['a server with the feature', (stream) => stream !== 'Unsupported', ['stdout', 'stderr']],
    ['a server without the feature', (stream) => stream === undefined, [undefined]],
    ['a server that ignores the parameter', () => true, [undefined]],
  ])('splits the streams of %s if it can', async (_, accepts, want) => {
    const pods = clientOf([runningPod('a')], async function* (_name, { stream }) {
      if (!accepts(stream)) throw new ApiError({ code: 422, reason: 'Invalid' });
      yield `${at(stream === 'Stderr' ? 2 : 1)} ${stream ?? 'all'}`;
    });
    const streams: (string | undefined)[] = [];
    for await (const { stream } of streamLogs(pods, { pod: 'a', split: true })) streams.push(stream);
    expect(streams).toEqual(want);
  });

  it('requires one selection', async () => {
    const pods = clientOf([], () => linesOf());
    await expect(texts(streamLogs(pods, {}))).rejects.toThrow(TypeError);
    await expect(texts(streamLogs(pods, { pod: 'a', split: true, tailLines: 1 }))).rejects.toThrow(TypeError);
  });
});

describe('LogResumption', () => {
  it('accepts each line once for any interruption', () => {
    for (let seed = 1; seed <= rounds(2000, 60); seed += 1) {
      const random = randomOf(seed);
      let second = 0;
      const log = Array.from({ length: 30 }, (_, index) => {
        if (random.chance(0.3)) second += 1;
        return `${at(second, String(random.int(3)))} ${index}`;
      });
      const resumption = new LogResumption();
      const accepted: string[] = [];
      let known = 0;
      while (accepted.length < log.length) {
        const since = resumption.sinceTime;
        const from =
          since === undefined
            ? log
            : log.filter((text) => nanoseconds(splitTime(text).time) >= nanoseconds(since));
        const end = random.int(from.length + 1);
        for (const text of from.slice(0, end)) {
          const line = splitTime(text);
          if (resumption.accept(line)) accepted.push(line.line);
        }
        resumption.resume();
        known += 1;
        if (known > 1000) break;
      }
      expect(accepted, `seed ${seed}`).toEqual(log.map((_, index) => String(index)));
    }
  });

  it.each([
    ['2026-01-01T00:00:00.5Z x y', '2026-01-01T00:00:00.5Z', 'x y'],
    ['2026-01-01T01:00:00.123456789+01:00 x', '2026-01-01T01:00:00.123456789+01:00', 'x'],
    ['2026-01-01T00:00:00Z ', '2026-01-01T00:00:00Z', ''],
    ['no time', '', 'no time'],
  ])('splits the time of %j', (text, time, line) => expect(splitTime(text)).toEqual({ time, line }));

  it('compares times in nanoseconds, in any zone', () => {
    expect(nanoseconds('2026-01-01T01:00:00.5+01:00')).toBe(nanoseconds('2026-01-01T00:00:00.500000000Z'));
    expect(nanoseconds('2026-01-01T00:00:00.12Z')).toBeLessThan(nanoseconds('2026-01-01T00:00:00.2Z'));
  });
});
