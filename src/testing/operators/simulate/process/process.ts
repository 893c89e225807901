/** One process of a simulated operator: it can be started, crash at an exact request, and end. */
import type { ClusterConfig } from '@kgen/runtime';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import type { ServedReviews } from '../../../values/served-reviews.ts';
import { isOfKind, type SimulatedWrite } from '../coverage.ts';
import { callSite, directCaller, withSite } from './call-site.ts';
import { bound, type FetchInput, inProcess, type VirtualProcess } from './globals.ts';
import type { Holdings } from './holdings.ts';
import {
  managerOf,
  type Operator,
  reconcilesOf,
  type SimulatedManager,
  type SimulatedOptions,
} from './operator.ts';
import { asReconcile, type BegunRequest, beginRequest, currentCall, pollDelayOf } from './reconcile-call.ts';
import { type SentRequest, serviceWriteOf, type WriteGate, writeOf } from './sent-request.ts';
import type { ServedWebhooks } from './served-webhooks.ts';
import { adviceFor, untilAborted } from './services/fetch.ts';
import type { ServedServices } from './services/served-services.ts';

/** Where a process crashes: at which of its requests, and whether the server executes that request. */
export interface CrashPlan {
  /** 1 for the next request. */
  readonly request: number;
  readonly when: 'before' | 'after';
  /** The write whose requests are counted. Default: all requests. */
  readonly at?: SimulatedWrite;
}

/** Parts of a process. */
export interface ProcessParts {
  readonly name: string;
  readonly operator: Operator;
  readonly config: ClusterConfig;
  readonly transport: Transport;
  /** Whether the process works without the election of a leader. Default: `false`. */
  readonly withoutElection?: boolean;
  /** External services. Default: none. */
  readonly services?: ServedServices;
  readonly time: { now(): number; timer(ms: number, callback: () => void): () => void };
  readonly random: () => number;
  /** Factor of the latency of requests. Default: 1. */
  readonly slowness?: number;
  /** Delays writes of reconciles. Default: none is delayed. */
  readonly gate?: WriteGate;
  /** Called before each request that is sent, and for one that is not because the process crashes before. */
  readonly onRequest: (sent: SentRequest) => void;
  /** Called when the process has crashed, or has ended by itself with an error. */
  readonly onExit: (exit: ProcessExit) => void;
  readonly onUse: (what: string, site: string, advice: string) => void;
  /** Counts what the process holds. Default: not counted. */
  readonly holdings?: Holdings;
  /** Webhooks that the server calls. Default: those of this process are not called. */
  readonly webhooks?: ServedWebhooks;
  /** Called for a write that was in progress when its reconcile function had returned. Default: none. */
  readonly onFloating?: (write: SimulatedWrite) => void;
  /** Called with each message of level `error` in the log of the operator. */
  readonly onError?: (message: string) => void;
}

/** Uses that fail. */
export const networkUses: ReadonlySet<string> = new Set(['a socket', 'a server that listens', 'fetch()']);

/** Time until the server receives a request, in milliseconds. */
const leastLatencyMs = 1;
const latencyRangeMs = 10;

