/** Authentication of requests. */

import type { APIRequest, APIResponse, Transport } from '../../api/transport.ts';
import type { Credential, CredentialSource } from '../../auth/types.ts';
import { unlessAborted } from '../../auth/unless-aborted.ts';
import { noteAuthorization } from '../../common/sent-secrets.ts';
import { untilClosed } from '../abort/abort-on-close.ts';
import { noteStage, unanswered } from '../abort/deadline.ts';
import { discard } from '../response/read-body.ts';
import type { Send } from '../transport/lazy-transport.ts';

/** Adds credentials to the requests of one client. */
class Authenticated {
  readonly #send: Send;
  readonly #source: CredentialSource;
  readonly #closed: AbortSignal | undefined;

  constructor(send: Send, source: CredentialSource, closed: AbortSignal | undefined) {
    this.#send = send;
    this.#source = source;
    this.#closed = closed;
  }

  async send(request: APIRequest): Promise<APIResponse> {
    if (request.headers['authorization'] !== undefined) return this.#send(request);
    const current = this.#source.current(request.signal ?? this.#closed);
    const credential = current instanceof Promise ? await this.#awaited(current, request) : current;
    const response = await sendAs(this.#send, request, credential);
    if (response.status !== 401) return response;
    const next = await this.#renewed(credential, response, request);
    return next === undefined ? response : sendAs(this.#send, request, next);
  }

  /** If the call times out meanwhile, its error contains the stage that is noted here. */
  async #awaited<T>(credential: Promise<T>, request: APIRequest): Promise<T> {
    noteStage(request.signal, () => `waiting for ${this.#source.label ?? 'credentials'}`);
    const value = await untilClosed(this.#closed, request, (signal) => unlessAborted(credential, signal));
    noteStage(request.signal, unanswered);
    return value;
  }

  /**
   * Returns a credential other than the refused one, if there is one. Discards the body of the refusal then,
   * which frees its connection.
   */
  async #renewed(
    refused: Credential,
    refusal: APIResponse,
    request: APIRequest,
  ): Promise<Credential | undefined> {
    let next: Credential | undefined;
    try {
      next = await this.#awaited(this.#source.renew(refused, request.signal ?? this.#closed), request);
    } catch (error) {
      refusal.cancel();
      throw error;
    }
    if (next !== undefined) await discard(refusal);
    return next;
  }
}

function sendAs(send: Send, request: APIRequest, credential: Credential): Promise<APIResponse> {
  const { authorization } = credential;
  if (authorization === undefined) return send(request, credential);
  noteAuthorization(authorization);
  return send({ ...request, headers: { ...request.headers, authorization } }, credential);
}

/**
 * Returns a transport that authenticates requests. A request with its own `authorization` header keeps it,
 * and neither a token nor a certificate is added. On a 401 response, which means that the request was not
 * processed, reads and writes are retried once with a newer credential if there is one.
 * @param closed aborts waiting for credentials when the client is closed
 */
export function authenticated(
  send: Send,
  source: CredentialSource | undefined,
  closed?: AbortSignal,
): Transport {
  const one = source && new Authenticated(send, source, closed);
  return (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) noteAuthorization(authorization);
    return one === undefined ? send(request) : one.send(request);
  };
}
