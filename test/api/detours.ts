/** Transports that hide features of the real server behind them. */
import { type ApiError, isApiError, type RESTClient } from '@kgen/runtime';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';

/** Replaces a request by another one, or by a response of this status. */
export type Detour = (request: APIRequest) => APIRequest | number;

/** Hides OpenAPI v3, as before Kubernetes 1.24. */
export const withoutV3: Detour = (request) => (request.path.startsWith('/openapi/v3') ? 404 : request);

/** Hides aggregated discovery, as before Kubernetes 1.26. */
export const withoutAggregation: Detour = (request) =>
  request.path === '/api' || request.path === '/apis'
    ? { ...request, headers: { ...request.headers, accept: 'application/json' } }
    : request;

/** Hides both. */
export const withoutBoth: Detour = (request) => {
  const next = withoutV3(request);
  return typeof next === 'number' ? next : withoutAggregation(next);
};

/** Creates a transport that sends the requests that a detour leaves through `client`. */
export function detouredTransport(client: RESTClient, detour: Detour): Transport {
  return async (request) => {
    const { signal: _, ...kept } = request;
    const next = detour(kept);
    if (typeof next === 'number') return response(next, '');
    try {
      return await client.stream(next);
    } catch (error) {
      if (isApiError(error)) return refusal(error);
      throw error;
    }
  };
}

function refusal({ code, status }: ApiError): APIResponse {
  return response(code, JSON.stringify(status ?? {}));
}

function response(status: number, text: string): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status, headers: { 'content-type': 'application/json' }, body: body(), cancel: () => undefined };
}
