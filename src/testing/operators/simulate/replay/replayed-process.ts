/** The process of a replayed operator: its time, its requests, and its reconciles. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TimeoutError, TransportError } from '@kgen/runtime';
import type { APIRequest, APIResponse } from '@kgen/runtime/rest';
import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import { seededRandom } from '@kgen/testserver/internal/environment/environment';
import { VirtualTime } from '@kgen/testserver/internal/server/virtual-time';
import type { ServedReviews } from '../../../values/served-reviews.ts';
import { errorWithSite } from '../process/call-site.ts';
import { bound, type FetchInput, inProcess, type VirtualProcess } from '../process/globals.ts';
import { managerOf, type Operator, type SimulatedOptions } from '../process/operator.ts';
import { bodyOf } from '../process/sent-request.ts';
import { requestDifferences } from './compare.ts';
import type { FetchEntry, RequestEntry, ResponseEntry, ReviewEntry } from './entries.ts';
import type { Recording } from './recording.ts';
import { SentFetch } from './replayed-fetch.ts';
import { jsonResponse, ServedObjects } from './served-objects.ts';

/** Outcome of a reconcile, as a controller returns it. */
interface Outcome {
  readonly type: string;
  readonly afterMs?: number | undefined;
  readonly error?: string | undefined;
  /** The error itself. */
  readonly thrown?: unknown;
}

/** Runs one reconcile of a controller. */
type Reconcile = (start: JsonObject) => Promise<Outcome>;

/** Options of `Manager` that a replay sets, besides those of a simulation. */
interface ReplayedOptions extends SimulatedOptions {
  readonly replay: { started(controller: string, reconcile: Reconcile): void };
  readonly leaderElection: undefined;
  readonly sharding: undefined;
  readonly recorder: undefined;
}

/** Time before the recording in which the operator starts, in milliseconds. */
const startMs = 60_000;

/** A request of a reconcile: to the API server, or by `fetch`. */
export type SentCall = SentRequest | SentFetch;

/** A request to the API server that waits for its recorded response. */
export class SentRequest {
  readonly request: APIRequest;
  readonly response: Promise<APIResponse>;
  #resolve: (response: APIResponse) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(request: APIRequest) {
    this.request = request;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { signal } = request;
    signal?.addEventListener('abort', () => this.#reject(signal.reason), { once: true });
    if (signal?.aborted) this.#reject(signal.reason);
  }

  get name(): string {
    return `${this.request.method} ${this.request.path}`;
  }

  /** Shown if the request was not recorded. */
  get advice(): readonly string[] {
    return [];
  }

  /** Returns whether an entry is the record of this request. */
  matches(entry: RequestEntry | FetchEntry): boolean {
    const { method, path } = this.request;
    return entry.type === 'request' && entry.method === method && entry.path === path;
  }

  /** Returns the differences from the record of the request, one per line. */
  differences(entry: RequestEntry | FetchEntry): readonly string[] {
    const isSame = entry.type === 'request' && this.matches(entry);
    return isSame
      ? requestDifferences(entry, this.request, this.#body)
      : [`sent ${this.name} in place of it`];
  }

  /** The body as JSON, as in recordings: a string if it is something else. */
  get #body(): Json | undefined {
    const { body } = this.request;
    return body === undefined || typeof body === 'string' ? bodyOf(this.request) : '(binary)';
  }

  /** Settles the request as recorded. */
  respond({ result, body, error }: ResponseEntry): void {
    if (result !== 'error') this.#resolve(jsonResponse(this.request.method === 'POST' ? 201 : 200, body));
    else if (own(error, 'status') === undefined) this.#reject(this.#errorOf(error));
    else {
      const status = object(error, 'status');
      const code = own(status, 'code');
      this.#resolve(
        jsonResponse(typeof code === 'number' && code >= 400 ? code : 500, { kind: 'Status', ...status }),
      );
    }
  }

  #errorOf(error: JsonObject): Error {
    const { operation } = this.request;
    const [name, message] = [text(error, 'name'), text(error, 'message')];
    if (name === 'TransportError') return new TransportError(message, operation);
    if (name === 'TimeoutError') return new TimeoutError(message, operation);
    return Object.assign(new Error(message), { name });
  }
}