/** The end of a process. */
export type ProcessExit =
  | { readonly kind: 'crashed' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A request, and how it is sent. */
interface Exchange<T> extends Pick<SentRequest, 'request' | 'write'> {
  readonly send: () => Promise<T>;
  /** Ends a response that nothing reads. */
  readonly cancel: (response: T) => void;
}

interface Timer {
  readonly dueMs: number;
  readonly cancel: () => void;
}

/** A process. After its end none of its timers, requests and watches continues. */
export class SimulatedProcess implements VirtualProcess {
  readonly #parts: ProcessParts;
  readonly #stop = new AbortController();
  readonly #timers = new Set<Timer>();
  readonly #streams = new Set<APIResponse>();
  readonly #used = new Set<string>();
  readonly #undo: (() => void)[] = [];
  #isOver = false;
  #retriesEndMs = 0;
  #requeuesEndMs = 0;
  #plan: CrashPlan | undefined;
  #requests = 0;
  #manager: SimulatedManager | undefined;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    inProcess(this, () => void this.#run());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  now(): number {
    return this.#parts.time.now();
  }

  timer(ms: number, callback: () => void): () => void {
    if (this.#isOver) return () => undefined;
    const call = bound(callback);
    const { holdings } = this.#parts;
    const cancel = this.#parts.time.timer(ms, () => {
      this.#timers.delete(timer);
      if (this.#isOver) return;
      if (holdings === undefined) call();
      else holdings.fire(timer, call);
    });
    const timer: Timer = { dueMs: this.now() + ms, cancel };
    this.#timers.add(timer);
    holdings?.add('timers', timer);
    return () => {
      this.#timers.delete(timer);
      holdings?.remove(timer);
      cancel();
    };
  }

  /** Returns the times of the timers that have not run. */
  get dueTimes(): readonly number[] {
    return [...this.#timers].map(({ dueMs }) => dueMs);
  }

  /** Time of the latest retry of a reconcile that has failed so far. */
  get retriesEndMs(): number {
    return this.#isOver ? 0 : this.#retriesEndMs;
  }

  /** Time of the latest poll that a reconcile has asked for. */
  get requeuesEndMs(): number {
    return this.#isOver ? 0 : this.#requeuesEndMs;
  }

  /** Returns the number of reconciles of its controllers so far. */
  reconciles(): Promise<number> {
    return reconcilesOf(this.#manager);
  }

  random(): number {
    return this.#parts.random();
  }

  atEnd(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Reports each use once, and only those of the operator itself. */
  used(what: string, advice = ''): void {
    if (this.#used.has(what)) return;
    const isNetwork = networkUses.has(what);
    // Connections begin in a later turn, in code of Node.js or of a package.
    const site = isNetwork ? callSite() || 'a package' : directCaller();
    if (site === '') return;
    this.#used.add(what);
    this.#parts.onUse(what, site, advice);
  }

  /** The process ends at a request from now on; with `undefined` at none. */
  crashAt(plan: CrashPlan | undefined): void {
    this.#plan = plan;
    this.#requests = 0;
  }

  /** Ends the process at once, as SIGKILL does. */
  kill(): void {
    this.#exit({ kind: 'crashed' });
  }

  /** Stops the manager in order, as SIGTERM does. */
  stop(): void {
    inProcess(this, () => this.#stop.abort(new Error('SIGTERM')));
  }

  #exit(exit: ProcessExit): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { cancel } of this.#timers) cancel();
    this.#timers.clear();
    for (const stream of this.#streams) stream.cancel();
    this.#streams.clear();
    for (const undo of this.#undo) undo();
    this.#parts.onExit(exit);
  }

  async #run(): Promise<void> {
    try {
      const manager = await this.#parts.operator(this.#parts.config, this.#options());
      this.#manager = manager;
      await managerOf(manager).run({ signal: this.#stop.signal });
      this.#exit({ kind: 'ended' });
    } catch (error) {
      this.#exit({ kind: 'failed', error });
    }
  }

  #options(): SimulatedOptions {
    const ignore = (): void => undefined;
    const error = (fields: unknown, message?: unknown): void => this.#failed(fields, message);
    const clock = { now: () => this.now(), timer: (ms: number, call: () => void) => this.timer(ms, call) };
    return {
      environment: { clock, random: () => this.random() },
      client: { transport: (request) => this.#counted(request), encoding: 'json' },
      log: { debug: ignore, info: ignore, warn: ignore, error },
      aroundReconcile: (reconcile, controller) => this.#reconcile(reconcile, controller),
      handleSignals: false,
      checkPermissions: false,
      metrics: undefined,
      health: undefined,
      serveWebhooks: (reviews) => this.#serve(reviews),
      ...(this.#parts.withoutElection === true ? { leaderElection: undefined } : {}),
    };
  }

  /** Webhooks of a process end with it. */
  #serve(reviews: ServedReviews): () => void {
    const respond: ServedReviews['respond'] = (path, body, options) =>
      inProcess(this, () => reviews.respond(path, body, options));
    const release = this.#parts.webhooks?.serve({ paths: reviews.paths, respond }) ?? (() => undefined);
    this.#undo.push(release);
    return release;
  }

  /** A stream is held until it ends, other requests until they settle. */
  async #counted(request: APIRequest): Promise<APIResponse> {
    const { holdings } = this.#parts;
    const isStream = request.stream === true;
    holdings?.add(isStream ? 'streams' : 'requests without a response', request);
    try {
      const response = await this.#send(request);
      if (!isStream) holdings?.remove(request);
      return response;
    } catch (error) {
      holdings?.remove(request);
      throw error;
    }
  }

  async #reconcile(reconcile: () => unknown, controller: string): Promise<unknown> {
    const result = await asReconcile(reconcile, { controller, startMs: this.now() });
    this.#requeuesEndMs = Math.max(this.#requeuesEndMs, this.now() + pollDelayOf(result));
    return result;
  }

  /** Operators may call their log with a message only. */
  #failed(fields: unknown, message: unknown): void {
    const isObject = typeof fields === 'object' && fields !== null;
    const retryInMs: unknown = isObject ? Reflect.get(fields, 'retryInMs') : undefined;
    if (typeof retryInMs === 'number')
      this.#retriesEndMs = Math.max(this.#retriesEndMs, this.now() + retryInMs);
    const error: unknown = isObject ? Reflect.get(fields, 'err') : undefined;
    this.#parts.onError?.(withSite(String(isObject ? message : fields), error));
  }

  async #send(request: APIRequest): Promise<APIResponse> {
    const send = (): Promise<APIResponse> => this.#parts.transport(request);
    const response = await this.#exchange({ request, write: writeOf(request), send, cancel: cancelled });
    return request.stream === true ? this.#stream(request, response) : response;
  }

  /**
   * Sends a request to an external service.
   * @throws {TypeError} as `fetch` does if the connection is lost, and for an address without a service
   * @throws the reason of the signal of the request, once it aborts
   */
  async fetch(input: FetchInput, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { services } = this.#parts;
    const found = services?.find(new URL(request.url));
    if (services === undefined || found === undefined) {
      const advice = adviceFor(request);
      this.used('fetch()', advice);
      throw new TypeError(`a simulated operator has no network: ${advice}`);
    }
    const write = serviceWriteOf(found.service, request);
    const body = await request.text();
    return this.#exchange({
      ...{ request: undefined, write, cancel: () => undefined },
      send: () => untilAborted(request.signal, () => services.respond({ ...found, request, body })),
    });
  }

  /** Nothing of a process that is over settles. */
  async #exchange<T extends { readonly status: number }>({
    request,
    write,
    send,
    cancel,
  }: Exchange<T>): Promise<T> {
    if (this.#isOver) return never();
    const call = currentCall();
    const crash = this.#crashOf(write);
    if (crash === 'before') {
      this.#parts.onRequest({ request, write, call, crash });
      this.kill();
      return never();
    }
    const latencyMs = leastLatencyMs + Math.floor(this.random() * latencyRangeMs);
    await this.#pause(latencyMs * (this.#parts.slowness ?? 1));
    const { gate } = this.#parts;
    const sent = write && call && { write, controller: call.controller, path: request?.path ?? '' };
    const held = sent && gate?.holds(sent);
    if (held !== undefined) await held;
    if (this.#isOver) return never();
    this.#parts.onRequest({ request, write, call, crash });
    const begun = beginRequest();
    const response = await this.#settled(send(), begun);
    if (sent !== undefined && response.status < 400) gate?.wrote(sent);
    if (begun.ended(response.status >= 400) && write !== undefined) this.#parts.onFloating?.(write);
    if (crash !== undefined) this.kill();
    if (!this.#isOver) return response;
    cancel(response);
    return never();
  }

  /** Counts a request, and returns whether the process crashes at it. */
  #crashOf(write: SimulatedWrite | undefined): CrashPlan['when'] | undefined {
    const { request, when, at } = this.#plan ?? {};
    const isCounted = at === undefined || (write !== undefined && isOfKind(write, at));
    if (isCounted) this.#requests += 1;
    return isCounted && request === this.#requests ? when : undefined;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.timer(ms, resolve);
    });
  }

  async #settled<T>(sent: Promise<T>, begun: BegunRequest): Promise<T> {
    try {
      return await sent;
    } catch (error) {
      begun.ended(true);
      if (this.#isOver) return never();
      throw error;
    }
  }

  #stream(request: APIRequest, response: APIResponse): APIResponse {
    this.#streams.add(response);
    const ended = (): void => {
      this.#streams.delete(response);
      this.#parts.holdings?.remove(request);
    };
    const cancel = (): void => {
      ended();
      response.cancel();
    };
    return { ...response, body: this.#chunks(response, ended), cancel };
  }

  async *#chunks(response: APIResponse, ended: () => void): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body) {
        if (this.#isOver) await never();
        yield chunk;
      }
      if (this.#isOver) await never();
    } finally {
      ended();
    }
  }
}

function cancelled(response: APIResponse): void {
  response.cancel();
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
