/**
 * A small OpenID Connect issuer on loopback: discovery, keys, and a token endpoint for refresh tokens. Its
 * tokens are signed (RS256), so that a real API server that is configured with its URL and its CA accepts
 * them.
 */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@kgen/certificates/authority';

/** Claims of an id token, in addition to the default claims of the issuer. */
export type Claims = Readonly<Record<string, unknown>>;

/** Endpoints of an issuer whose responses can be replaced. */
export type Endpoint = 'discovery' | 'keys' | 'token';

/** A request that the issuer received. */
export interface ReceivedRequest {
  readonly endpoint: Endpoint | 'other';
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
}

/** Responds in place of the issuer. `usual` sends its usual response. */
export type IssuerResponse = (
  response: ServerResponse,
  usual: () => void,
  requested: ReceivedRequest,
) => void;

export interface IssuerOptions {
  /** Default: `kgen`. */
  readonly clientId?: string;
  /** Default: none, and the client sends none. */
  readonly clientSecret?: string;
  /** `client_secret_basic`, `client_secret_post`; default: both. */
  readonly authMethods?: readonly string[];
  /** Serves plain HTTP, which clients must reject. Default: false. */
  readonly plain?: boolean;
  /** Lifetime of its tokens, in seconds. Default: 3600. */
  readonly lifetimeSeconds?: number;
  /** Whether a refresh token can be used only once. Default: true. */
  readonly rotates?: boolean;
}

export interface Issuer {
  /** `https://127.0.0.1:…` */
  readonly url: string;
  /** CA certificate, in PEM. */
  readonly ca: string;
  readonly clientId: string;
  readonly requested: readonly ReceivedRequest[];
  /** Returns a signed id token. `claims` replace its default claims: `exp`, `iss`, `aud`, … */
  idToken(claims?: Claims): string;
  /** Returns a refresh token for id tokens with these claims. */
  refreshToken(claims?: Claims): string;
  /** Replaces the responses of an endpoint, or restores them if `answer` is omitted. */
  response(endpoint: Endpoint, response?: IssuerResponse): void;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

const paths: ReadonlyMap<string, Endpoint> = new Map([
  ['/.well-known/openid-configuration', 'discovery'],
  ['/keys', 'keys'],
  ['/token', 'token'],
]);

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Caches a value: all issuers of a process share one signing key and one CA. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const signingKey = once(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
const authorityOf = once(createAuthority);

class LoopbackIssuer implements Issuer {
  readonly url: string;
  readonly ca: string;
  readonly clientId: string;
  readonly requested: ReceivedRequest[] = [];
  readonly #options: IssuerOptions;
  readonly #server: Server | ReturnType<typeof createPlainServer>;
  readonly #refreshTokens: Map<string, Claims> = new Map();
  readonly #responses: Map<Endpoint, IssuerResponse> = new Map();

  constructor(
    url: string,
    ca: string,
    server: Server | ReturnType<typeof createPlainServer>,
    options: IssuerOptions,
  ) {
    this.url = url;
    this.ca = ca;
    this.clientId = options.clientId ?? 'kgen';
    this.#options = options;
    this.#server = server;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  idToken(claims: Claims = {}): string {
    const seconds = Math.floor(Date.now() / 1000);
    const usual = {
      iss: this.url,
      aud: this.clientId,
      sub: 'jane',
      iat: seconds,
      exp: seconds + (this.#options.lifetimeSeconds ?? 3600),
      jti: randomUUID(),
    };
    const text = `${base64url({ alg: 'RS256', typ: 'JWT', kid: 'one' })}.${base64url({ ...usual, ...claims })}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(signingKey().privateKey, 'base64url')}`;
  }

  refreshToken(claims: Claims = {}): string {
    const token = `refresh-${randomUUID()}`;
    this.#refreshTokens.set(token, claims);
    return token;
  }

  response(endpoint: Endpoint, reply?: IssuerResponse): void {
    if (reply === undefined) this.#responses.delete(endpoint);
    else this.#responses.set(endpoint, reply);
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await bodyOf(request));
    const endpoint = paths.get(request.url ?? '') ?? 'other';
    const requested: ReceivedRequest = { endpoint, authorization: request.headers.authorization, form };
    this.requested.push(requested);
    const usual = (): void => this.#usual(requested, response);
    const reply = endpoint === 'other' ? undefined : this.#responses.get(endpoint);
    if (reply === undefined) usual();
    else reply(response, usual, requested);
  }

  #usual(requested: ReceivedRequest, response: ServerResponse): void {
    switch (requested.endpoint) {
      case 'discovery':
        sendJson(response, 200, this.#document());
        break;
      case 'keys':
        sendJson(response, 200, this.#keys());
        break;
      case 'token':
        this.#refresh(requested, response);
        break;
      case 'other':
        response.writeHead(404).end();
    }
  }

  #document(): object {
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/keys`,
      token_endpoint: `${this.url}/token`,
      authorization_endpoint: `${this.url}/authorize`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: this.#authMethods,
    };
  }

  #keys(): object {
    const jwk = signingKey().publicKey.export({ format: 'jwk' });
    return { keys: [{ ...jwk, kid: 'one', alg: 'RS256', use: 'sig' }] };
  }

  get #authMethods(): readonly string[] {
    return this.#options.authMethods ?? ['client_secret_basic', 'client_secret_post'];
  }

  #isClient({ authorization, form }: ReceivedRequest): boolean {
    const { clientSecret } = this.#options;
    if (clientSecret === undefined) return form.get('client_id') === this.clientId;
    if (authorization !== undefined) {
      const [, pair = ''] = /^Basic (\S+)$/.exec(authorization) ?? [];
      const escaped = Buffer.from(pair, 'base64').toString().split(':');
      const parts = escaped.map((part) => new URLSearchParams(`part=${part}`).get('part'));
      const isKnown = parts.length === 2 && parts[0] === this.clientId && parts[1] === clientSecret;
      return this.#authMethods.includes('client_secret_basic') && isKnown;
    }
    const posted = form.get('client_id') === this.clientId && form.get('client_secret') === clientSecret;
    return this.#authMethods.includes('client_secret_post') && posted;
  }

  #refresh(requested: ReceivedRequest, response: ServerResponse): void {
    const token = requested.form.get('refresh_token') ?? '';
    const claims = this.#refreshTokens.get(token);
    if (!this.#isClient(requested)) {
      sendJson(response, 401, { error: 'invalid_client' });
    } else if (requested.form.get('grant_type') !== 'refresh_token' || claims === undefined) {
      sendJson(response, 400, { error: 'invalid_grant', error_description: `${token} is not known` });
    } else {
      sendJson(response, 200, this.#nextTokens(token, claims));
    }
  }

  #nextTokens(refreshToken: string, claims: Claims): object {
    const rotates = this.#options.rotates ?? true;
    if (rotates) this.#refreshTokens.delete(refreshToken);
    return {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: this.#options.lifetimeSeconds ?? 3600,
      id_token: this.idToken(claims),
      ...(rotates && { refresh_token: this.refreshToken(claims) }),
    };
  }
}

/** Starts an issuer on a free port of loopback. */
export async function startIssuer(options: IssuerOptions = {}): Promise<Issuer> {
  const authority = await authorityOf();
  const pair = await authority.issueServer('issuer', { names: ['localhost'], addresses: ['127.0.0.1'] });
  const server = options.plain === true ? createPlainServer() : createServer(pair);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const url = `${options.plain === true ? 'http' : 'https'}://127.0.0.1:${port}`;
  return new LoopbackIssuer(url, authority.cert, server, options);
}
