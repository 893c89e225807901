/** One discovery request, with the metadata of its response. */
import { isApiError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIRequest } from '../../api/transport.ts';
import { noteStage, unfinished, withinLimits } from '../../rest/abort/deadline.ts';
import type { RESTClient } from '../../rest/client.ts';
import { throwFailure } from '../../rest/response/api-error.ts';
import { decodeBody } from '../../rest/response/decode-body.ts';

/** Parameters of a request. */
export interface Question {
  readonly path: string;
  readonly query?: APIRequest['query'];
  /** Default: JSON. */
  readonly accept?: string;
  /** ETag of the known response. A response is only needed if it has changed. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Limit for the whole response, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** A response. */
export interface DiscoveryResponse {
  readonly value: unknown;
  readonly contentType: string | undefined;
  readonly etag: string | undefined;
}

/** Returns the operation with which error messages about a path begin. */
export function getting(path: string): RequestOperation {
  return { verb: 'get', resource: path };
}

/**
 * Sends a request. Returns `undefined` if the response still has the ETag of the request.
 * @throws {ApiError | TransportError | TimeoutError | DecodeError} as `RESTClient.request` does
 */
export async function fetchDocument(
  rest: RESTClient,
  question: Question,
): Promise<DiscoveryResponse | undefined> {
  const { path, query = [], accept = 'application/json', etag } = question;
  const operation = getting(path);
  const headers = { accept, ...(etag !== undefined && { 'if-none-match': etag }) };
  return withinLimits(question, operation, async (signal) => {
    const request: APIRequest = { method: 'GET', path, query, headers, operation };
    try {
      const response = await rest.stream({ ...request, ...(signal !== undefined && { signal }) });
      noteStage(signal, unfinished);
      const value = await decodeBody(response, operation);
      throwFailure(value, operation);
      return { value, contentType: response.headers['content-type'], etag: response.headers['etag'] };
    } catch (error) {
      if (etag !== undefined && isApiError(error) && error.code === 304) return undefined;
      throw error;
    }
  });
}
