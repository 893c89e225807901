/** Webhooks of a manager. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemEnvironment } from '@kgen/runtime/informers';
import { readAuthorities, WatchedFiles } from '../health/certificate-files.ts';
import { localPort } from '../health/local-port.ts';
import { consoleLogger, type Logger } from '../log.ts';
import type { Runnable, RunnableContext, RunnableHost, ServedReviews } from '../manager/options.ts';
import type { ReviewRecord } from '../records/review-record.ts';
import { tracedReview } from '../tracing/review-span.ts';
import { type CertificateOptions, ChosenCertificates } from './certificates/source.ts';
import { pathOf, type Webhook } from './declarations/webhook.ts';
import { type RegisterOptions, registerWebhooks } from './registration/register.ts';
import { type ReviewService, reviewService } from './review/review-service.ts';
import { checkOwnPort } from './server/own-port.ts';
import { ReviewMetrics } from './server/review-metrics.ts';
import {
  ReviewServer,
  type ReviewServerOptions,
  type ServedResponse,
  type ServedReview,
} from './server/review-server.ts';

/** Options of `webhooks`. */
export interface WebhooksOptions {
  /** Declarations: results of `defaults`, `validates` and `converts`. */
  readonly handlers: readonly Webhook[];
  /** Port; 0 chooses a free one, which the log contains. Default: 9443. */
  readonly port?: number | undefined;
  /** Address to listen on, such as `127.0.0.1`. Default: all addresses. */
  readonly host?: string | undefined;
  /** Certificate of the server. Default: mounted files, otherwise a Secret that the replicas keep. */
  readonly certificates?: CertificateOptions | undefined;
  /**
   * Applies the configurations at the start, once the server listens, and the conversion of definitions;
   * `unregisterWebhooks` removes them. The name is that of the manager, whose certificate is part of them;
   * `namespace` is that of its connection, if it is absent. Default: none; `kgen manifests` writes the same
   * objects as files.
   */
  readonly register?: Partial<Omit<RegisterOptions, 'name'>> | undefined;
  /**
   * File with the authorities of client certificates in PEM, which is read again every 10 s. Clients without
   * such a certificate are refused. API servers present one only if their configuration states it. Default:
   * none.
   */
  readonly clientCa?: string | undefined;
  /**
   * Maximum size of a review in bytes; longer ones are refused. Default: 7 MiB: two objects of 3 MB fit.
   */
  readonly maxBytes?: number | undefined;
  /**
   * Time after the stop of the manager begins for which reviews are served, in milliseconds, because API
   * servers do not know at once that a Pod ends. Readiness fails and each response closes its connection
   * meanwhile. Default: 5,000.
   */
  readonly drainMs?: number | undefined;
}

/** Webhooks, which a manager runs. */
export interface Webhooks extends Runnable {
  readonly phase: 'webhooks';
  readonly declarations: readonly Webhook[];
  /** Port, once the server listens. */
  readonly port: number | undefined;
  /**
   * Responds to a review of a declaration, or at a path, without a server, such as in tests. Never rejects.
   * `log` receives failures. Default: that of the manager, otherwise the console.
   */
  review(
    target: Webhook | string,
    review: object,
    options?: { readonly log?: Logger },
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}

/**
 * Serves webhooks as a part of a manager, which is ready only while its port presents a valid certificate.
 * @throws {TypeError} if two handlers have one path
 * @throws {RangeError} if an option is out of its range
 * @example
 * ```ts
 * import { Manager } from '@kgen/controller';
 * import { validates, webhooks } from '@kgen/controller/webhooks';
 * import { loadConfig } from '@kgen/runtime';
 * import { myApps } from './generated/my.domain/v1/index.js';
 *
 * const manager = new Manager(await loadConfig());
 * manager.add(webhooks({ handlers: [validates(myApps, { handle: () => [] })] }));
 * await manager.run();
 * ```
 */
export function webhooks(options: WebhooksOptions): Webhooks {
  return new ManagedWebhooks(options);
}

const usualPort = 9443;
/** Two objects of 3 MB, the maximum of etcd and API servers with a margin, and the review around them. */
const usualBytes = 7 * 1024 * 1024;
const usualDrainMs = 5_000;

class ManagedWebhooks implements Webhooks {
  readonly name = 'webhooks';
  readonly phase = 'webhooks';
  readonly declarations: readonly Webhook[];
  readonly #options: WebhooksOptions;
  #attached: AttachedWebhooks | undefined;
  #release: () => void = () => undefined;
  /** Aborts at the deadline of the stop. */
  #deadline: AbortSignal | undefined;