/** A reconcile of a replay. */
export class ReplayedRun {
  /** Controller, object and attempt. */
  readonly name: string;
  readonly #requests: SentCall[] = [];
  outcome: Outcome | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  /** A line about the error with which the reconcile has failed; none if it has not. */
  get error(): readonly string[] {
    const { error, thrown } = this.outcome ?? {};
    return error === undefined ? [] : [thrown === undefined ? error : errorWithSite(thrown)];
  }

  /** Adds a request to the API server. */
  send(request: APIRequest): Promise<APIResponse> {
    const sent = new SentRequest(request);
    this.#requests.push(sent);
    return sent.response;
  }

  /** Adds a request by `fetch`. */
  fetch(input: FetchInput, init: RequestInit | undefined): Promise<Response> {
    const sent = new SentFetch(input, init);
    this.#requests.push(sent);
    return sent.response;
  }

  has(matches: (sent: SentCall) => boolean): boolean {
    return this.#requests.some(matches);
  }

  /** Removes and returns the first request of this kind. */
  take(matches: (sent: SentCall) => boolean): SentCall | undefined {
    const index = this.#requests.findIndex(matches);
    return index < 0 ? undefined : this.#requests.splice(index, 1)[0];
  }
}

/** A review of a replay. */
export class ReplayedReview extends ReplayedRun {
  readonly #end = new AbortController();
  response: { readonly status: number; readonly body: string } | undefined;

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends a handler that waits. */
  abort(): void {
    this.#end.abort(new Error('the replay does not wait for this review'));
  }
}

/** A replayed operator. */
export class ReplayedProcess implements VirtualProcess {
  readonly objects: ServedObjects;
  readonly #operator: Operator;
  readonly #time: VirtualTime;
  readonly #reconciles = new Map<string, Reconcile>();
  readonly #stop = new AbortController();
  readonly #runs = new AsyncLocalStorage<ReplayedRun>();
  readonly #undo: (() => void)[] = [];
  readonly random: () => number = seededRandom(1);
  #served: ServedReviews | undefined;
  #exit: readonly string[] | undefined;

  constructor({ from, informers, objects }: Recording, operator: Operator) {
    this.#operator = operator;
    this.#time = new VirtualTime(from - startMs);
    this.objects = new ServedObjects(informers);
    for (const { informer, object: value } of objects) this.objects.change(informer, false, value);
  }

  /** Lines about the end of the operator, if it has ended. */
  get exit(): readonly string[] | undefined {
    return this.#exit;
  }

  now(): number {
    return this.#time.now();
  }

  timer(ms: number, callback: () => void): () => void {
    return this.#time.timer(ms, bound(callback));
  }

  atEnd(undo: () => void): void {
    this.#undo.push(undo);
  }

  used(): void {}

  /** Recordings contain the requests by `fetch` of reconciles, until their functions have returned. */
  async fetch(input: FetchInput, init?: RequestInit): Promise<Response> {
    const run = this.#runs.getStore();
    if (run !== undefined && !run.isOver) return run.fetch(input, init);
    throw new TypeError('fetch() outside of a reconcile: a recording has no response to it');
  }

  /** Starts the operator. */
  start(): void {
    inProcess(this, () => void this.#run());
  }

  /** Returns whether a controller can reconcile. */
  has(controller: string): boolean {
    return this.#reconciles.has(controller);
  }

  /** Begins a reconcile. */
  reconcile(controller: string, start: JsonObject): ReplayedRun {
    const key = [text(start, 'key', 'namespace'), text(start, 'key', 'name')].filter((part) => part !== '');
    const run = new ReplayedRun(`${controller} ${key.join('/')}, attempt ${String(start['attempt'])}`);
    const begin = this.#reconciles.get(controller);
    void this.#runs.run(run, () =>
      inProcess(this, () =>
        begin?.(start).then(
          (outcome) => {
            run.outcome = outcome;
          },
          (error: unknown) => {
            run.outcome = { type: 'defect', error: String(error), thrown: error };
          },
        ),
      ),
    );
    return run;
  }

