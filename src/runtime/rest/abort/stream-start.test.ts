import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { APIRequest, APIResponse, Transport } from '../../api/transport.ts';
import { RESTClient } from '../client.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

function requestOf(signal: AbortSignal): APIRequest {
  const operation = { verb: 'watch', resource: 'pods' };
  const parts = { method: 'GET', path: '/', query: [], headers: {}, operation } as const;
  return { ...parts, stream: true, signal, timeoutMs: 5000 };
}

/** Returns a transport that responds with two chunks, and records the signal that it receives. */
function transport(): {
  readonly send: Transport;
  readonly signals: AbortSignal[];
  readonly cancelled: () => number;
} {
  const signals: AbortSignal[] = [];
  let cancelled = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    yield Buffer.from('b');
  }
  const cancel = (): void => {
    cancelled += 1;
  };
  const send = async ({ signal }: APIRequest): Promise<APIResponse> => {
    if (signal !== undefined) signals.push(signal);
    return { status: 200, headers: {}, body: body(), cancel };
  };
  return { send, signals, cancelled: () => cancelled };
}

/** Returns the entries of a signal: listeners, and signals that `AbortSignal.any` derived from it. */
function entriesOf(signal: AbortSignal): number {
  const dependent = Object.getOwnPropertySymbols(signal)
    .filter(({ description }) => description === 'kDependantSignals')
    .map((symbol): unknown => Reflect.get(signal, symbol))
    // Node's own type of set.
    .map((signals) =>
      signals instanceof Object ? Number(Reflect.get(signals, 'size')) : Number(Boolean(signals)),
    );
  return getEventListeners(signal, 'abort').length + dependent.reduce((sum, size) => sum + size, 0);
}

async function read(response: APIResponse, chunks = Number.POSITIVE_INFINITY): Promise<void> {
  let left = chunks;
  for await (const _ of response.body) {
    left -= 1;
    if (left === 0) break;
  }
}

it.each<readonly [string, (response: APIResponse) => unknown]>([
  ['is read to its end', (response) => read(response)],
  ['is abandoned early', (response) => read(response, 1)],
  ['is cancelled', (response) => response.cancel()],
])('removes all listeners from the signal of the caller when the stream %s', async (_, end) => {
  const { signal } = new AbortController();
  const { send } = transport();
  const rest = new RESTClient({ server: 'http://unused' }, { transport: send });
  for (let call = 0; call < 50; call += 1) await end(await rest.stream(requestOf(signal)));
  expect(entriesOf(signal)).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('removes all listeners from the signal of the caller when the stream does not begin', async () => {
  const { signal } = new AbortController();
  const rest = new RESTClient(
    { server: 'http://unused' },
    { transport: () => Promise.reject(new Error('no such server')) },
  );
  await expect(rest.stream(requestOf(signal))).rejects.toThrow('no such server');
  expect(entriesOf(signal)).toBe(0);
});

it('ends a stream that has begun only by the signal of the caller', async () => {
  const controller = new AbortController();
  const { send, signals, cancelled } = transport();
  const rest = new RESTClient({ server: 'http://unused' }, { transport: send });
  const response = await rest.stream(requestOf(controller.signal));
  vi.advanceTimersByTime(60_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  const reason = new Error('enough');
  controller.abort(reason);
  expect(signals[0]?.reason).toBe(reason);
  response.cancel();
  expect(cancelled()).toBe(1);
});

it('ends the iteration of a body that cannot be left early', async () => {
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: Buffer.from('a') }) }),
  };
  const rest = new RESTClient(
    { server: 'http://unused' },
    { transport: async () => ({ status: 200, headers: {}, body, cancel: () => undefined }) },
  );
  const response = await rest.stream(requestOf(new AbortController().signal));
  const chunks = response.body[Symbol.asyncIterator]();
  expect(await chunks.next()).toEqual({ done: false, value: Buffer.from('a') });
  expect(await chunks.return?.()).toEqual({ done: true, value: undefined });
});
