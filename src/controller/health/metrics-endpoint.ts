/** The endpoint of metrics. */
import type { Registry } from 'prom-client';
import { type Endpoint, type EndpointResponse, textResponse } from './endpoint.ts';
import type { ScrapeAccess } from './scrape-access.ts';

/** Parts of the endpoint of metrics. */
export interface MetricsEndpointOptions {
  readonly registry: Registry;
  /** Requires a bearer token whose user may `get` the path. Default: none; every caller may read. */
  readonly access?: ScrapeAccess | undefined;
}

/** Returns the endpoint of `/metrics`. Concurrent requests share one scrape. */
export function metricsEndpoint({ registry, access }: MetricsEndpointOptions): Endpoint {
  let scrape: Promise<EndpointResponse> | undefined;
  const read = async (): Promise<EndpointResponse> => {
    const body = await registry.metrics();
    return { status: 200, headers: { 'content-type': registry.contentType }, body };
  };
  return async ({ path, authorization }) => {
    if (path !== '/metrics') return textResponse(404, 'not found\n');
    const refusal = await access?.refusalOf(authorization, path);
    if (refusal !== undefined) return refusal;
    scrape ??= read().finally(() => {
      scrape = undefined;
    });
    return scrape;
  };
}
