/** A process that sends requests to API servers at a rate, and the figures of its responses. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ClusterConfig } from '@kgen/runtime';
import { expect, onTestFinished } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';

/** A request, which each of the servers receives in its turn. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** First message to `load-program.mjs`. */
interface Plan {
  readonly servers: readonly string[];
  readonly tls: Pick<NonNullable<ClusterConfig['tls']>, 'ca' | 'cert' | 'key'>;
  readonly requests: readonly LoadRequest[];
  /** Time between two requests. */
  readonly everyMs: number;
  /** Limit of the requests in flight; further ones are sent as soon as others finish. */
  readonly most: number;
}

/** Responses since the last report. */
interface Report {
  /** Number of each server. */
  readonly responses: readonly number[];
  /** Milliseconds, from the time at which each request was due. */
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
}

const program = join(import.meta.dirname, 'load-program.mjs');

/** Requests to API servers, until the end of the test. */
export class Load {
  readonly failures: string[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #responses: number[];
  #latencies: number[] = [];
  #begun = performance.now();

  /** Starts requests with the client certificate of the first configuration. */
  constructor(configs: readonly ClusterConfig[], requests: readonly LoadRequest[], perSecond: number) {
    this.#responses = configs.map(() => 0);
    // A process that receives no flags of the tests' process.
    this.#process = fork(program, { execArgv: [] });
    this.#exited = once(this.#process, 'exit');
    this.#process.on('message', (report: Report) => this.#add(report));
    const { ca, cert, key } = configs[0]?.tls ?? {};
    const servers = configs.map(({ server }) => server);
    const tls = { ca, cert, key };
    const plan: Plan = { servers, tls, requests, everyMs: 1_000 / perSecond, most: 100 };
    this.#process.send(plan);
    onTestFinished(() => this.stop());
  }

  /** Waits until each API server has responded to more requests. Prints the figures of this step. */
  async passes(step: string, count: number): Promise<void> {
    const goals = this.#responses.map((responses) => responses + count);
    const isPassed = () => this.#responses.every((responses, index) => responses >= (goals[index] ?? 0));
    await Promise.race([expect.poll(isPassed, deadline).toBe(true), this.#ended()]);
    const perSecond = (1_000 * this.#latencies.length) / (performance.now() - this.#begun);
    const sorted = this.#latencies.sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((part) => sorted[Math.floor(part * sorted.length)]?.toFixed(0));
    console.log(
      `${step}: ${sorted.length} requests, ${Math.round(perSecond)} per second, p50 ${p50} ms, p99 ${p99} ms`,
    );
    this.#latencies = [];
    this.#begun = performance.now();
  }

  /** Waits for the responses to all requests that were sent. */
  async stop(): Promise<void> {
    if (this.#process.connected) this.#process.send('stop');
    await this.#exited;
  }

  async #ended(): Promise<never> {
    await this.#exited;
    throw new Error(`the process of the load ended with ${this.#process.exitCode}`);
  }

  #add({ responses, latencies, failures }: Report): void {
    for (const [index, count] of responses.entries())
      this.#responses[index] = (this.#responses[index] ?? 0) + count;
    this.#latencies.push(...latencies);
    this.failures.push(...failures);
  }
}
