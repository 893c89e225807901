import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../../test/support/runtime/fake-clock.ts';
import { isTimeoutError } from '../../api/errors.ts';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { type Bucket, giveBack, take } from '../../common/token-bucket.ts';
import { onAbort } from '../abort/on-abort.ts';
import { RESTClient } from '../client.ts';
import { checkRateLimit, type RateLimit } from './limit.ts';
import { limiting } from './limiter.ts';

const limit: RateLimit = { qps: 2, burst: 3 };

describe('a token bucket', () => {
  it('starts full, and then provides tokens at the rate', () => {
    let bucket: Bucket = { tokens: limit.burst, at: 0 };
    const waits = [0, 0, 0, 0, 0, 1000, 10_000].map((now) => {
      const taken = take(bucket, limit, now);
      bucket = taken.bucket;
      return taken.waitMs;
    });
    // Three at once, then one per half second; two tokens were added within the first second, and both were
    // waited for.
    expect(waits).toEqual([0, 0, 0, 500, 1000, 500, 0]);
  });

  it.each<{ name: string; given: Bucket; now: number; want: number }>([
    { name: 'holds at most burst tokens', given: { tokens: 3, at: 0 }, now: 60_000, want: 3 },
    { name: 'takes back unused tokens', given: { tokens: -1, at: 0 }, now: 0, want: 0 },
    { name: 'loses no tokens when the clock goes back', given: { tokens: 1, at: 1000 }, now: 0, want: 2 },
  ])('$name', ({ given, now, want }) => {
    expect(giveBack(given, limit, now).tokens).toBe(want);
  });

  it.each<RateLimit>([
    { qps: 0, burst: 1 },
    { qps: -1, burst: 1 },
    { qps: Number.NaN, burst: 1 },
    { qps: Number.POSITIVE_INFINITY, burst: 1 },
    { qps: 1, burst: 0 },
    { qps: 1, burst: 1.5 },
    { qps: 1, burst: Number.NaN },
  ])('throws RangeError for qps $qps and burst $burst', (wrong) => {
    expect(() => checkRateLimit(wrong)).toThrow(RangeError);
    expect(() => new RESTClient({ server: 'https://h' }, { rateLimit: wrong })).toThrow(RangeError);
  });
});

function request(more: Partial<APIRequest> = {}): APIRequest {
  return {
    method: 'GET',
    path: '/',
    query: [],
    headers: {},
    operation: { verb: 'get', resource: 'pods' },
    ...more,
  };
}

const ok: APIResponse = {
  status: 200,
  headers: {},
  body: (async function* () {})(),
  cancel: () => undefined,
};

/** Returns a limited transport on a fake clock, and the times of its requests. */
function limited() {
  const clock = new FakeClock();
  const start = clock.now();
  const sent: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = clock.timer(ms, resolve);
      if (signal !== undefined) {
        onAbort(signal, (reason) => {
          cancel();
          reject(reason);
        });
      }
    });
  const transport = async (): Promise<APIResponse> => {
    sent.push(clock.now() - start);
    return ok;
  };
  const send = limiting(transport, { qps: 10, burst: 2 }, { sleep, now: () => clock.now() });
  return { clock, sent, send };
}

describe('a limited transport', () => {
  it('sends requests in order at the rate', async () => {
    const { clock, sent, send } = limited();
    const all = Promise.all(Array.from({ length: 5 }, () => send(request())));
    await clock.advance(1000);
    await all;
    expect(sent).toEqual([0, 0, 100, 200, 300]);
    await send(request());
    expect(sent.at(-1)).toBe(1000);
  });

  it('delays all requests but watches', async () => {
    const { clock, sent, send } = limited();
    const watch = request({ stream: true, query: [['watch', 'true']] });
    await Promise.all(Array.from({ length: 5 }, () => send(watch)));
    expect(sent).toEqual([0, 0, 0, 0, 0]);
    const logs = Array.from({ length: 3 }, () =>
      send(request({ stream: true, query: [['follow', 'true']] })),
    );
    await clock.advance(100);
    await Promise.all(logs);
    expect(sent.slice(5)).toEqual([0, 0, 100]);
  });

  it('rejects a delayed request with the reason of the signal, and returns its token', async () => {
    const { clock, sent, send } = limited();
    await Promise.all([send(request()), send(request())]);
    const controller = new AbortController();
    const waiting = send(request({ signal: controller.signal }));
    const reason = new Error('enough');
    const ended = expect(waiting).rejects.toBe(reason);
    await settle();
    controller.abort(reason);
    await ended;
    expect(clock.armed).toBe(0);
    const next = send(request());
    await clock.advance(100);
    await next;
    expect(sent).toEqual([0, 0, 100]);
  });

  it('rejects with TimeoutError at once if the delay exceeds timeoutMs', async () => {
    const { clock, sent, send } = limited();
    await Promise.all([send(request()), send(request())]);
    const error: unknown = await send(request({ timeoutMs: 100 })).catch((reason: unknown) => reason);
    expect(isTimeoutError(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'get pods: not sent within 100 ms: the rate limit of 10 requests/s delays it by 100 ms',
    });
    const next = send(request({ timeoutMs: 101 }));
    await clock.advance(100);
    await next;
    expect(sent).toEqual([0, 0, 100]);
  });
});

it('is shared by all objects of a client, and counts each retry', async () => {
  const responses = [503, 200].map((status) => ({ ...ok, status, headers: { 'retry-after': '0' } }));
  const rest = new RESTClient(
    { server: 'https://h' },
    { transport: async () => responses.shift() ?? ok, rateLimit: { qps: 0.001, burst: 2 } },
  );
  await expect(rest.stream(request())).resolves.toMatchObject({ status: 200 });
  await expect(rest.get('/a', { timeoutMs: 1000 })).rejects.toThrow('the rate limit of 0.001 requests/s');
});