  constructor(options: WebhooksOptions) {
    const { maxBytes = usualBytes, drainMs = usualDrainMs } = options;
    if (!(maxBytes >= 1)) throw new RangeError(`webhooks: maxBytes must be >= 1, got ${maxBytes}`);
    if (!(drainMs >= 0)) throw new RangeError(`webhooks: drainMs must be >= 0, got ${drainMs}`);
    this.declarations = [...options.handlers];
    this.#options = { ...options };
  }

  get port(): number | undefined {
    return this.#attached?.server.port;
  }

  async review(
    target: Webhook | string,
    review: object,
    { log }: { readonly log?: Logger } = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const { signal } = new AbortController();
    const path = typeof target === 'string' ? target : pathOf(target);
    const bytes = Buffer.from(JSON.stringify(review));
    const attached = log === undefined ? this.#attached : undefined;
    const { status, body } =
      attached === undefined
        ? await this.#own(log).respond(path, bytes, { signal })
        : await attached.respond({ path, headers: {}, body: bytes, signal });
    return { status, body: JSON.parse(body) };
  }

  attach(host: RunnableHost): void {
    if (this.#attached !== undefined) throw new TypeError('webhooks are part of one manager');
    const { log, environment, stopping } = host;
    const service = reviewService(this.declarations, { log, clock: environment.clock });
    if (host.serveWebhooks === undefined)
      host.addReadinessCheck('webhooks', () => checkOwnPort(this.#parts().server));
    const metrics = new ReviewMetrics(host.metrics.registry, service.paths);
    const respond = observed(service, host, metrics);
    const server = new ReviewServer({
      ...serverOptions(this.#options, host),
      ...{ paths: service.paths, respond, metrics, stopping, clock: environment.clock, log },
    });
    this.#attached = { host, service, respond, server, stoppedAt: abortion(stopping, environment.clock) };
  }

  async start({ signal }: RunnableContext): Promise<void> {
    const { host, service, respond, server } = this.#parts();
    const { serveWebhooks, stopping } = host;
    this.#deadline = signal;
    if (serveWebhooks !== undefined) {
      const inMemory: ServedReviews['respond'] = (path, body, options) =>
        respond({ path, body, headers: {}, ...options });
      this.#release = serveWebhooks({ paths: service.paths, respond: inMemory });
      return;
    }
    if (!(await this.#listen(server, host, signal))) return;
    try {
      await this.#register(host);
    } catch (error) {
      // A manager that stops has reviews to the end.
      if (stopping.aborted) return;
      await server.close(AbortSignal.abort());
      throw error;
    }
  }

  /** Returns whether the server listens: not if the manager stops meanwhile. */
  async #listen(
    server: ReviewServer,
    { log, stopping }: RunnableHost,
    deadline: AbortSignal,
  ): Promise<boolean> {
    const end = (): void => void server.close(deadline);
    stopping.addEventListener('abort', end);
    try {
      const port = await server.start();
      log.info({ port }, `webhooks listen on port ${port}`);
      const folder = localFolder();
      if (folder !== undefined) await writeFile(join(folder, 'port'), `${port}\n`);
      return true;
    } catch (error) {
      if (!stopping.aborted) throw error;
      return false;
    } finally {
      stopping.removeEventListener('abort', end);
    }
  }

  async #register({ rest, name, stopping }: RunnableHost): Promise<void> {
    const { register } = this.#options;
    if (register === undefined || localFolder() !== undefined) return;
    const settings = { namespace: rest.namespace, signal: stopping, ...register, name };
    await registerWebhooks(rest, this.declarations, settings);
  }

  async drain(): Promise<void> {
    const { server, host, stoppedAt } = this.#parts();
    const { clock } = host.environment;
    const { drainMs = usualDrainMs } = this.#options;
    const signal = this.#deadline ?? AbortSignal.abort();
    this.#release();
    if (server.port !== undefined) await passed(signal, clock, (stoppedAt() ?? 0) + drainMs - clock.now());
    await server.close(signal);
  }

  #own(log = consoleLogger()): ReviewService {
    return reviewService(this.declarations, { log, clock: systemEnvironment.clock });
  }

  #parts(): AttachedWebhooks {
    if (this.#attached === undefined) throw new TypeError('webhooks are not part of a manager: add them');
    return this.#attached;
  }
}

/** Parts of webhooks that a manager runs. */
interface AttachedWebhooks {
  readonly host: RunnableHost;
  readonly service: ReviewService;
  readonly respond: (review: ServedReview) => Promise<ServedResponse>;
  readonly server: ReviewServer;
  /** Time at which the stop of the manager began. */
  readonly stoppedAt: () => number | undefined;
}

function serverOptions(
  {
    handlers,
    port = usualPort,
    host: address,
    certificates = {},
    clientCa,
    register,
    maxBytes = usualBytes,
  }: WebhooksOptions,
  host: RunnableHost,
): Pick<ReviewServerOptions, 'port' | 'host' | 'certificates' | 'clientAuthorities' | 'maxBytes'> {
  const { environment, log } = host;
  const { namespace, service } = register ?? {};
  const directory = localFolder() ?? certificates.directory;
  const secret = { namespace, service: service?.name, ...certificates.secret };
  return {
    port: localPort('KGEN_WEBHOOK_PORT') ?? port,
    host: address,
    maxBytes,
    certificates: new ChosenCertificates({ ...certificates, directory, secret }, host, handlers),
    clientAuthorities:
      clientCa === undefined
        ? undefined
        : new WatchedFiles({
            files: { clientCa },
            read: () => readAuthorities(clientCa),
            clock: environment.clock,
            log,
          }),
  };
}

/**
 * Returns the folder of `kgen run` and `kgen dev --cluster`, which register the webhooks at a host of this
 * machine: it has the certificate for that host, and gets the port.
 */
function localFolder(): string | undefined {
  const { KGEN_WEBHOOKS: folder = '' } = process.env;
  return folder === '' ? undefined : folder;
}

/** Returns the function that responds to reviews, with a span, metrics and a record of each. */
function observed(
  service: ReviewService,
  host: RunnableHost,
  metrics: ReviewMetrics,
): AttachedWebhooks['respond'] {
  return ({ path, headers, body, signal }) =>
    tracedReview({ path, headers }, async (describe) => {
      const at = Date.now();
      const observe = (record: ReviewRecord): void => {
        describe(record);
        metrics.reviewed(record);
        host.reviewed(record);
      };
      const response = await service.respond(path, body, { signal, observe });
      host.recordReview?.({ at, path, body, response });
      return response;
    });
}

/** Returns the function that returns the time at which a signal aborted. */
function abortion(signal: AbortSignal, clock: Clock): () => number | undefined {
  let at: number | undefined;
  signal.addEventListener('abort', () => {
    at = clock.now();
  });
  return () => at;
}

/** Resolves after a time, or when the signal aborts. */
function passed(signal: AbortSignal, clock: Clock, ms: number): Promise<void> {
  if (signal.aborted || ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.timer(ms, end);
    signal.addEventListener('abort', end);
  });
}
