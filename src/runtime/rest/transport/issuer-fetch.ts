/** Requests to token issuers, with the proxies, time-outs and error messages of this package. */

import { ConfigError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { describeOperation } from '../../api/operation.ts';
import type { APIResponse as WireResponse } from '../../api/transport.ts';
import type { IssuerFetch } from '../../auth/environment.ts';
import { messageOf } from '../../common/callbacks.ts';
import { noteAuthorization, noteSecret } from '../../common/sent-secrets.ts';
import { noteStage, unfinished, withinLimits } from '../abort/deadline.ts';
import { openTransport } from './lazy-transport.ts';

/** Time-out of one request, in milliseconds. */
const timeoutMs = 30_000;
/** Maximum bytes of a response. */
const maxBytes = 1024 * 1024;

/**
 * Sends a request to an issuer.
 * @throws {ConfigError} if the request fails or takes more than 30 s, or the response is longer than 1 MiB
 */
export const issuerFetch: IssuerFetch = async (url, { method, headers, body, ca }) => {
  const operation: RequestOperation = { verb: 'call', resource: 'the OIDC issuer' };
  const wire = openTransport({
    server: url.origin,
    disableCompression: true,
    ...(ca !== undefined && { tls: { ca } }),
  });
  const query = [...url.searchParams];
  noteSecrets(headers, body);
  try {
    return await withinLimits({ timeoutMs }, operation, async (signal) => {
      const request = { method, path: url.pathname, query, headers, operation, timeoutMs };
      const response = await wire.send({
        ...request,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      noteStage(signal, unfinished);
      return toResponse(response, url.origin);
    });
  } catch (error) {
    throw error instanceof ConfigError ? error : explain(error, operation, url.origin);
  } finally {
    await wire.close();
  }
};

/** Notes the credentials of a request to an issuer, so that error messages never contain them. */
function noteSecrets(headers: Readonly<Record<string, string>>, body: string | undefined): void {
  const { authorization } = headers;
  if (authorization !== undefined) noteAuthorization(authorization);
  for (const [name, value] of new URLSearchParams(body ?? '')) {
    if (/secret|token|assertion|password/.test(name)) noteSecret(value);
  }
}

/**
 * Returns the error of a failed request. Explanations for API servers apply to issuers too, except that the
 * certificate authority is another setting.
 */
function explain(error: unknown, operation: RequestOperation, origin: string): ConfigError {
  const text = messageOf(error)
    .replace(`${describeOperation(operation)}: `, '')
    .replaceAll('certificate-authority-data or `ca`', 'idp-certificate-authority-data or `ca`');
  return new ConfigError(`the OIDC issuer ${origin} cannot be reached: ${text}`, { cause: error });
}

async function toResponse(response: WireResponse, origin: string): Promise<Response> {
  const body = await bodyOf(response, origin);
  const empty = response.status === 204 || response.status === 205 || response.status === 304;
  const type = response.headers['content-type'];
  return new Response(empty ? null : body, {
    status: response.status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}

async function bodyOf(response: WireResponse, origin: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new ConfigError(`the OIDC issuer ${origin} returned more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
