/** Tokens in a file that another process renews. */

import { ConfigError } from '../api/errors.ts';
import { codeIn } from '../common/error-code.ts';
import { bearer, sameCredential } from './bearer.ts';
import type { AuthEnvironment } from './environment.ts';
import { SharedWork } from './shared-work.ts';
import type { Credential, CredentialSource } from './types.ts';

/** Milliseconds for which a token file is not read again. */
const tokenValidMs = 50_000;

/**
 * Credential source of a token file, as a kubelet rotates it: read about once a minute, and when the server
 * refuses its token.
 */
export class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #environment: Pick<AuthEnvironment, 'now' | 'read'>;
  readonly #reading: SharedWork<Credential> = new SharedWork();
  #value: Credential | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  /** @param first initial token, for a file that cannot be read */
  constructor(
    path: string,
    first: Credential | undefined,
    environment: Pick<AuthEnvironment, 'now' | 'read'>,
  ) {
    this.#path = path;
    this.#environment = environment;
    this.#value = first;
  }

  get label(): string {
    return `the token file ${this.#path}`;
  }

  current(signal?: AbortSignal): Credential | Promise<Credential> {
    const fresh = this.#environment.now() - this.#readAt < tokenValidMs;
    return fresh && this.#value !== undefined ? this.#value : this.#read(signal);
  }

  async renew(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined> {
    const newer = this.#value !== undefined && this.#value !== refused;
    const value = newer ? await this.current(signal) : await this.#read(signal);
    return sameCredential(value, refused) ? undefined : value;
  }

  #read(signal: AbortSignal | undefined): Promise<Credential> {
    return this.#reading.join(() => this.#readNow(), signal);
  }

  /** If the file cannot be read temporarily, the last token stays in use. */
  async #readNow(): Promise<Credential> {
    const value = await this.#readOrLast();
    this.#value = this.#value !== undefined && sameCredential(this.#value, value) ? this.#value : value;
    this.#readAt = this.#environment.now();
    return this.#value;
  }

  async #readOrLast(): Promise<Credential> {
    try {
      return bearer(await this.#environment.read(this.#path), this.label);
    } catch (cause) {
      if (this.#value !== undefined) return this.#value;
      if (cause instanceof ConfigError) throw cause;
      throw new ConfigError(`${this.label} cannot be read${codeIn(cause)}`, { cause });
    }
  }
}
