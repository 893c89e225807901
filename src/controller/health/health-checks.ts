/**
 * Health endpoints with the conventions of Kubernetes: `/healthz` and `/readyz`, each with named checks.
 * @see https://kubernetes.io/docs/reference/using-api/health-checks/
 */
import { type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import { childLogger, consoleLogger, type Logger } from '../log.ts';
import { type Endpoint, type EndpointRequest, type EndpointResponse, textResponse } from './endpoint.ts';

/**
 * A health check: passes if it returns or resolves, fails if it throws or rejects. The reason is logged; a
 * response does not contain it.
 */
export type HealthCheck = () => unknown;

/** Options of `HealthChecks`. */
export interface HealthChecksOptions {
  /** Time after which a check fails that has not settled, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number | undefined;
  /** Default: `console`. */
  readonly log?: Logger | undefined;
  /** Clock of the time limit. Default: that of the system. */
  readonly environment?: Pick<RuntimeEnvironment, 'clock'> | undefined;
}

interface CheckResult {
  readonly name: string;
  readonly isHealthy: boolean;
  readonly isExcluded: boolean;
}

/** Named checks of one endpoint. Without checks it has `ping`, which always passes. */
export class HealthChecks {
  readonly #checks = new Map<string, HealthCheck>();
  readonly #notices: (() => readonly string[])[] = [];
  /** Running checks: requests share them, so that many requests do not run a check many times. */
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #clock: RuntimeEnvironment['clock'];

  constructor({
    timeoutMs = 5000,
    log = consoleLogger(),
    environment = systemEnvironment,
  }: HealthChecksOptions = {}) {
    this.#timeoutMs = timeoutMs;
    this.#log = childLogger(log, {});
    this.#clock = environment.clock;
  }

  /**
   * Adds a check. Returns a function that removes it.
   * @throws {TypeError} the name is empty, contains `/` or white space, or is that of another check
   */
  add(name: string, check: HealthCheck): () => void {
    if (!/^[^\s/]+$/.test(name)) {
      throw new TypeError(
        `the name of a health check must not be empty or contain '/' or white space, got ${JSON.stringify(name)}`,
      );
    }
    if (this.#checks.has(name)) throw new TypeError(`a health check with the name ${name} exists already`);
    this.#checks.set(name, check);
    return () => {
      if (this.#checks.get(name) === check) this.#checks.delete(name);
    };
  }

  /**
   * Adds notices: problems that a verbose response contains, and that do not make it fail. `list` must not
   * throw.
   */
  addNotices(list: () => readonly string[]): void {
    this.#notices.push(list);
  }

  /** Responds to a request of `/<endpoint>` or `/<endpoint>/<name>`. */
  async respond(endpoint: string, { path, query }: EndpointRequest): Promise<EndpointResponse> {
    const name = path.slice(endpoint.length + 2);
    if (name !== '') return this.#respondToOne(name);
    const excluded = new Set(query.getAll('exclude'));
    const names = this.#checks.size === 0 ? ['ping'] : [...this.#checks.keys()];
    const results = await Promise.all(names.map((check) => this.#resultOf(check, excluded.has(check))));
    const isHealthy = results.every((result) => result.isHealthy);
    if (isHealthy && !query.has('verbose')) return textResponse(200, 'ok');
    const unknown = [...excluded].filter((check) => !names.includes(check));
    return textResponse(
      isHealthy ? 200 : 500,
      reportOf(endpoint, results, [
        ...this.#notices.flatMap((list) => list()),
        ...unknownExclusions(unknown),
      ]),
    );
  }

  async #respondToOne(name: string): Promise<EndpointResponse> {
    if (name !== 'ping' && !this.#checks.has(name)) return textResponse(404, 'not found\n');
    const isHealthy = await this.#isHealthy(name);
    return isHealthy ? textResponse(200, 'ok') : textResponse(500, `[-]${name} failed: reason withheld\n`);
  }

  async #resultOf(name: string, isExcluded: boolean): Promise<CheckResult> {
    return { name, isExcluded, isHealthy: isExcluded || (await this.#isHealthy(name)) };
  }

  #isHealthy(name: string): Promise<boolean> {
    const check = this.#checks.get(name);
    if (check === undefined) return Promise.resolve(true);
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const result = this.#run(name, check).finally(() => this.#running.delete(name));
    this.#running.set(name, result);
    return result;
  }

  async #run(name: string, check: HealthCheck): Promise<boolean> {
    let cancel = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = this.#clock.timer(this.#timeoutMs, () =>
        reject(new Error(`the check did not settle within ${this.#timeoutMs} ms`)),
      );
    });
    try {
      await Promise.race([new Promise((resolve) => resolve(check())), late]);
      return true;
    } catch (error) {
      this.#log.warn({ check: name, error }, `health check ${name} failed`);
      return false;
    } finally {
      cancel();
    }
  }
}

/** Names of callers are not repeated in the response. */
function unknownExclusions(unknown: readonly string[]): readonly string[] {
  return unknown.length > 0 ? ['warn: some health checks cannot be excluded: no matches'] : [];
}

function reportOf(endpoint: string, results: readonly CheckResult[], notices: readonly string[]): string {
  const lines = results.map(({ name, isHealthy, isExcluded }) => {
    if (isExcluded) return `[+]${name} excluded: ok`;
    return isHealthy ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
  });
  const passed = results.every(({ isHealthy }) => isHealthy);
  return `${[...lines, ...notices, `${endpoint} check ${passed ? 'passed' : 'failed'}`].join('\n')}\n`;
}

/** Checks of the health endpoints. */
export interface HealthEndpointOptions {
  /** Whether the process works; if not, the kubelet restarts it. */
  readonly healthz: HealthChecks;
  /** Whether the process is ready to serve. */
  readonly readyz: HealthChecks;
}

/** Returns the endpoint of `/healthz` and `/readyz`. */
export function healthEndpoint(checks: HealthEndpointOptions): Endpoint {
  return (request) => {
    const [, endpoint] = /^\/(healthz|readyz)(?:\/|$)/.exec(request.path) ?? [];
    if (endpoint !== 'healthz' && endpoint !== 'readyz') return textResponse(404, 'not found\n');
    return checks[endpoint].respond(endpoint, request);
  };
}
