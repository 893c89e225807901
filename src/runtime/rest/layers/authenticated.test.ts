import { describe, expect, it } from 'vitest';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import type { Credential, CredentialSource } from '../../auth/types.ts';
import { authenticated } from './authenticated.ts';

const request: APIRequest = {
  method: 'POST',
  path: '/x',
  query: [['dryRun', 'All']],
  headers: { accept: 'application/json' },
  body: '{"a":1}',
  operation: { verb: 'create', resource: 'pods' },
  signal: new AbortController().signal,
};

const one: Credential = { authorization: 'Bearer one' };
const two: Credential = { authorization: 'Bearer two' };
const certificate: Credential = { cert: 'c', key: 'k' };

/** Returns a server that accepts some credentials, and a source of credentials; both record their calls. */
function setup(
  given: readonly (Credential | Error | undefined)[],
  known: readonly (Credential | undefined)[] = [],
) {
  const log: unknown[] = [];
  const next = (): Credential | undefined => {
    const credential = given[requested++];
    if (credential instanceof Error) throw credential;
    return credential;
  };
  let requested = 0;
  const source: CredentialSource = {
    current: (signal) => {
      log.push(['current', signal === request.signal]);
      return next() ?? one;
    },
    renew: async (refused, signal) => {
      log.push(['renew', refused, signal === request.signal]);
      return next();
    },
  };
  const send = async (sent: APIRequest, credential?: Credential): Promise<APIResponse> => {
    log.push([sent, credential]);
    const status = known.includes(credential) ? 200 : 401;
    const body = (async function* () {
      yield Buffer.from('body');
    })();
    return { status, headers: {}, body, cancel: () => log.push('cancel') };
  };
  return { log, send: authenticated(send, source) };
}

function as({ authorization = '' }: Credential): APIRequest {
  return { ...request, headers: { ...request.headers, authorization } };
}

describe('authenticated', () => {
  it('adds the authorization header', async () => {
    const { log, send } = setup([one], [one]);
    expect((await send(request)).status).toBe(200);
    expect(log).toEqual([
      ['current', true],
      [as(one), one],
    ]);
  });

  it('passes a client certificate on, without a header', async () => {
    const { log, send } = setup([certificate], [certificate]);
    expect((await send(request)).status).toBe(200);
    expect(log[1]).toEqual([request, certificate]);
  });

  it('retries a request after 401 once, writes with their body too', async () => {
    const { log, send } = setup([one, two], [two]);
    expect((await send(request)).status).toBe(200);
    expect(log).toEqual([
      ['current', true],
      [as(one), one],
      ['renew', one, true],
      [as(two), two],
    ]);
  });

  it('does not retry twice', async () => {
    const { log, send } = setup([one, two, certificate], [certificate]);
    expect((await send(request)).status).toBe(401);
    expect(log).toHaveLength(4);
  });

  it('returns the 401 response if there is no other credential', async () => {
    const { log, send } = setup([one, undefined]);
    const { status, body } = await send(request);
    const chunks: unknown[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect([status, Buffer.concat(chunks as Uint8Array[]).toString()]).toEqual([401, 'body']);
    expect(log).toHaveLength(3);
  });

  it('frees the connection if the next credential is not available', async () => {
    const { log, send } = setup([one, new Error('the issuer is down')]);
    await expect(send(request)).rejects.toThrow('the issuer is down');
    expect(log.at(-1)).toBe('cancel');
  });

  it('sends no request if no credential is available', async () => {
    const { log, send } = setup([new Error('no plugin')]);
    await expect(send(request)).rejects.toThrow('no plugin');
    expect(log).toEqual([['current', true]]);
  });

  it('keeps an authorization header of the caller, and reads no credential', async () => {
    const { log, send } = setup([one]);
    const own = as({ authorization: 'Bearer theirs' });
    expect((await send(own)).status).toBe(401);
    expect(log).toEqual([[own, undefined]]);
  });
});