  /** Paths of the webhooks; none before they are served. */
  get paths(): readonly string[] {
    return this.#served?.paths ?? [];
  }

  /** Begins a review. */
  review({ path, review }: ReviewEntry): ReplayedReview {
    const run = new ReplayedReview(nameOfReview(path, review));
    const body = Buffer.from(writeJson(review));
    void this.#runs.run(run, () =>
      inProcess(this, () =>
        this.#served?.respond(path, body, { signal: run.signal }).then((response) => {
          run.response = response;
        }),
      ),
    );
    return run;
  }

  /** Advances to a time, at most until a condition is met, and lets everything settle. */
  async advance(at: number, isMet: () => boolean = () => false): Promise<void> {
    await this.#time.advance(0);
    while (!isMet() && this.#time.now() < at) {
      const next = this.#time.next() ?? Number.POSITIVE_INFINITY;
      await this.#time.advance(Math.max(0, Math.min(next, at - this.#time.now())));
    }
  }

  /** Ends the operator. */
  async stop(): Promise<void> {
    inProcess(this, () => this.#stop.abort(new Error('the replay has ended')));
    await this.#time.advance(0);
    for (const undo of this.#undo) undo();
  }

  async #run(): Promise<void> {
    try {
      // seam: the replay leaves no server to connect to; requests go to the transport.
      const manager = await this.#operator(
        { server: 'http://replay.invalid', namespace: 'default' },
        this.#options(),
      );
      await managerOf(manager).run({ signal: this.#stop.signal });
      this.#exit = ['the operator has ended'];
    } catch (error) {
      this.#exit = [`the operator has ended with an error: ${errorWithSite(error)}`];
    }
  }

  #options(): ReplayedOptions {
    const ignore = (): void => undefined;
    const clock = { now: () => this.now(), timer: (ms: number, call: () => void) => this.timer(ms, call) };
    return {
      environment: { clock, random: this.random },
      client: { transport: (request) => this.#send(request), encoding: 'json' },
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      handleSignals: false,
      checkPermissions: false,
      metrics: undefined,
      health: undefined,
      serveWebhooks: (served) => {
        this.#served = served;
        return () => undefined;
      },
      replay: {
        started: (controller, reconcile) =>
          void this.#reconciles.set(controller, (start) => reconcile(startOf(start))),
      },
      leaderElection: undefined,
      sharding: undefined,
      recorder: undefined,
    };
  }

  /** Requests outside of reconciles are lists and watches of informers, or events, which are accepted. */
  async #send(request: APIRequest): Promise<APIResponse> {
    const run = this.#runs.getStore();
    if (run !== undefined && request.stream !== true) return run.send(request);
    const served = this.objects.respond(request);
    if (served !== undefined) return served;
    if (request.method !== 'GET') return jsonResponse(201, bodyOf(request) ?? {});
    const message = 'the recording contains no response to requests outside of reconciles';
    return jsonResponse(404, { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message });
  }
}

function nameOfReview(path: string, review: JsonObject): string {
  const key = [text(review, 'request', 'namespace'), text(review, 'request', 'name')];
  return ['review', text(review, 'request', 'operation'), path, key.filter((part) => part !== '').join('/')]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns the start of a recorded reconcile as controllers expect it. */
function startOf(start: JsonObject): JsonObject {
  const cluster = text(start, 'key', 'cluster');
  const [namespace, name] = [text(start, 'key', 'namespace'), text(start, 'key', 'name')];
  return {
    key: cluster === '' ? { namespace, name } : { cluster, namespace, name },
    reconcileID: text(start, 'reconcileID'),
    attempt: own(start, 'attempt') ?? 1,
    isLastAttempt: own(start, 'isLastAttempt') === true,
    cause: array(start, 'cause'),
  };
}
