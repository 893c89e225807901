/** Tokens of an OpenID Connect issuer. */

import { ConfigError } from '../../api/errors.ts';
import type { OidcConfig } from '../../config/types.ts';
import { bearer, sameCredential } from '../bearer.ts';
import { type AuthEnvironment, clockAndFiles, type IssuerFetch } from '../environment.ts';
import { SharedSources } from '../shared-sources.ts';
import { SharedWork } from '../shared-work.ts';
import type { Credential, CredentialSource } from '../types.ts';
import { issuerAddress, logInAgain, refreshTokens, type Tokens } from './issuer.ts';
import { type TokenStore, tokenStore } from './origin.ts';

/** Milliseconds before its expiry from which an id token is not sent any more, as the request takes time. */
const leewayMs = 10_000;

/** Dependencies of a source. */
interface Means {
  readonly now: () => number;
  readonly fetch: IssuerFetch;
  readonly store: TokenStore;
}

interface Held {
  readonly credential: Credential;
  readonly expiresAt: number;
}

class OidcSource implements CredentialSource {
  readonly #config: OidcConfig;
  readonly #means: Means;
  readonly #refreshing: SharedWork<Credential | undefined> = new SharedWork();
  #tokens: Tokens;
  /** Last content of the store: only changes of it are new. */
  #stored: Tokens;
  #held: Held | undefined;

  constructor(config: OidcConfig, means: Means) {
    this.#config = config;
    this.#means = means;
    this.#tokens = { idToken: config.idToken || undefined, refreshToken: config.refreshToken || undefined };
    this.#stored = this.#tokens;
    this.#held = this.#usable(config.idToken);
  }

  get label(): string {
    return `the OIDC issuer ${issuerAddress(this.#config).href}`;
  }

  current(signal?: AbortSignal): Credential | Promise<Credential> {
    const held = this.#held;
    return held !== undefined && this.#lasts(held.expiresAt) ? held.credential : this.#demand(signal);
  }

  async renew(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined> {
    if (this.#held !== undefined && this.#held.credential !== refused) return this.current(signal);
    const next = await this.#refresh(signal);
    return next === undefined || sameCredential(next, refused) ? undefined : next;
  }

  async #demand(signal: AbortSignal | undefined): Promise<Credential> {
    const credential = await this.#refresh(signal);
    if (credential !== undefined) return credential;
    throw new ConfigError(
      `the id token of ${this.label} is expired or missing, and there is no refresh token; ${logInAgain}`,
    );
  }

  #lasts(expiresAt: number): boolean {
    return this.#means.now() + leewayMs < expiresAt;
  }

  /** Returns the credential of a token until its expiry; `undefined` if it is expired or missing. */
  #usable(idToken: string | undefined): Held | undefined {
    if (idToken === undefined || idToken === '') return undefined;
    const expiresAt = expiryOf(idToken);
    if (expiresAt === undefined || !this.#lasts(expiresAt)) return undefined;
    return { credential: bearer(idToken, 'the id token'), expiresAt };
  }

  /** Returns another credential; `undefined` without a refresh token. */
  #refresh(signal: AbortSignal | undefined): Promise<Credential | undefined> {
    return this.#refreshing.join(async () => {
      const held = (await this.#fromStore()) ?? (await this.#fromIssuer());
      if (held !== undefined) this.#held = held;
      return held?.credential;
    }, signal);
  }

  /**
   * Another program may have refreshed the tokens meanwhile, after which an issuer rejects the refresh token
   * here.
   */
  async #fromStore(): Promise<Held | undefined> {
    const stored = await this.#means.store.read();
    if (stored === undefined || sameTokens(stored, this.#stored)) return undefined;
    this.#stored = stored;
    if (sameTokens(stored, this.#tokens)) return undefined;
    const held = stored.idToken === this.#tokens.idToken ? undefined : this.#usable(stored.idToken);
    this.#tokens = stored;
    return held;
  }

  async #fromIssuer(): Promise<Held | undefined> {
    const { refreshToken } = this.#tokens;
    if (refreshToken === undefined) return undefined;
    const tokens = await refreshTokens(this.#config, refreshToken, this.#means.fetch);
    this.#tokens = tokens;
    const held = this.#accept(tokens);
    const rotated = tokens.refreshToken !== refreshToken;
    await this.#means.store.write({
      idToken: tokens.idToken,
      ...(rotated && { refreshToken: tokens.refreshToken }),
    });
    return held;
  }

  #accept({ idToken }: Tokens): Held {
    if (idToken === undefined) {
      throw new ConfigError(
        `${this.label} returned no id token for the refresh token; log in with the scope "openid", with an issuer that returns id tokens on refresh`,
      );
    }
    return {
      credential: bearer(idToken, `the id token of ${this.label}`),
      expiresAt: expiryOf(idToken) ?? Number.NEGATIVE_INFINITY,
    };
  }
}

function sameTokens(a: Tokens, b: Tokens): boolean {
  return a.idToken === b.idToken && a.refreshToken === b.refreshToken;
}

const sources: SharedSources<OidcSource> = new SharedSources();

/** Used if no layer above provides connections. */
const unreachable: IssuerFetch = () =>
  Promise.reject(new ConfigError('no connections to the OIDC issuer are available'));

/**
 * Returns the credential source of an issuer, shared by all clients of this process with an equal
 * configuration.
 * @throws {ConfigError} if the issuer is not an `https` URL, or the client id is missing
 */
export function oidcSource(config: OidcConfig, given: Partial<AuthEnvironment>): CredentialSource {
  issuerAddress(config);
  if (config.clientId === '')
    throw new ConfigError('OIDC tokens need a client-id; use the one that is registered with the issuer');
  const { now, fetch } = { ...clockAndFiles, fetch: unreachable, ...given };
  const { issuerUrl, clientId, clientSecret, idToken, refreshToken, ca, origin } = config;
  const parts = [issuerUrl, clientId, clientSecret, idToken, refreshToken, ca, origin];
  return sources.get(parts, () => new OidcSource(config, { now, fetch, store: tokenStore(config) }));
}

/**
 * Returns the expiry of a token in milliseconds since 1970; `undefined` if it is missing or cannot be parsed.
 */
export function expiryOf(idToken: string): number | undefined {
  const [, payload, signature, ...more] = idToken.split('.');
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = claims instanceof Object && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    // A token that cannot be parsed is treated as expired.
    return undefined;
  }
}
