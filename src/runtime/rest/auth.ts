/** Who the client is, by `Authorization` header. */
import { readFile } from 'node:fs/promises';
import type { AuthConfig } from '../config/types.ts';
import { ConfigError } from '../errors.ts';
import { discard } from './body.ts';
import type { Request, Transport } from './types.ts';

/** Milliseconds for which a token file is not read again. */
const tokenValidMs = 50_000;

/** Where the header comes from. */
export interface Credentials {
  /** The present value. */
  current(): Promise<string>;
  /** The value to try once more after the server refused `refused`; `undefined` when there is no other. */
  renew(refused: string): Promise<string | undefined>;
}

/** Checks that a token can be a header: the message does not repeat it. */
function bearer(token: string, from: string): string {
  const trimmed = token.trim();
  if (trimmed === '') throw new ConfigError(`${from} is empty`);
  if (/[^\x21-\x7e]/.test(trimmed)) throw new ConfigError(`${from} has characters that a token cannot have`);
  return `Bearer ${trimmed}`;
}

function fixed(value: string): Credentials {
  return { current: () => Promise.resolve(value), renew: () => Promise.resolve(undefined) };
}

/** Clock and files, so that tests need neither. */
export interface TokenEnvironment {
  readonly now: () => number;
  readonly read: (path: string) => Promise<string>;
}

const systemEnvironment: TokenEnvironment = { now: Date.now, read: (path) => readFile(path, 'utf8') };

/** A token file, as a kubelet rotates it: read about once a minute, and when the server refuses what it said. */
class TokenFile implements Credentials {
  readonly #path: string;
  readonly #environment: TokenEnvironment;
  #value: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<string> | undefined;

  constructor(path: string, first: string | undefined, environment: TokenEnvironment) {
    this.#path = path;
    this.#environment = environment;
    this.#value = first === undefined || first === '' ? undefined : bearer(first, 'the token');
  }

  current(): Promise<string> {
    const fresh = this.#environment.now() - this.#readAt < tokenValidMs;
    return fresh && this.#value !== undefined ? Promise.resolve(this.#value) : this.#read();
  }

  async renew(refused: string): Promise<string | undefined> {
    const value = await this.#read();
    return value === refused ? undefined : value;
  }

  /** However many requests ask at a time, the file is read once. */
  #read(): Promise<string> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** A file that cannot be read for a moment leaves the last token in use. */
  async #readNow(): Promise<string> {
    try {
      this.#value = bearer(await this.#environment.read(this.#path), `the token file ${this.#path}`);
    } catch (cause) {
      if (this.#value === undefined) {
        if (cause instanceof ConfigError) throw cause;
        throw new ConfigError(`the token file ${this.#path} cannot be read`, { cause });
      }
    }
    this.#readAt = this.#environment.now();
    return this.#value;
  }
}

/**
 * The credentials of a configuration; `undefined` where it has none.
 * @throws {ConfigError} a token and a user name together, or values that cannot be sent
 */
export function credentialsOf(
  auth: AuthConfig | undefined,
  environment: TokenEnvironment = systemEnvironment,
): Credentials | undefined {
  if (auth === undefined) return undefined;
  const { token, tokenFile, username, password } = auth;
  const hasToken = (token !== undefined && token !== '') || tokenFile !== undefined;
  if (hasToken && username !== undefined) {
    throw new ConfigError('a token and a user name are both given; leave one of them out');
  }
  if (tokenFile !== undefined) return new TokenFile(tokenFile, token, environment);
  if (token !== undefined && token !== '') return fixed(bearer(token, 'the token'));
  if (username === undefined) return undefined;
  if (username.includes(':')) throw new ConfigError("the user name may not contain ':'");
  return fixed(`Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`);
}

function withAuthorization(request: Request, authorization: string): Request {
  return { ...request, headers: { ...request.headers, authorization } };
}

/**
 * A transport that says who asks. A request that has an `authorization` of its own keeps it. Where the server answers
 * 401 and there is a newer credential, the request is sent once more with that.
 */
export function authenticated(send: Transport, credentials: Credentials | undefined): Transport {
  if (credentials === undefined) return send;
  return async (request) => {
    if (request.headers['authorization'] !== undefined) return send(request);
    const authorization = await credentials.current();
    const response = await send(withAuthorization(request, authorization));
    if (response.status !== 401) return response;
    const renewed = await credentials.renew(authorization);
    if (renewed === undefined) return response;
    await discard(response);
    return send(withAuthorization(request, renewed));
  };
}
