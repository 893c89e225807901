/** Long lists and logs from servers that close the connection, stall or send malformed data in the middle. */
import { Clientset } from '@kgen/kubernetes';
import { isDecodeError, isTimeoutError, isTransportError } from '@kgen/runtime';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { holdTime } from '../support/runtime/no-time-passes.ts';
import { chunk, head, last, ScriptServer, type Step } from './script-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function responded(steps: readonly Step[]) {
  const server = await new ScriptServer(steps).start();
  closing.push(() => server.stop());
  const clientset = new Clientset({ server: server.url });
  closing.push(() => clientset.close());
  return { server, pods: clientset.coreV1.pods('shop') };
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const pod = (index: number): string =>
  JSON.stringify({ metadata: { name: `web-${index}`, annotations: { text: 'ä'.repeat(2000) } } });
const count = 1000;
const half = `{"kind":"PodList","metadata":{},"items":[${Array.from({ length: count }, (_, index) => pod(index))}`;

/** Steps that send part of a list of four megabytes, followed by other steps. */
const list = (...rest: readonly Step[]): Step[] => [head('application/json'), chunk(half), ...rest];

describe('a long list', () => {
  it('is returned as it was sent', async () => {
    const { pods } = await responded(list(chunk(']}'), last));
    const { items } = await pods.list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: count }, (_, index) => `web-${index}`),
    );
    expect(items.every(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')).toBe(true);
  });

  it.each<{ what: string; rest: Step[]; is: (error: unknown) => boolean; message: RegExp }>([
    { what: 'is reset', rest: ['reset'], is: isTransportError, message: /in the middle of the response/ },
    { what: 'breaks off', rest: ['end'], is: isTransportError, message: /in the middle of the response/ },
    {
      what: 'ends early',
      rest: [last],
      is: isDecodeError,
      message: /the response is incomplete or not JSON/,
    },
    {
      what: 'continues with malformed data',
      rest: [chunk('<html>'.repeat(50_000)), 'stall'],
      is: isDecodeError,
      message: /not JSON/,
    },
  ])(
    'rejects with a typed error if the response $what, and closes the connection',
    async ({ rest, is, message }) => {
      const { pods, server } = await responded(list(...rest));
      const error = await failureOf(pods.list());
      expect(error).toSatisfy(is);
      expect(String(error)).toMatch(/: list pods in namespace shop: /);
      expect(String(error)).toMatch(message);
      if (!rest.includes(last)) await server.left;
    },
  );

  it('times out if the response stalls, and closes the connection', async () => {
    const { pods, server } = await responded(list('stall'));
    holdTime();
    const failure = failureOf(pods.list({ timeoutMs: 2000 }));
    await server.requested;
    vi.advanceTimersByTime(2000);
    const error = await failure;
    expect(error).toSatisfy(isTimeoutError);
    expect(String(error)).toMatch(/: list pods in namespace shop: timed out after 2000 ms/);
    await server.left;
  });

  it('aborts with its signal at once', async () => {
    const { pods, server } = await responded(list('stall'));
    const controller = new AbortController();
    const failure = failureOf(pods.list({ signal: controller.signal }));
    await server.requested;
    controller.abort('enough');
    expect(await failure).toBe('enough');
    await server.left;
  });
});

/** Steps that send a log, followed by other steps. */
const log = (...rest: readonly Step[]): Step[] => [head('text/plain'), ...rest];

describe('a log', () => {
  it('streams lines for any chunks', async () => {
    const text = Buffer.from('grüße\n日本語\n\nhalf');
    const pieces = Array.from(text, (byte) => chunk(Uint8Array.of(byte)));
    const { pods } = await responded(log(...pieces, last));
    expect(await collect(pods.streamLog('web', { container: 'app' }))).toEqual([
      'grüße',
      '日本語',
      '',
      'half',
    ]);
    expect(await pods.getLog('web')).toBe(text.toString());
    const bytes: Uint8Array[] = await collect(pods.streamLog('web', { container: 'app', as: 'bytes' }));
    expect(Buffer.concat(bytes)).toEqual(text);
  });

  it('yields whole lines and then throws if it is interrupted', async () => {
    const { pods, server } = await responded(log(chunk('one\ntw'), 'reset'));
    const seen: string[] = [];
    const error = await failureOf(
      (async () => {
        for await (const line of pods.streamLog('web', { container: 'app', follow: true })) seen.push(line);
      })(),
    );
    expect(error).toSatisfy(isTransportError);
    expect(String(error)).toMatch(/get pods\/log shop\/web: .* in the middle of the response/);
    expect(seen).toEqual(['one']);
    await server.left;
  });

  it('closes its connection when the loop ends', async () => {
    const { pods, server } = await responded(log(chunk('one\ntwo\n'), 'stall'));
    for await (const line of pods.streamLog('web', { container: 'app', follow: true })) {
      expect(line).toBe('one');
      break;
    }
    await server.left;
  });

  it('closes its connection when the loop ends during a wait', async () => {
    const { pods, server } = await responded(log(chunk('one\ntw'), 'stall'));
    const lines = pods.streamLog('web', { container: 'app', follow: true })[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: 'one' });
    const waiting = lines.next();
    await lines.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await server.left;
  });

  it.each(['lines', 'bytes'] as const)('aborts with the reason of its signal: %s', async (as) => {
    const { pods, server } = await responded(log(chunk('one\n'), 'stall'));
    const controller = new AbortController();
    const { signal } = controller;
    const items: AsyncIterable<string | Uint8Array> =
      as === 'bytes'
        ? pods.streamLog('web', { container: 'app', as, signal })
        : pods.streamLog('web', { container: 'app', as, signal });
    const failure = failureOf(
      (async () => {
        for await (const _ of items) setImmediate(() => controller.abort('enough'));
      })(),
    );
    expect(await failure).toBe('enough');
    await server.left;
  });

  it('times out, also before it starts', async () => {
    const { pods, server } = await responded(['stall']);
    holdTime();
    const failure = failureOf(collect(pods.streamLog('web', { container: 'app', timeoutMs: 500 })));
    await server.requested;
    vi.advanceTimersByTime(500);
    const error = await failure;
    expect(error).toSatisfy(isTimeoutError);
    vi.useRealTimers();
    expect(await failureOf(pods.getLog('web', { container: 'app', timeoutMs: 1 }))).toSatisfy(isTimeoutError);
    await server.left;
  });
});
