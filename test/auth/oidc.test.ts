import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createAuthority } from '@kgen/certificates/authority';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { oidcSource } from '../../src/runtime/auth/oidc/source.ts';
import type { CredentialSource } from '../../src/runtime/auth/types.ts';
import type { OidcConfig } from '../../src/runtime/config/types.ts';
import { issuerFetch } from '../../src/runtime/rest/transport/issuer-fetch.ts';
import {
  type Claims,
  type Endpoint,
  type Issuer,
  type IssuerOptions,
  type IssuerResponse,
  sendJson,
  startIssuer,
} from '../support/oidc-issuer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kgen-oidc-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open: Issuer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((issuer) => issuer.close()));
});

async function start(options?: IssuerOptions): Promise<Issuer> {
  const issuer = await startIssuer(options);
  open.push(issuer);
  return issuer;
}

/** Claims of an expired token. */
const over: Claims = { exp: 1_000_000_000 };

/**
 * Returns the tokens of a user of an issuer. The id token has expired, so that the refresh token is needed.
 */
function configOf(issuer: Issuer, more: Partial<OidcConfig> = {}): OidcConfig {
  return {
    issuerUrl: issuer.url,
    clientId: issuer.clientId,
    idToken: issuer.idToken(over),
    refreshToken: issuer.refreshToken(),
    ca: issuer.ca,
    ...more,
  };
}

function sourceOf(config: OidcConfig): CredentialSource {
  return oidcSource(config, { fetch: issuerFetch });
}

