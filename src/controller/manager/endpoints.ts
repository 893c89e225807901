/** HTTP endpoints of a manager: metrics, liveness and readiness. */

import type { Informer, KubernetesObject, RESTClient } from '@kgen/runtime';
import { systemEnvironment } from '@kgen/runtime/informers';
import type { Registry } from 'prom-client';
import { keyText } from '../controller/key.ts';
import { KindNotInstalledError } from '../errors.ts';
import type { Endpoint } from '../health/endpoint.ts';
import { EndpointServer } from '../health/endpoint-server.ts';
import { HealthChecks, healthEndpoint } from '../health/health-checks.ts';
import { metricsEndpoint } from '../health/metrics-endpoint.ts';
import { ScrapeAccess } from '../health/scrape-access.ts';
import type { Logger } from '../log.ts';
import type { RunningReconcile } from './host.ts';
import type { EndpointOptions, ManagerOptions } from './options.ts';

/** Servers send a bookmark each minute: an informer that receives nothing for this long is not working. */
const quietMs = 300_000;
/** Age of a run that is reported by the liveness check: it ignores its signal, in milliseconds. */
const stuckMs = 3_600_000;

/** Parts of the endpoints. */
export interface EndpointsSetup {
  readonly options: ManagerOptions;
  readonly rest: RESTClient;
  readonly registry: Registry;
  readonly log: Logger;
  informers(): readonly Informer<KubernetesObject>[];
  running(): readonly RunningReconcile[];
  /** Errors of informers that cannot be read now. */
  problems(): readonly Error[];
  isStarted(): boolean;
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
  const start = async (name: string, endpoint: Endpoint, options: EndpointOptions): Promise<number> => {
    const { log } = setup;
    const { environment } = setup.options;
    const server = new EndpointServer({ name, endpoint, log, environment, ...options });
    servers.push(server);
    const port = await server.start();
    log.info({ port }, `endpoint ${name} listens`);
    return port;
  };
  try {
    const { health, metrics } = setup.options;
    return {
      healthPort: health && (await start('health', healthOf(setup), health)),
      metricsPort: metrics && (await start('metrics', metricsOf(setup), metrics)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function metricsOf({ options, rest, registry, log }: EndpointsSetup): Endpoint {
  const { environment } = options;
  const access =
    options.metrics?.authorize === true ? new ScrapeAccess({ rest, log, environment }) : undefined;
  return metricsEndpoint({ registry, access });
}

function healthOf(setup: EndpointsSetup): Endpoint {
  const { log } = setup;
  const { environment = systemEnvironment } = setup.options;
  const healthz = new HealthChecks({ log, environment });
  const readyz = new HealthChecks({ log, environment });
  healthz.add('runs', () => checkRuns(setup.running(), environment.clock.now()));
  readyz.add('started', () => {
    if (!setup.isStarted()) throw new Error('caches are not complete');
  });
  readyz.add('informers', () => checkInformers(setup.informers(), setup.problems()));
  return healthEndpoint({ healthz, readyz });
}

function checkRuns(runs: readonly RunningReconcile[], now: number): void {
  const stuck = runs.filter(({ startedAt }) => now - startedAt > stuckMs);
  if (stuck.length === 0) return;
  const names = stuck.slice(0, 5).map(({ controller, key }) => `${controller} ${keyText(key)}`);
  throw new Error(`runs do not end: ${names.join(', ')}`);
}

/** Progress, not only the first list: a watch that delivers nothing, not even bookmarks, is dead. */
function checkInformers(informers: readonly Informer<KubernetesObject>[], problems: readonly Error[]): void {
  const absent = problems.find((error) => error instanceof KindNotInstalledError);
  if (absent !== undefined) throw absent;
  const quiet = informers
    .filter((informer) => informer.isSynced && (informer.stats().quietMs ?? 0) > quietMs)
    .map(({ name }) => name);
  if (quiet.length > 0) throw new Error(`informers receive nothing: ${quiet.join(', ')}`);
}
