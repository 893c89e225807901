import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import type { AuthConfig, ExecConfig, OidcConfig } from '../config/types.ts';
import { authenticated } from '../rest/layers/authenticated.ts';
import { credentialsOf } from './credentials.ts';

const request: APIRequest = {
  method: 'GET',
  path: '/',
  query: [],
  headers: {},
  operation: { verb: 'get', resource: 'pods' },
};

function response(status: number): APIResponse {
  return { status, headers: {}, body: (async function* () {})(), cancel: () => undefined };
}

const exec: ExecConfig = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' };
const oidc: OidcConfig = { issuerUrl: 'https://issuer.test', clientId: 'kgen', refreshToken: 'sesame' };

describe('credentialsOf', () => {
  it('returns available credentials without a promise', () => {
    const source = credentialsOf({ server: 'https://a', auth: { token: 'abc' } });
    expect(source?.current()).toBe(source?.current());
    expect(source?.current()).toEqual({ authorization: 'Bearer abc' });
  });

  it('throws for an invalid plugin on each use', async () => {
    const source = credentialsOf({ server: 'https://a', auth: { exec } });
    for (const _ of [1, 2]) await expect(source?.current()).rejects.toThrow(/needs an interactiveMode/);
  });

  it('sources print without secrets', async () => {
    const auths: readonly AuthConfig[] = [
      { token: 'sesame' },
      { username: 'jane', password: 'sesame' },
      { tokenFile: '/token', token: 'sesame' },
      { exec: { ...exec, env: [{ name: 'A', value: 'sesame' }] } },
      { oidc },
    ];
    for (const auth of auths) {
      const source = credentialsOf({ server: 'https://a', auth });
      const printed = inspect(source, { depth: 9, showHidden: true }) + JSON.stringify(source);
      expect(printed).toMatch(/current|Source|TokenFile/);
      expect(printed).not.toMatch(/sesame|c2VzYW1l/);
    }
  });

  const cases: readonly [given: AuthConfig | undefined, want: string | undefined][] = [
    [undefined, undefined],
    [{}, undefined],
    [{ token: 'abc' }, 'Bearer abc'],
    [{ token: ' abc\n' }, 'Bearer abc'],
    [{ username: 'jane', password: 'p:w' }, `Basic ${Buffer.from('jane:p:w').toString('base64')}`],
    [{ username: 'jane' }, `Basic ${Buffer.from('jane:').toString('base64')}`],
  ];
  it.each(cases)('%j', async (given, want) => {
    const source = credentialsOf({ server: 'https://a', ...(given && { auth: given }) });
    expect((await source?.current())?.authorization).toBe(want);
  });

  const problems: readonly [given: AuthConfig, want: string][] = [
    [{ token: 'sesame', username: 'jane' }, 'a token and a user name are set together; remove all but one'],
    [
      { tokenFile: '/token', username: 'jane' },
      'a token and a user name are set together; remove all but one',
    ],
    [{ token: 'sesame', exec }, 'a token and an exec plugin are set together; remove all but one'],
    [
      { username: 'jane', oidc },
      'a user name and tokens of an OIDC issuer are set together; remove all but one',
    ],
    [
      { tokenFile: '/token', exec, oidc },
      'a token and an exec plugin and tokens of an OIDC issuer are set together; remove all but one',
    ],
    [{ token: 'ses\name' }, 'the token contains characters that are invalid in a token'],
    [{ username: 'a:b', password: 'sesame' }, "the user name must not contain ':'"],
  ];
  it.each(problems)('throws for %j', (given, want) => {
    expect(() => credentialsOf({ server: 'https://a', auth: given })).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: want }),
    );
  });
});

describe('a token file', () => {
  /** Returns a file that can be changed, and a clock that can be set. */
  function setup(auth: AuthConfig = {}) {
    const state = { now: 0, content: 'one\n' as string | Error, reads: 0 };
    const credentials = credentialsOf(
      { server: 'https://a', auth: { tokenFile: '/token', ...auth } },
      {
        now: () => state.now,
        read: async () => {
          state.reads += 1;
          if (state.content instanceof Error) throw state.content;
          return state.content;
        },
      },
    );
    if (credentials === undefined) throw new TypeError('no credentials');
    return { state, credentials };
  }

  it('is read again after 50 seconds, once for concurrent requests', async () => {
    const { state, credentials } = setup();
    const [first, second] = await Promise.all([credentials.current(), credentials.current()]);
    expect(first).toEqual({ authorization: 'Bearer one' });
    expect(second).toBe(first);
    state.content = 'two';
    state.now = 49_999;
    expect(await credentials.current()).toBe(first);
    state.now = 50_000;
    expect(await credentials.current()).toEqual({ authorization: 'Bearer two' });
    expect(state.reads).toBe(2);
  });

  it('leaves the last token in use while it cannot be read', async () => {
    const { state, credentials } = setup();
    const first = await credentials.current();
    state.now = 60_000;
    for (const content of [new Error('EIO'), '  \n', 'one']) {
      state.content = content;
      expect(await credentials.current()).toBe(first);
      state.now += 60_000;
    }
  });

  it('throws if it was never read, unless there is an initial token', async () => {
    const { state, credentials } = setup();
    state.content = Object.assign(new Error('not there'), { code: 'ENOENT' });
    await expect(credentials.current()).rejects.toThrow('the token file /token cannot be read (ENOENT)');
    const second = setup({ token: 'first' });
    second.state.content = new Error('ENOENT');
    expect(await second.credentials.current()).toEqual({ authorization: 'Bearer first' });
  });

  it('is read again after a 401, and the request is retried', async () => {
    const { state, credentials } = setup();
    const seen: unknown[] = [];
    const send = authenticated((sent) => {
      seen.push(sent.headers['authorization']);
      state.content = 'two';
      return Promise.resolve(response(sent.headers['authorization'] === 'Bearer two' ? 200 : 401));
    }, credentials);
    expect((await send(request)).status).toBe(200);
    expect(seen).toEqual(['Bearer one', 'Bearer two']);
  });

  it('is not read again for a request that was refused with an older token', async () => {
    const { state, credentials } = setup();
    const first = await credentials.current();
    state.content = 'two';
    const [next] = await Promise.all([credentials.renew(first), credentials.renew(first)]);
    expect(next).toEqual({ authorization: 'Bearer two' });
    expect(await credentials.renew(first)).toBe(next);
    expect(state.reads).toBe(2);
  });

  it('causes no retry with the same token', async () => {
    const { credentials } = setup();
    let sent = 0;
    const send = authenticated(() => {
      sent += 1;
      return Promise.resolve(response(401));
    }, credentials);
    expect((await send(request)).status).toBe(401);
    expect(sent).toBe(1);
  });
});

it('keeps an authorization header of the caller', async () => {
  const seen: unknown[] = [];
  const send = authenticated(
    (sent) => {
      seen.push(sent.headers['authorization']);
      return Promise.resolve(response(200));
    },
    credentialsOf({ server: 'https://a', auth: { token: 'ours' } }),
  );
  await send({ ...request, headers: { authorization: 'Bearer theirs' } });
  expect(seen).toEqual(['Bearer theirs']);
});
