import { expect, it } from 'vitest';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { negotiatorOf } from './negotiator.ts';

const request: APIRequest = {
  method: 'GET',
  path: '/version',
  query: [],
  headers: { accept: 'application/json' },
  operation: { verb: 'get', resource: '/version' },
};
const response: APIResponse = {
  status: 200,
  headers: {},
  body: (async function* () {})(),
  cancel: () => undefined,
};

it('sends a request that has no codecs as it is', async () => {
  const sent: APIRequest[] = [];
  const negotiator = negotiatorOf(
    async (one) => {
      sent.push(one);
      return response;
    },
    () => undefined,
  );
  expect(negotiator.prepare(request)).toBe(undefined);
  expect(await negotiator.send(request)).toBe(response);
  expect(sent).toEqual([request]);
  expect(sent[0]).toBe(request);
  expect(negotiator.stats).toEqual({ responses: 0, bodies: 0, repeated: 0, newer: [] });
});

it('is the same for a transport each time', () => {
  const send = async (): Promise<APIResponse> => response;
  const negotiator = negotiatorOf(send, () => undefined);
  expect(negotiatorOf(send, () => undefined)).toBe(negotiator);
  expect(
    negotiatorOf(
      async () => response,
      () => undefined,
    ),
  ).not.toBe(negotiator);
});