async function failureOf(source: CredentialSource): Promise<Error> {
  try {
    await source.current();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new TypeError('there was no error');
}

function refreshes({ requested }: Issuer): number {
  return requested.filter(({ endpoint }) => endpoint === 'token').length;
}

/** Writes a kubeconfig with a user that has these tokens. */
async function kubeconfig(config: OidcConfig): Promise<{ file: string; config: OidcConfig }> {
  const file = join(await mkdtemp(join(folder, 'config-')), 'config');
  await writeFile(file, kubeconfigText(config));
  return { file, config: { ...config, origin: { file, user: 'jane' } } };
}

function kubeconfigText(config: OidcConfig): string {
  return `# kept
apiVersion: v1
kind: Config
users:
- name: jane
  user:
    auth-provider:
      name: oidc
      config:
        idp-issuer-url: ${config.issuerUrl}
        client-id: ${config.clientId}
        id-token: ${config.idToken}
        refresh-token: ${config.refreshToken ?? "''"}
`;
}

describe('OIDC tokens', () => {
  it('sends a valid id token without a request to the issuer', async () => {
    const issuer = await start();
    const idToken = issuer.idToken();
    expect(sourceOf(configOf(issuer, { idToken })).current()).toEqual({ authorization: `Bearer ${idToken}` });
    expect(issuer.requested).toEqual([]);
  });

  it('refreshes an expired id token once for all calls and clients', async () => {
    const issuer = await start();
    const config = configOf(issuer);
    const sources = [sourceOf(config), sourceOf({ ...config })];
    const credentials = await Promise.all([...sources, ...sources].map((source) => source.current()));
    expect(new Set(credentials).size).toBe(1);
    expect(credentials[0]?.authorization).toMatch(/^Bearer ey/);
    expect(credentials[0]?.authorization).not.toBe(`Bearer ${config.idToken}`);
    expect(sources.map((source) => source.current())).toEqual(credentials.slice(0, 2));
    expect(refreshes(issuer)).toBe(1);
  });

  it('closes connections to the issuer', async () => {
    const issuer = await start();
    await sourceOf(configOf(issuer)).current();
    expect(refreshes(issuer)).toBe(1);
    await expect.poll(() => issuer.connections()).toBe(0);
  });

  it('refreshes ten seconds before the expiry, each time with the newest refresh token', async () => {
    const issuer = await start({ lifetimeSeconds: 9 });
    const source = sourceOf(configOf(issuer));
    const first = await source.current();
    const second = await source.current();
    expect(second).not.toEqual(first);
    expect(refreshes(issuer)).toBe(2);
  });

  it('refreshes once for all rejected calls, and not without a refresh token', async () => {
    const issuer = await start();
    const idToken = issuer.idToken();
    const source = sourceOf(configOf(issuer, { idToken }));
    const refused = await source.current();
    const [first, second] = await Promise.all([source.renew(refused), source.renew(refused)]);
    expect(first).toBe(second);
    expect(first).not.toEqual(refused);
    expect(await source.renew(refused)).toBe(first);
    expect(refreshes(issuer)).toBe(1);

    const { refreshToken: _, ...alone } = configOf(issuer, { idToken });
    const other = sourceOf(alone);
    expect(await other.renew(await other.current())).toBeUndefined();
  });

  it('sends a client id and a secret unescaped if possible, as not every issuer unescapes them', async () => {
    const clientSecret = 'a-b_c.d~e*f';
    const issuer = await start({ clientId: '0b5c-shop.console', clientSecret });
    await sourceOf(configOf(issuer, { clientSecret })).current();
    const [, pair = ''] = issuer.requested.at(-1)?.authorization?.split(' ') ?? [];
    expect(Buffer.from(pair, 'base64').toString()).toBe('0b5c-shop.console:a-b_c.d~e%2Af');
  });

  const clients: Readonly<Record<string, IssuerOptions>> = {
    'no secret': {},
    'a secret, either way': { clientSecret: 's&cret +%' },
    'a secret by header': { clientSecret: 's&cret +%', authMethods: ['client_secret_basic'] },
    'a secret in the form': { clientSecret: 's&cret +%', authMethods: ['client_secret_post'] },
  };
  it.each(Object.entries(clients))('sends the client credentials of a client with %s', async (_, options) => {
    const issuer = await start({ clientId: 'shop:console', ...options });
    const { clientSecret } = options;
    const source = sourceOf(configOf(issuer, clientSecret === undefined ? {} : { clientSecret }));
    expect((await source.current()).authorization).toMatch(/^Bearer ey/);
    const byHeader = clientSecret !== undefined && options.authMethods?.[0] !== 'client_secret_post';
    expect(issuer.requested.at(-1)?.authorization !== undefined).toBe(byHeader);
  });
});

describe('OIDC tokens of a kubeconfig', () => {
  it('are written back', async () => {
    const issuer = await start();
    const { file, config } = await kubeconfig(configOf(issuer));
    const { authorization } = await sourceOf(config).current();
    const text = await readFile(file, 'utf8');
    expect(text).toContain('# kept');
    expect(text).toContain(`id-token: ${authorization?.slice('Bearer '.length)}`);
    expect(text).not.toContain(config.refreshToken);
    expect(text).toMatch(/refresh-token: refresh-/);
  });

  it('are read from there if another process has refreshed them', async () => {
    const issuer = await start();
    const { file, config } = await kubeconfig(configOf(issuer));
    const source = sourceOf(config);
    const idToken = issuer.idToken();
    await writeFile(file, kubeconfigText({ ...config, idToken, refreshToken: 'theirs' }));
    expect(await source.current()).toEqual({ authorization: `Bearer ${idToken}` });
    expect(issuer.requested).toEqual([]);
  });

  it('are refreshed with the next refresh token if another process has used theirs', async () => {
    const issuer = await start();
    const { file, config } = await kubeconfig(configOf(issuer, { refreshToken: 'used' }));
    const source = sourceOf(config);
    await writeFile(file, kubeconfigText({ ...config, refreshToken: issuer.refreshToken() }));
    expect((await source.current()).authorization).toMatch(/^Bearer ey/);
  });

  it('of another client are not changed', async () => {
    const issuer = await start();
    const { file, config } = await kubeconfig(configOf(issuer));
    const source = sourceOf(config);
    const stranger = issuer.idToken({ sub: 'joe' });
    await writeFile(file, kubeconfigText({ ...config, clientId: 'other', idToken: stranger }));
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    expect((await source.current()).authorization).not.toBe(`Bearer ${stranger}`);
    expect(refreshes(issuer)).toBe(1);
    expect(await readFile(file, 'utf8')).toContain(`id-token: ${stranger}`);
    expect(warnings).toHaveBeenCalledTimes(1);
  });

  it('are read again after a 401 if they cannot be refreshed', async () => {
    const issuer = await start();
    const { refreshToken: _, ...alone } = configOf(issuer, { idToken: issuer.idToken() });
    const { file, config } = await kubeconfig(alone);
    const source = sourceOf(config);
    const refused = await source.current();
    const idToken = issuer.idToken();
    await writeFile(file, kubeconfigText({ ...config, idToken }));
    expect(await source.renew(refused)).toEqual({ authorization: `Bearer ${idToken}` });
    expect(issuer.requested).toEqual([]);
  });

  it('are refreshed with the new refresh token if the file has the old one', async () => {
    const issuer = await start({ lifetimeSeconds: 9 });
    const { file, config } = await kubeconfig(configOf(issuer));
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const source = sourceOf(config);
    const theirs = kubeconfigText({ ...config, refreshToken: issuer.refreshToken() });
    for (const text of [await readFile(file, 'utf8'), theirs, theirs]) {
      await writeFile(file, text);
      await source.current();
    }
    expect(refreshes(issuer)).toBe(3);
  });

  it('that cannot be written back are used, with one warning', async () => {
    const issuer = await start({ lifetimeSeconds: 9 });
    const { file, config } = await kubeconfig(configOf(issuer));
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const source = sourceOf({ ...config, origin: { file, user: 'gone' } });
    expect((await source.current()).authorization).toMatch(/^Bearer ey/);
    await source.current();
    expect(refreshes(issuer)).toBe(2);
    expect(warnings).toHaveBeenCalledTimes(1);
    expect(warnings.mock.calls[0]?.[0]).toMatch(
      /new tokens of user "gone" are used, but could not be stored in/,
    );
    expect(JSON.stringify(warnings.mock.calls)).not.toMatch(/refresh-|eyJ/);
  });
});

describe('an issuer that returns no token', () => {
  const json =
    (status: number, value: unknown): IssuerResponse =>
    (response) =>
      sendJson(response, status, value);
  const text =
    (status: number, value: string, headers = {}): IssuerResponse =>
    (response) =>
      void response.writeHead(status, headers).end(value);
  const token = (change: (issuer: Issuer) => object) => (issuer: Issuer) =>
    json(200, {
      access_token: 'sesame',
      token_type: 'Bearer',
      id_token: issuer.idToken(),
      ...change(issuer),
    });

  const cases: Readonly<Record<string, readonly [Endpoint, (issuer: Issuer) => IssuerResponse, RegExp]>> = {
    'another issuer': [
      'discovery',
      () => json(200, { issuer: 'https://sesame.test', token_endpoint: 'https://sesame.test/token' }),
      /identifies itself as another issuer; correct the URL$/,
    ],
    'a missing discovery document': [
      'discovery',
      () => text(404, 'sesame'),
      /responded with 404; is that the URL of an issuer\?$/,
    ],
    'a discovery document of HTML': [
      'discovery',
      () => text(200, '<html>sesame</html>', { 'content-type': 'text/html' }),
      /returned a response that is not JSON$/,
    ],
    'half a discovery document': [
      'discovery',
      () => text(200, '{"issuer":"sesame', { 'content-type': 'application/json' }),
      /returned a response that is not JSON$/,
    ],
    'a redirect': [
      'discovery',
      () => text(302, '', { location: 'https://sesame.test' }),
      /responded with 302/,
    ],
    'a token endpoint over http': [
      'discovery',
      (issuer) => json(200, { issuer: issuer.url, token_endpoint: 'http://sesame.test/token' }),
      /returned an invalid response: only requests to HTTPS are allowed/,
    ],
    'no token endpoint': [
      'discovery',
      (issuer) => json(200, { issuer: issuer.url }),
      /returned an invalid response: .*token_endpoint/,
    ],
    'too much': [
      'discovery',
      () => text(200, `"${'sesame'.repeat(200_000)}"`, { 'content-type': 'application/json' }),
      /returned more than 1048576 bytes$/,
    ],
    'a connection that breaks': [
      'token',
      () => (response) => void response.destroy(),
      /cannot be reached: the server closed the connection/,
    ],
    'a refresh token that is over': [
      'token',
      () =>
        json(400, {
          error: 'invalid_grant',
          error_description: 'Token Open1Open2Open3Open4\u001b[2J is over',
        }),
      /returned invalid_grant: Token \[hidden\] is over; the refresh token is expired or was used already: log in again/,
    ],
    'a client that is not known': [
      'token',
      () => json(401, { error: 'invalid_client' }),
      /returned invalid_client; are client-id and client-secret those of this issuer\?$/,
    ],
    'an error of its own': [
      'token',
      () => json(400, { error: 'sesame sesame' }),
      /returned an error; log in again/,
    ],
    'an error without a message': ['token', () => text(500, 'sesame'), /responded with 500/],
    'no id token': [
      'token',
      token(() => ({ id_token: undefined })),
      /returned no id token for the refresh token; log in with the scope "openid"/,
    ],
    'a token that is none': ['token', token(() => ({ id_token: 'sesame' })), /returned an invalid response/],
    'a token for another client': [
      'token',
      token((issuer) => ({ id_token: issuer.idToken({ aud: 'sesame' }) })),
      /for another client$/,
    ],
    'a token of another issuer': [
      'token',
      token((issuer) => ({ id_token: issuer.idToken({ iss: 'https://sesame.test' }) })),
      /returned a token of another issuer/,
    ],
    'a token that is over': [
      'token',
      token((issuer) => ({ id_token: issuer.idToken(over) })),
      /returned a token that is already expired/,
    ],
  };
  it.each(Object.entries(cases))('%s', async (_, [endpoint, reply, want]) => {
    const issuer = await start({ clientSecret: 'sesame', authMethods: ['client_secret_basic'] });
    const config = configOf(issuer, { clientSecret: 'sesame' });
    issuer.response(endpoint, reply(issuer));
    const error = await failureOf(sourceOf(config));
    expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(want) });
    expect(error.message).toContain(`the OIDC issuer ${issuer.url}`);
    const printed = `${error.stack}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`;
    for (const secret of ['sesame', config.idToken, config.refreshToken])
      expect(printed).not.toContain(secret);
  });

  it('is retried by the next call', async () => {
    const issuer = await start();
    const source = sourceOf(configOf(issuer));
    issuer.response('token', json(500, {}));
    await expect(source.current()).rejects.toThrow(/responded with 500/);
    issuer.response('token');
    expect((await source.current()).authorization).toMatch(/^Bearer ey/);
  });

  it('causes an error if it is unavailable', async () => {
    const issuer = await start();
    const source = sourceOf(configOf(issuer));
    await issuer.close();
    await expect(source.current()).rejects.toThrow(/cannot be reached: the connection was refused/);
  });

  it('causes an error if its certificate is not trusted', async () => {
    const [issuer, other] = [await start(), await createAuthority()];
    await expect(sourceOf(configOf(issuer, { ca: other.cert })).current()).rejects.toThrow(
      /cannot be reached: the server's certificate is not signed by an authority in idp-certificate-authority-data/,
    );
  });

  const stalls: Readonly<Record<string, IssuerResponse>> = {
    'before its response': () => vi.advanceTimersByTime(30_000),
    'within its response': (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{', () => vi.advanceTimersByTime(30_000));
    },
  };
  it.each(Object.entries(stalls))('times out if it stalls %s', async (_, reply) => {
    const issuer = await start();
    issuer.response('token', reply);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await expect(sourceOf(configOf(issuer)).current()).rejects.toThrow(
      /cannot be reached: timed out after 30000 ms: (no response from the server|the response was not complete)$/,
    );
  });

  it('causes an error if it closes the connection within its response', async () => {
    const issuer = await start();
    issuer.response('token', (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"id_token":', () => response.destroy());
    });
    await expect(sourceOf(configOf(issuer)).current()).rejects.toThrow(
      /cannot be reached: .*in the middle of the response/,
    );
  });

  it('aborts with the call if it does not respond', async () => {
    const issuer = await start();
    const controller = new AbortController();
    issuer.response('discovery', () => controller.abort(new Error('enough')));
    await expect(sourceOf(configOf(issuer)).current(controller.signal)).rejects.toThrow('enough');
  });
});

