import { describe, expect, it } from 'vitest';
import { TransportError } from '../errors.ts';
import { type RetryEnvironment, retryDelayMs, retrying } from './retry.ts';
import type { Method, Request, Response } from './types.ts';

function request(method: Method, more: Partial<Request> = {}): Request {
  return { method, path: '/', query: [], headers: {}, operation: { verb: 'get', resource: 'pods' }, ...more };
}

function response(status: number, headers: Record<string, string> = {}): Response {
  return { status, headers, body: (async function* () {})(), cancel: () => undefined };
}

const reset = new TransportError('reset', undefined, { code: 'ECONNRESET' });
const soon = { 'retry-after': '2' };

describe('retryDelayMs', () => {
  interface Case {
    readonly method: Method;
    readonly given: Parameters<typeof retryDelayMs>[1];
    readonly retries?: number;
    readonly want: number | undefined;
  }
  const cases: Readonly<Record<string, Case>> = {
    'a success': { method: 'GET', given: { response: response(200, soon) }, want: undefined },
    'a read that is told when': { method: 'GET', given: { response: response(429, soon) }, want: 2000 },
    'a read after 500': { method: 'GET', given: { response: response(500, soon) }, want: 2000 },
    'a read after 599': { method: 'GET', given: { response: response(599, soon) }, want: 2000 },
    'a read that is not told when': { method: 'GET', given: { response: response(503) }, want: undefined },
    'a read that is told a date': {
      method: 'GET',
      given: { response: response(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }) },
      want: undefined,
    },
    'a read that is told next year': {
      method: 'GET',
      given: { response: response(503, { 'retry-after': '31536000' }) },
      want: undefined,
    },
    'a read that was refused': { method: 'GET', given: { response: response(403, soon) }, want: undefined },
    'a write after 429': { method: 'POST', given: { response: response(429, soon) }, want: 2000 },
    'a write after 503': { method: 'PATCH', given: { response: response(503, soon) }, want: 2000 },
    'a write that may have been done': {
      method: 'PUT',
      given: { response: response(500, soon) },
      want: undefined,
    },
    'a write after 504': { method: 'DELETE', given: { response: response(504, soon) }, want: undefined },
    'a read after a reset, at once': { method: 'GET', given: { error: reset }, want: 0 },
    'a read after a second reset': { method: 'GET', given: { error: reset }, retries: 1, want: 1000 },
    'a write after a reset': { method: 'POST', given: { error: reset }, want: undefined },
    'a read that was refused a connection': {
      method: 'GET',
      given: { error: new TransportError('refused', undefined, { code: 'ECONNREFUSED' }) },
      want: undefined,
    },
    'a read after ten times': {
      method: 'GET',
      given: { response: response(429, soon) },
      retries: 10,
      want: undefined,
    },
  };
  it.each(Object.entries(cases))('%s', (_, { method, given, retries = 0, want }) => {
    expect(retryDelayMs(request(method), given, retries)).toBe(want);
  });

  it('keeps to what the request allows', () => {
    const outcome = { response: response(429, soon) };
    expect(retryDelayMs(request('GET', { maxRetries: 0 }), outcome, 0)).toBe(undefined);
    expect(retryDelayMs(request('GET', { maxRetries: 1 }), outcome, 0)).toBe(2000);
  });
});

describe('retrying', () => {
  /** Sends what is given, one after the other, and notes the waits. */
  function scripted(outcomes: readonly (Response | Error)[]) {
    const waits: number[] = [];
    let sent = 0;
    const environment: RetryEnvironment = {
      random: () => 0.5,
      sleep: (ms) => {
        waits.push(ms);
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

  it('waits as long as it is told, and a little more', async () => {
    const { send, waits } = scripted([response(429, soon), reset, response(200)]);
    await expect(send(request('GET'))).resolves.toMatchObject({ status: 200 });
    expect(waits).toEqual([2100, 1050]);
  });

  it('ends with the last answer', async () => {
    const { send, sent } = scripted([response(503, soon)]);
    await expect(send(request('POST'))).resolves.toMatchObject({ status: 503 });
    expect(sent()).toBe(11);
  });

  it('ends with the last failure', async () => {
    const { send, sent } = scripted([reset]);
    await expect(send(request('GET'))).rejects.toBe(reset);
    expect(sent()).toBe(11);
  });

  it('sends nothing more after an abort', async () => {
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
