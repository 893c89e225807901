/** Who the client is, by `Authorization` header. */
import { readFile } from 'node:fs/promises';
import type { ClusterConfig } from '../config/types.ts';
import { ConfigError } from '../errors.ts';
import type { Credential, CredentialSource } from './types.ts';

/** Milliseconds for which a token file is not read again. */
const tokenValidMs = 50_000;

/** Checks that a token can be a header: the message does not repeat it. */
function bearer(token: string, from: string): Credential {
  const trimmed = token.trim();
  if (trimmed === '') throw new ConfigError(`${from} is empty`);
  if (/[^\x21-\x7e]/.test(trimmed)) throw new ConfigError(`${from} has characters that a token cannot have`);
  return { authorization: `Bearer ${trimmed}` };
}

function fixed(credential: Credential): CredentialSource {
  return { current: () => credential, renew: () => Promise.resolve(undefined) };
}

/** Clock and files, so that tests need neither. */
export interface TokenEnvironment {
  readonly now: () => number;
  readonly read: (path: string) => Promise<string>;
}

const systemEnvironment: TokenEnvironment = { now: Date.now, read: (path) => readFile(path, 'utf8') };

/** A token file, as a kubelet rotates it: read about once a minute, and when the server refuses what it said. */
class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #environment: TokenEnvironment;
  #value: Credential | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Credential> | undefined;

  constructor(path: string, first: string | undefined, environment: TokenEnvironment) {
    this.#path = path;
    this.#environment = environment;
    this.#value = first === undefined || first === '' ? undefined : bearer(first, 'the token');
  }

  current(): Credential | Promise<Credential> {
    const fresh = this.#environment.now() - this.#readAt < tokenValidMs;
    return fresh && this.#value !== undefined ? this.#value : this.#read();
  }

  async renew(refused: Credential): Promise<Credential | undefined> {
    const value = await this.#read();
    return value.authorization === refused.authorization ? undefined : value;
  }

  /** However many requests ask at a time, the file is read once. */
  #read(): Promise<Credential> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** A file that cannot be read for a moment leaves the last token in use. */
  async #readNow(): Promise<Credential> {
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
  { auth }: ClusterConfig,
  environment: TokenEnvironment = systemEnvironment,
): CredentialSource | undefined {
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
  return fixed({
    authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`,
  });
}