describe('invalid OIDC configurations', () => {
  const base: OidcConfig = { issuerUrl: 'https://issuer.test', clientId: 'kgen', refreshToken: 'sesame' };
  const cases: readonly (readonly [given: Partial<OidcConfig>, want: RegExp])[] = [
    [{ issuerUrl: 'http://issuer.test' }, /http:\/\/issuer.test\/ must use https/],
    [{ issuerUrl: 'issuer' }, /is not a URL; write it like https:/],
    [{ issuerUrl: 'https://jane:sesame@issuer.test' }, /has a user or a password in it; remove them/],
    [{ clientId: '' }, /need a client-id/],
  ];
  it.each(cases)('%j', (given, want) => {
    const make = (): unknown => sourceOf({ ...base, ...given });
    expect(make).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(want) }),
    );
    expect(make).not.toThrow(/sesame/);
  });

  it.each([undefined, 'sesame', 'a.b.c', 'a.e30.c'])(
    'rejects an id token %j without a refresh token',
    async (idToken) => {
      const { refreshToken: _, ...alone } = base;
      const error = await failureOf(sourceOf({ ...alone, ...(idToken !== undefined && { idToken }) }));
      expect(error.message).toBe(
        'the id token of the OIDC issuer https://issuer.test/ is expired or missing, and there is no refresh token; log in again with the tool that wrote the kubeconfig',
      );
    },
  );

  it('inspects sources without their credentials', async () => {
    const issuer = await start();
    const config = configOf(issuer, { clientSecret: 'sesame' });
    const printed =
      inspect(sourceOf(config), { depth: 9, showHidden: true }) + JSON.stringify(sourceOf(config));
    for (const secret of ['sesame', config.idToken, config.refreshToken])
      expect(printed).not.toContain(secret);
  });
});
