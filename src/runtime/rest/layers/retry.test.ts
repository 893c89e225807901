import { describe, expect, it } from 'vitest';
import { TransportError } from '../../api/errors.ts';
import type { APIRequest, APIResponse, HTTPMethod } from '../../api/transport.ts';
import { hintsOf } from '../response/hints.ts';
import { retrying } from './retry.ts';
import { type RetryEnvironment, retryDelayMs } from './retry-loop.ts';

function request(method: HTTPMethod, more: Partial<APIRequest> = {}): APIRequest {
  return { method, path: '/', query: [], headers: {}, operation: { verb: 'get', resource: 'pods' }, ...more };
}

function response(status: number, headers: Record<string, string> = {}): APIResponse {
  return { status, headers, body: (async function* () {})(), cancel: () => undefined };
}

const reset = new TransportError('reset', undefined, { code: 'ECONNRESET' });
const soon = { 'retry-after': '2' };

describe('retryDelayMs', () => {
  interface Case {
    readonly method: HTTPMethod;
    readonly given: Parameters<typeof retryDelayMs>[1];
    readonly retries?: number;
    readonly want: number | undefined;
  }
  const cases: Readonly<Record<string, Case>> = {
    'a success': { method: 'GET', given: { response: response(200, soon) }, want: undefined },
    'a read after 429 with Retry-After': {
      method: 'GET',
      given: { response: response(429, soon) },
      want: 2000,
    },
    'a read after 500 with Retry-After': {
      method: 'GET',
      given: { response: response(500, soon) },
      want: 2000,
    },
    'a read after 599 with Retry-After': {
      method: 'GET',
      given: { response: response(599, soon) },
      want: 2000,
    },
    'a read after 503 without Retry-After': {
      method: 'GET',
      given: { response: response(503) },
      want: undefined,
    },
    'a read with a date in Retry-After': {
      method: 'GET',
      given: { response: response(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }) },
      want: undefined,
    },
    'a read with the longest Retry-After that is waited for': {
      method: 'GET',
      given: { response: response(503, { 'retry-after': '300' }) },
      want: 300_000,
    },
    'a read with a longer Retry-After': {
      method: 'GET',
      given: { response: response(503, { 'retry-after': '301' }) },
      want: undefined,
    },
    'a read with a Retry-After in the next year': {
      method: 'GET',
      given: { response: response(503, { 'retry-after': '31536000' }) },
      want: undefined,
    },
    'a read after 403': { method: 'GET', given: { response: response(403, soon) }, want: undefined },
    'a write after 429': { method: 'POST', given: { response: response(429, soon) }, want: 2000 },
    'a write after 503': { method: 'PATCH', given: { response: response(503, soon) }, want: 2000 },
    'a write after 500, which may have been processed': {
      method: 'PUT',
      given: { response: response(500, soon) },
      want: undefined,
    },
    'a write after 504': { method: 'DELETE', given: { response: response(504, soon) }, want: undefined },
    'a read after a first reset, without delay': { method: 'GET', given: { error: reset }, want: 0 },
    'a read after a second reset': { method: 'GET', given: { error: reset }, retries: 1, want: 1000 },
    'a write after a reset': { method: 'POST', given: { error: reset }, want: undefined },
    'a read by HEAD': { method: 'HEAD', given: { response: response(500, soon) }, want: 2000 },
    'a read by OPTIONS': { method: 'OPTIONS', given: { error: reset }, want: 0 },
    'a deletion after a reset': { method: 'DELETE', given: { error: reset }, want: undefined },
    ...Object.fromEntries(
      ['EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'].map((code): [string, Case] => [
        `a read after ${code}`,
        { method: 'GET', given: { error: new TransportError('x', undefined, { code }) }, want: 0 },
      ]),
    ),
    'a read after a redirect with Retry-After': {
      method: 'GET',
      given: { response: response(302, soon) },
      want: undefined,
    },
    'a read after a refused connection': {
      method: 'GET',
      given: { error: new TransportError('refused', undefined, { code: 'ECONNREFUSED' }) },
      want: undefined,
    },
    'a read after ten retries': {
      method: 'GET',
      given: { response: response(429, soon) },
      retries: 10,
      want: undefined,
    },
  };
  it.each(Object.entries(cases))('%s', (_, { method, given, retries = 0, want }) => {
    expect(retryDelayMs(request(method), given, retries)).toBe(want);
  });

  it('respects maxRetries of the request', () => {
    const outcome = { response: response(429, soon) };
    expect(retryDelayMs(request('GET', { maxRetries: 0 }), outcome, 0)).toBe(undefined);
    expect(retryDelayMs(request('GET', { maxRetries: 1 }), outcome, 0)).toBe(2000);
  });
});

