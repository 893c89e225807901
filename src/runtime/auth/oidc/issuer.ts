/**
 * Token requests to an OpenID Connect issuer. Its responses are validated, and repeated in messages only
 * without secrets.
 */
import * as oauth from 'oauth4webapi';
import { ConfigError, isConfigError } from '../../api/errors.ts';
import { messageOf } from '../../common/callbacks.ts';
import { errorCodeOf } from '../../common/error-code.ts';
import type { OidcConfig } from '../../config/types.ts';
import type { IssuerFetch } from '../environment.ts';
import { hideSecrets, plainText } from '../mask.ts';

/** Tokens of a user. */
export interface Tokens {
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** Advice for errors that only the user can resolve. */
export const logInAgain = 'log in again with the tool that wrote the kubeconfig';

/** Tolerated difference between the clocks of an issuer and of this machine, in seconds. */
const clockTolerance = 60;

/**
 * Returns the address of an issuer.
 * @throws {ConfigError} if it is not a URL, not `https`, or contains a password (which the message does not
 * repeat)
 */
export function issuerAddress({ issuerUrl }: Pick<OidcConfig, 'issuerUrl'>): URL {
  if (!URL.canParse(issuerUrl)) {
    throw new ConfigError(
      'the OIDC issuer (in a kubeconfig: idp-issuer-url) is not a URL; write it like https://login.example.com',
    );
  }
  const url = new URL(issuerUrl);
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError('the URL of the OIDC issuer has a user or a password in it; remove them');
  }
  if (url.protocol !== 'https:') {
    throw new ConfigError(
      `the OIDC issuer ${url.href} must use https; a refresh token is not sent over an unencrypted connection`,
    );
  }
  return url;
}

/**
 * Exchanges a refresh token for new tokens, at the endpoint of the issuer's discovery document.
 * @throws {ConfigError} if the issuer cannot be reached, does not match, or refuses; the error contains no
 * token
 */
export async function refreshTokens(
  config: OidcConfig,
  refreshToken: string,
  fetch: IssuerFetch,
): Promise<Tokens> {
  const address = issuerAddress(config);
  const secrets = [refreshToken, config.clientSecret ?? '', config.idToken ?? ''].filter(
    (secret) => secret !== '',
  );
  try {
    return await requestTokens(config, address, refreshToken, fetch);
  } catch (error) {
    if (isConfigError(error)) throw error;
    throw new ConfigError(`the OIDC issuer ${address.href} ${describe(error, secrets)}`);
  }
}

async function requestTokens(
  config: OidcConfig,
  address: URL,
  refreshToken: string,
  fetch: IssuerFetch,
): Promise<Tokens> {
  const options = requestOptions(config, fetch);
  const discovered = await oauth.discoveryRequest(address, options);
  const issuer = await oauth.processDiscoveryResponse(address, discovered);
  const client: oauth.Client = { client_id: config.clientId, [oauth.clockTolerance]: clockTolerance };
  const auth = clientAuth(config, issuer);
  const response = await oauth.refreshTokenGrantRequest(issuer, client, auth, refreshToken, options);
  const { id_token, refresh_token } = await oauth.processRefreshTokenResponse(issuer, client, response);
  return { idToken: id_token, refreshToken: refresh_token ?? refreshToken };
}

/**
 * Returns the client authentication, with or without a secret, that the issuer supports; by a header if there
 * is a choice.
 */
function clientAuth({ clientSecret }: OidcConfig, issuer: oauth.AuthorizationServer): oauth.ClientAuth {
  if (clientSecret === undefined || clientSecret === '') return oauth.None();
  const methods = issuer.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? secretInHeader(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

function secretInHeader(secret: string): oauth.ClientAuth {
  return (_issuer, { client_id }, _body, headers) => {
    const pair = Buffer.from(`${escaped(client_id)}:${escaped(secret)}`).toString('base64');
    headers.set('authorization', `Basic ${pair}`);
  };
}

/** Form encoding like Go's, which keeps `-`, `.`, `_` and `~`: some issuers do not decode the secret. */
function escaped(part: string): string {
  const form = new URLSearchParams({ part }).toString().slice('part='.length);
  return form.replaceAll('%7E', '~').replaceAll('*', '%2A');
}

/** Returns options of the library whose requests use `fetch`. */
function requestOptions(
  config: OidcConfig,
  fetch: IssuerFetch,
): oauth.TokenEndpointRequestOptions & oauth.DiscoveryRequestOptions {
  return {
    [oauth.customFetch]: (
      url: string,
      {
        method,
        headers,
        body,
      }: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
    ) =>
      fetch(new URL(url), {
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        body: body === undefined || body === null ? undefined : String(body),
        ca: config.ca,
      }),
  };
}

/**
 * Describes an error of the library. Its messages name expected members and values, and never received ones,
 * which are in its causes.
 */
function describe(error: unknown, secrets: readonly string[]): string {
  if (error instanceof oauth.ResponseBodyError) return refusal(error, secrets);
  const status = error instanceof oauth.OperationProcessingError ? statusOf(error) : undefined;
  if (status !== undefined && status !== 200)
    return `responded with ${status}; is that the URL of an issuer?`;
  const code = errorCodeOf(error);
  if (code === oauth.JSON_ATTRIBUTE_COMPARISON) return 'identifies itself as another issuer; correct the URL';
  if (code === oauth.JWT_TIMESTAMP_CHECK)
    return 'returned a token that is already expired; is the clock of this machine right?';
  if (code === oauth.JWT_CLAIM_COMPARISON) return 'returned a token of another issuer, or for another client';
  if (code === oauth.PARSE_ERROR || code === oauth.RESPONSE_IS_NOT_JSON)
    return 'returned a response that is not JSON';
  return `returned an invalid response: ${hideSecrets(plainText(messageOf(error)), secrets).slice(0, 200)}`;
}

/** Describes the error response of an issuer, which may contain any text. */
function refusal(error: oauth.ResponseBodyError, secrets: readonly string[]): string {
  const code = /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'an error';
  const words = hideSecrets(plainText(error.error_description ?? ''), secrets).slice(0, 200);
  const stated = `returned ${code}${words === '' ? '' : `: ${words}`}`;
  if (code === 'invalid_grant')
    return `${stated}; the refresh token is expired or was used already: ${logInAgain}`;
  if (/client/.test(code)) return `${stated}; are client-id and client-secret those of this issuer?`;
  return `${stated}; ${logInAgain}`;
}

function statusOf(error: oauth.OperationProcessingError): number | undefined {
  return error.cause instanceof Response ? error.cause.status : undefined;
}
