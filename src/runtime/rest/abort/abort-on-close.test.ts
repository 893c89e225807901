import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { APIRequest } from '../../api/transport.ts';
import { untilClosed } from './abort-on-close.ts';
import { sleep } from './deadline.ts';

const request: APIRequest = {
  method: 'GET',
  path: '/',
  query: [],
  headers: {},
  operation: { verb: 'get', resource: 'pods' },
};

function setup() {
  const closed = new AbortController();
  const controller = new AbortController();
  const listeners = () => [closed, controller].map(({ signal }) => getEventListeners(signal, 'abort').length);
  const wait = (ms: number) =>
    untilClosed(closed.signal, { ...request, signal: controller.signal }, (signal) => sleep(ms, signal));
  return { closed, controller, listeners, wait };
}

it('returns the awaited value', async () => {
  const { listeners, wait } = setup();
  const waiting = wait(1);
  expect(listeners()).toEqual([1, 1]);
  await waiting;
  expect(listeners()).toEqual([0, 0]);
});

it.each(['before', 'meanwhile'])('rejects when the client is closed %s', async (when) => {
  const { closed, listeners, wait } = setup();
  if (when === 'before') closed.abort();
  const waiting = wait(60_000);
  closed.abort();
  const want = { name: 'TransportError', code: 'CLIENT_CLOSED', message: 'get pods: the client is closed' };
  await expect(waiting).rejects.toMatchObject(want);
  expect(listeners()).toEqual([0, 0]);
});

it.each(['before', 'meanwhile'])('rejects when the call is aborted %s', async (when) => {
  const { controller, listeners, wait } = setup();
  if (when === 'before') controller.abort('enough');
  const waiting = wait(60_000);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  expect(listeners()).toEqual([0, 0]);
});
