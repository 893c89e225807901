/** HTTP endpoints of a manager: metrics, liveness and readiness. */

import type { RESTClient } from '@kgen/runtime';
import { type Endpoint, textResponse } from '../health/endpoint.ts';
import { EndpointServer } from '../health/endpoint-server.ts';
import { type HealthEndpointOptions, healthEndpoint } from '../health/health-checks.ts';
import { isPortInUse } from '../health/http-server.ts';
import { localPort, localToken } from '../health/local-port.ts';
import { metricsEndpoint } from '../health/metrics-endpoint.ts';
import { ScrapeAccess } from '../health/scrape-access.ts';
import type { Logger } from '../log.ts';
import type { ManagerFamilies } from '../metrics/manager-metrics.ts';
import type { FlightRecorder } from '../recorder/flight-recorder.ts';
import { recordingEndpoint, recordingPath, tokenAccess } from '../recorder/recording-endpoint.ts';
import {
  debugEndpoint,
  type ExplainedController,
  reconcilesPath,
  reviewsPath,
} from '../records/debug-endpoint.ts';
import type { ReviewLog } from '../records/review-log.ts';
import type { FlightFilesParts } from './flight-files.ts';
import type { EndpointOptions, ManagerOptions } from './options.ts';

/** Parts of the endpoints. */
export interface EndpointsSetup {
  readonly options: ManagerOptions;
  readonly rest: RESTClient;
  readonly metrics: Pick<ManagerFamilies, 'registry' | 'process'>;
  readonly checks: HealthEndpointOptions;
  /** Controllers whose records are served. */
  readonly controllers: () => readonly ExplainedController[];
  readonly reviews: ReviewLog;
  readonly recorder: FlightRecorder | undefined;
  readonly log: Logger;
}

/** Running endpoints. */
export interface Endpoints {
  readonly metricsPort: number | undefined;
  readonly healthPort: number | undefined;
  close(): Promise<void>;
}

/**
 * Starts the endpoints that the options name.
 * @throws {EndpointStartError} if one cannot listen; none listens then
 */
export async function startEndpoints(setup: EndpointsSetup): Promise<Endpoints> {
  const servers: EndpointServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const local = localPort('KGEN_RECONCILES');
  const start = async (name: string, endpoint: Endpoint, options: EndpointOptions): Promise<number> => {
    const { log, metrics } = setup;
    const { environment } = setup.options;
    const certificateRead = metrics.process.certificateRead.bind(metrics.process);
    const common = { name, endpoint, log, environment, certificateRead };
    const listen = (requested: number): Promise<number> => {
      const server = new EndpointServer({ ...common, ...options, port: requested });
      servers.push(server);
      return server.start();
    };
    const port = await listen(options.port).catch((error: unknown) => {
      // Of another operator on this machine.
      if (local === undefined || !isPortInUse(error)) throw error;
      return listen(0);
    });
    log.info({ port }, `endpoint ${name} listens`);
    return port;
  };
  try {
    const { health, metrics } = setup.options;
    if (local !== undefined)
      await start('reconciles', localRecords(setup), { port: local, host: '127.0.0.1' });
    return {
      healthPort: health && (await start('health', healthEndpoint(setup.checks), health)),
      metricsPort: metrics && (await start('metrics', metricsOf(setup), metrics)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function metricsOf({
  options,
  rest,
  metrics: { registry },
  log,
  controllers,
  reviews,
  recorder,
}: EndpointsSetup): Endpoint {
  const { environment } = options;
  const { authorize, host, recording } = options.metrics ?? {};
  const { reconciles = authorize === true || isLoopback(host) } = options.metrics ?? {};
  const access = authorize === true ? new ScrapeAccess({ rest, log, environment }) : undefined;
  const debug = reconciles ? debugEndpoint({ controllers, reviews, access }) : undefined;
  const endpoints = new Map([
    [reconcilesPath, debug],
    [reviewsPath, debug],
    [recordingPath, recording && recorder ? recordingEndpoint({ recorder, access }) : undefined],
  ]);
  const metrics = metricsEndpoint({ registry, access });
  return (request) => (endpoints.get(request.path) ?? metrics)(request);
}

/**
 * Returns the options of the flight recorder; `undefined` if nothing is recorded.
 * @throws {TypeError} if other machines could read a recording without a token
 */
export function recorderOf({
  metrics,
  recorder,
}: ManagerOptions): Pick<FlightFilesParts, 'options' | 'isOnDemand'> | undefined {
  const { recording, authorize, host } = metrics ?? {};
  const options = recorder ?? (localToken() === undefined ? undefined : {});
  if (recording !== true) return options && { options, isOnDemand: false };
  if (authorize !== true && !isLoopback(host))
    throw new TypeError(
      'metrics.recording serves the objects of the controllers: set metrics.authorize, or a loopback host',
    );
  return { options: options ?? {}, isOnDemand: options === undefined };
}

/** Returns the records for the user of this machine, and the recording for the page of the command. */
function localRecords({ controllers, reviews, recorder }: EndpointsSetup): Endpoint {
  const debug = debugEndpoint({ controllers, reviews });
  const token = localToken();
  const recording =
    recorder && token !== undefined ? recordingEndpoint({ recorder, access: tokenAccess(token) }) : undefined;
  const endpoints = new Map([
    [reconcilesPath, debug],
    [reviewsPath, debug],
    [recordingPath, recording],
  ]);
  return (request) => endpoints.get(request.path)?.(request) ?? textResponse(404, 'not found\n');
}

/** Only processes of the same machine, or of the same Pod, reach the address. */
function isLoopback(host: string | undefined): boolean {
  return host === 'localhost' || host === '::1' || host?.startsWith('127.') === true;
}
