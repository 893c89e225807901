/** Selection of the credentials of a configuration. */

import { ConfigError } from '../api/errors.ts';
import { credentialKinds } from '../config/credential-kinds.ts';
import { hasOwnCertificate } from '../config/origin.ts';
import type { AuthConfig, ClusterConfig } from '../config/types.ts';
import { bearer } from './bearer.ts';
import { type AuthEnvironment, clockAndFiles } from './environment.ts';
import type { Credential, CredentialSource } from './types.ts';

/**
 * Returns the credentials of a configuration besides its client certificate; `undefined` if it has none.
 * Plugins and issuers are checked, and their code is loaded, with the first request.
 * @throws {ConfigError} for more than one kind of credentials, or values that cannot be sent. A client
 * certificate counts, unless it comes from a kubeconfig: see `usedTls`
 */
export function credentialsOf(
  config: ClusterConfig,
  environment: Partial<AuthEnvironment> = {},
): CredentialSource | undefined {
  const { auth } = config;
  if (auth === undefined) return undefined;
  checkOne(auth, hasOwnCertificate(config));
  const { token, tokenFile, username, password, exec, oidc } = auth;
  if (tokenFile !== undefined) {
    const first = token === undefined || token === '' ? undefined : bearer(token, 'the token');
    return new LazySource(async () => {
      const { TokenFile } = await import('./token-file.ts');
      return new TokenFile(tokenFile, first, { ...clockAndFiles, ...environment });
    });
  }
  if (token !== undefined && token !== '') return fixed(bearer(token, 'the token'));
  if (username !== undefined) return fixed(basic(username, password));
  if (exec !== undefined) {
    return new LazySource(async () =>
      (await import('./exec/source.ts')).execSource(config, exec, environment),
    );
  }
  if (oidc !== undefined) {
    return new LazySource(async () => (await import('./oidc/source.ts')).oidcSource(oidc, environment));
  }
  return undefined;
}

/** Throws for more than one kind of credentials: each may belong to another user. */
function checkOne(auth: AuthConfig, certificate: boolean): void {
  const given = [...(certificate ? ['a client certificate'] : []), ...credentialKinds(auth)];
  if (given.length < 2) return;
  throw new ConfigError(`${given.join(' and ')} are set together; remove all but one`);
}

function basic(username: string, password: string | undefined): Credential {
  if (username.includes(':')) throw new ConfigError("the user name must not contain ':'");
  const pair = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

function fixed(credential: Credential): CredentialSource {
  return { current: () => credential, renew: () => Promise.resolve(undefined) };
}

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
