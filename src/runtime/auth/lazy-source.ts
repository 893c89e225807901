/** Credential sources that are loaded on first use. */
import type { Credential, CredentialSource } from './types.ts';

/** A source that is loaded on first use; after a failure, it is loaded again on the next use. */
export class LazySource implements CredentialSource {
  readonly #load: () => Promise<CredentialSource>;
  #loading: Promise<CredentialSource> | undefined;
  #source: CredentialSource | undefined;

  constructor(load: () => Promise<CredentialSource>) {
    this.#load = load;
  }

  get label(): string | undefined {
    return this.#source?.label;
  }

  current(signal?: AbortSignal): Credential | Promise<Credential> {
    return this.#source === undefined ? this.#first(signal) : this.#source.current(signal);
  }

  async renew(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined> {
    const source = await this.#loaded();
    return source.renew(refused, signal);
  }

  async #first(signal: AbortSignal | undefined): Promise<Credential> {
    const source = await this.#loaded();
    return source.current(signal);
  }

  async #loaded(): Promise<CredentialSource> {
    this.#loading ??= this.#load();
    try {
      this.#source = await this.#loading;
      return this.#source;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }
}
