import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import type { APIResponse } from '../../api/transport.ts';
import { readAll } from '../response/read-body.ts';
import { Exchange } from './exchange.ts';

const operation = { verb: 'get', resource: 'things' };
const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

/** An exchange, what it reported, and its response. */
function given(started: () => void = () => undefined) {
  const events: string[] = [];
  const responses: APIResponse[] = [];
  const exchange = new Exchange(operation, false, {
    started: () => {
      events.push('started');
      started();
    },
    responded: (response) => {
      events.push('answered');
      responses.push(response);
    },
    failed: (error) => events.push(`failed: ${error}`),
    explain: (error, hasResponse) => `${error}, ${hasResponse ? 'after' : 'before'} the head`,
    ended: () => events.push('ended'),
  });
  return { exchange, events, responses };
}

describe('an exchange', () => {
  it('has every header of the response, also one named like a member of all objects', () => {
    const { exchange, responses } = given();
    const raw = Object.assign(Object.create(null), { a: '1', b: ['2', '3'], c: undefined });
    Object.defineProperty(raw, '__proto__', { value: 'x', enumerable: true });
    exchange.onResponseStart(controller, 200, raw);
    expect(Object.entries(responses[0]?.headers ?? {})).toEqual([
      ['a', '1'],
      ['b', '2, 3'],
      ['c', ''],
      ['__proto__', 'x'],
    ]);
  });

  it('reports a response once, and its end', async () => {
    const { exchange, events, responses } = given();
    exchange.onRequestStart(controller);
    exchange.onResponseStart(controller, 103, {});
    exchange.onResponseStart(controller, 200, {});
    exchange.onResponseData(controller, Buffer.from('abc'));
    exchange.onResponseEnd();
    exchange.onResponseError(controller, 'late');
    expect(events).toEqual(['started', 'answered', 'ended']);
    const [response] = responses;
    expect(response && String(await readAll(response))).toBe('abc');
  });

  it.each([
    ['before the head', false, ['failed: lost, before the head', 'ended']],
    ['after the head', true, ['answered', 'ended']],
  ])('reports a failure %s', async (_, begun, want) => {
    const { exchange, events, responses } = given();
    if (begun) exchange.onResponseStart(controller, 200, {});
    exchange.onResponseError(controller, 'lost');
    expect(events).toEqual(want);
    for (const response of responses) await expect(readAll(response)).rejects.toBe('lost, after the head');
  });

  it('that is aborted rejects once, and is not started', () => {
    const { exchange, events } = given();
    exchange.abort('enough');
    exchange.abort('again');
    expect(() => exchange.onRequestStart(controller)).toThrow('aborted');
    exchange.onResponseError(controller, 'lost');
    expect(events.filter((event) => event === 'ended')).toHaveLength(1);
    expect(events[0]).toBe('failed: enough');
  });

  it('whose start fails rejects with that error, and is not written', () => {
    const { exchange, events } = given(() => {
      throw 'closed';
    });
    expect(() => exchange.onRequestStart(controller)).toThrow('aborted');
    exchange.onResponseError(controller, 'lost');
    expect(events).toEqual(['started', 'failed: closed', 'ended']);
  });
});
