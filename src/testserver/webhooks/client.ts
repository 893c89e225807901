/** Calls of webhooks: HTTPS with a bundle of authorities, and functions in this process. */

import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Json, JsonObject } from '@kgen/schema/values/json';
import { isObject, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, writeJson } from '@kgen/schema/values/wire';

/** Handles a review: an AdmissionReview or ConversionReview with `request`. Returns it with `response`. */
export type ReviewHandler = (review: JsonObject) => JsonObject | Promise<JsonObject>;

/**
 * Webhooks behind services, by `namespace/name`: a base URL such as `https://127.0.0.1:9443`, or a function that
 * is called with each review and the path of the webhook.
 */
export type WebhookServices = Readonly<
  Record<string, string | ((review: JsonObject, path: string) => JsonObject | Promise<JsonObject>)>
>;

/** Thrown for a webhook that cannot be called, or whose response is not a review. */
export class WebhookCallError extends Error {}

/** Calls webhooks. */
export class WebhookClient {
  readonly #services: WebhookServices;

  constructor(services: WebhookServices = {}) {
    this.#services = services;
  }

  /**
   * Sends a review to the webhook of a `clientConfig` and returns its response.
   * @throws {WebhookCallError} with the message of the API server
   */
  async call(config: Json, review: JsonObject, timeoutSeconds: number): Promise<JsonObject> {
    const bundle = Buffer.from(text(config, 'caBundle'), 'base64').toString('utf8');
    const url = text(config, 'url');
    if (url !== '') return send({ url, shown: url, bundle, name: undefined }, review, timeoutSeconds);
    const service = own(config, 'service');
    const [namespace, name] = [text(service, 'namespace'), text(service, 'name')];
    const target = Object.hasOwn(this.#services, `${namespace}/${name}`)
      ? this.#services[`${namespace}/${name}`]
      : undefined;
    const path = text(service, 'path') || '/';
    const host = `${name}.${namespace}.svc`;
    const shown = `https://${host}:${own(service, 'port') ?? 443}${path}`;
    if (target === undefined)
      throw failed(shown, timeoutSeconds, `service ${JSON.stringify(name)} not found`);
    if (typeof target === 'string')
      return send({ url: new URL(path, target).href, shown, bundle, name: host }, review, timeoutSeconds);
    return invoke((sent) => target(sent, path), review, shown, timeoutSeconds);
  }
}

function failed(url: string, timeoutSeconds: number, why: string): WebhookCallError {
  return new WebhookCallError(`Post "${withTimeout(url, timeoutSeconds)}": ${why}`);
}

function withTimeout(url: string, timeoutSeconds: number): string {
  return `${url}?timeout=${timeoutSeconds}s`;
}

async function invoke(
  handler: ReviewHandler,
  review: JsonObject,
  url: string,
  timeoutSeconds: number,
): Promise<JsonObject> {
  try {
    // As over HTTP, the handler gets a copy of its own.
    const response = await handler(reviewIn(writeJson(review)));
    return reviewIn(writeJson(response));
  } catch (error) {
    throw failed(url, timeoutSeconds, messageOf(error));
  }
}

interface Endpoint {
  readonly url: string;
  /** URL in messages. */
  readonly shown: string;
  /** Certificates in PEM; empty for the system's. */
  readonly bundle: string;
  /** Name in the server's certificate, if it is not that of the URL. */
  readonly name: string | undefined;
}

interface Response {
  readonly code: number;
  readonly body: string;
  /** Where the request is redirected. */
  readonly location: string | undefined;
}

async function send(endpoint: Endpoint, review: JsonObject, timeoutSeconds: number): Promise<JsonObject> {
  const { code, body } = await follow(endpoint, writeJson(review), timeoutSeconds);
  if (code >= 200 && code < 300) return reviewIn(body);
  if (code === 404) throw new WebhookCallError('the server could not find the requested resource');
  if (code === 400) throw new WebhookCallError('the server rejected our request for an unknown reason');
  if (code >= 500)
    throw new WebhookCallError(
      `an error on the server (${JSON.stringify(body.trim() || 'unknown')}) has prevented the request from succeeding`,
    );
  throw new WebhookCallError(
    `the server responded with the status code ${code} but did not return more information`,
  );
}

const mostRedirects = 10;

/** Sends a body, again if the server redirects it: servers in Go do so for paths like `//validate`. */
async function follow(endpoint: Endpoint, body: string, timeoutSeconds: number): Promise<Response> {
  let url = withTimeout(endpoint.url, timeoutSeconds);
  for (let count = 0; ; count += 1) {
    const response = await post({ ...endpoint, url }, body, timeoutSeconds);
    const { code, location } = response;
    if ((code !== 307 && code !== 308) || location === undefined || !URL.canParse(location, url))
      return response;
    url = new URL(location, url).href;
    const isOver = count === mostRedirects;
    if (isOver || !url.startsWith('https:')) {
      const why = isOver ? `stopped after ${mostRedirects} redirects` : `redirect to ${url} without TLS`;
      throw failed(endpoint.shown, timeoutSeconds, why);
    }
  }
}

/** @param endpoint with the URL of the request */
function post(endpoint: Endpoint, body: string, timeoutSeconds: number): Promise<Response> {
  const options = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    // A webhook that does not respond must not keep the test run alive.
    timeout: timeoutSeconds * 1000,
    agent: false,
    // As for Go, every certificate of the bundle is trusted, also one that is not an authority.
    ...(endpoint.bundle === '' ? {} : { ca: endpoint.bundle, allowPartialTrustChain: true }),
    ...(endpoint.name === undefined ? {} : { servername: endpoint.name }),
  } as const;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(failed(endpoint.shown, timeoutSeconds, why));
    const request = httpsRequest(endpoint.url, options, (response) => {
      readBody(response).then(
        (read) =>
          resolve({
            code: response.statusCode ?? 0,
            body: read,
            location: response.headers.location,
          }),
        (error: unknown) => fail(messageOf(error)),
      );
    });
    request.on('timeout', () => {
      fail('context deadline exceeded');
      request.destroy();
    });
    request.on('error', (error) => fail(printNetworkError(error, new URL(endpoint.url))));
    request.end(body);
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // Without an encoding, the chunks of a response are buffers.
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Returns an error of the network as Go prints it. */
function printNetworkError(error: Error & { readonly code?: string }, url: URL): string {
  const port = url.port || '443';
  if (error.code === 'ECONNREFUSED') return `dial tcp ${url.hostname}:${port}: connect: connection refused`;
  if (error.code === 'ENOTFOUND') return `dial tcp: lookup ${url.hostname}: no such host`;
  if (error.code === 'ECONNRESET') return 'EOF';
  if (error.code !== undefined && unknownAuthority.has(error.code))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  return error.message;
}

function reviewIn(body: string): JsonObject {
  try {
    const value = readJson(body);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new WebhookCallError("couldn't get version/kind; json parse error");
}
