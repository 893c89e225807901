/** Endpoints: functions from a request to a response, without a server. */
import { childLogger, type Logger } from '../log.ts';

/** Request of an endpoint. Its body, if there is one, is not read. */
export interface EndpointRequest {
  readonly method: string;
  /** Path without the query, such as `/healthz/ping`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Value of the `Host` header. */
  readonly host?: string | undefined;
}

/** Response of an endpoint. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Responds to a request. */
export type Endpoint = (request: EndpointRequest) => EndpointResponse | Promise<EndpointResponse>;

/** Returns a response of plain text that no browser interprets or caches. */
export function textResponse(
  status: number,
  body: string,
  headers: EndpointResponse['headers'] = {},
): EndpointResponse {
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
      ...headers,
    },
    body,
  };
}

/** Returns the response of an endpoint; 405 for methods other than GET and HEAD, 500 if it fails. */
export async function respond(
  endpoint: Endpoint,
  request: EndpointRequest,
  log: Logger,
): Promise<EndpointResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return textResponse(405, 'method not allowed\n', { allow: 'GET, HEAD' });
  }
  try {
    return await endpoint(request);
  } catch (error) {
    childLogger(log, {}).error({ error, path: request.path }, `endpoint ${request.path} failed`);
    return textResponse(500, 'internal server error\n');
  }
}