describe('retrying', () => {
  /** Returns the outcomes in turn, and records the delays. */
  function scripted(outcomes: readonly (APIResponse | Error)[]) {
    const waits: number[] = [];
    let sent = 0;
    let now = 0;
    const environment: RetryEnvironment = {
      random: () => 0.5,
      now: () => now,
      sleep: (ms) => {
        waits.push(ms);
        now += ms;
        return Promise.resolve();
      },
    };
    const send = retrying(() => {
      const outcome = outcomes[Math.min(sent, outcomes.length - 1)];
      sent += 1;
      return outcome instanceof Error || outcome === undefined
        ? Promise.reject(outcome)
        : Promise.resolve(outcome);
    }, environment);
    return { send, waits, sent: () => sent };
  }

  it('delays a retry by Retry-After and a random extension', async () => {
    const { send, waits } = scripted([response(429, soon), reset, response(200)]);
    await expect(send(request('GET'))).resolves.toMatchObject({ status: 200 });
    expect(waits).toEqual([2100, 1050]);
  });

  it.each([
    ['a delay above the limit', '301', {}, 'a delay of 301 s, which exceeds the limit of 300 s'],
    [
      'a delay above timeoutMs',
      '9',
      { timeoutMs: 8000 },
      'a delay of 9 s, which exceeds the time-out of the call',
    ],
    ['no delay', '', {}, undefined],
    ['a request without retries', '9', { maxRetries: 0 }, undefined],
  ])('notes that a response is not retried for %s', async (_, seconds, more, want) => {
    const { send, sent } = scripted([response(503, { 'retry-after': seconds })]);
    const last = await send(request('GET', more));
    expect(hintsOf(last)).toBe(want && `not retried: the server requests ${want}`);
    expect(sent()).toBe(1);
  });

  it('returns the last response when retries are exhausted', async () => {
    const { send, sent } = scripted([response(503, soon)]);
    await expect(send(request('POST'))).resolves.toMatchObject({ status: 503 });
    expect(sent()).toBe(11);
  });

  it('throws the last failure when retries are exhausted', async () => {
    const { send, sent } = scripted([reset]);
    const error = await send(request('GET')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'TransportError',
      message: 'get pods: reset; tried 11 times',
      code: 'ECONNRESET',
      cause: reset,
    });
    expect(sent()).toBe(11);
  });

  it('throws a failure without retries unchanged', async () => {
    await expect(scripted([reset]).send(request('POST'))).rejects.toBe(reset);
    const other = new Error('other');
    await expect(scripted([reset, other]).send(request('GET'))).rejects.toBe(other);
  });

  it.each<{ name: string; outcome: APIResponse | Error; more: Partial<APIRequest>; tries: number }>([
    { name: 'a response', outcome: response(429, soon), more: { timeoutMs: 5000 }, tries: 3 },
    {
      name: 'a response, on the first attempt',
      outcome: response(429, soon),
      more: { timeoutMs: 2000 },
      tries: 1,
    },
    { name: 'a failure', outcome: reset, more: { timeoutMs: 2500 }, tries: 4 },
    { name: 'a stream', outcome: reset, more: { timeoutMs: 999, stream: true }, tries: 2 },
  ])('does not delay a retry beyond timeoutMs: $name', async ({ outcome, more, tries }) => {
    const { send, sent } = scripted([outcome]);
    await send(request('GET', more)).catch((error: unknown) => expect(error).toHaveProperty('code'));
    expect(sent()).toBe(tries);
  });

  it('delays a reconnect by a random time', async () => {
    const { send, waits } = scripted([reset, response(200)]);
    await send(request('GET'));
    expect(waits).toEqual([50]);
  });

  it('does not retry after an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let sent = 0;
    const send = retrying(() => {
      sent += 1;
      controller.abort(reason);
      return Promise.resolve(response(429, { 'retry-after': '60' }));
    });
    await expect(send(request('GET', { signal: controller.signal }))).rejects.toBe(reason);
    expect(sent).toBe(1);
  });
});
