import type { Chance } from '../chance.ts';
import type { SimulatedClock } from '../simulated-clock.ts';
import { Body, type Connection, type HttpResponse } from './body.ts';
import { Database } from './database.ts';
import { Journal, type Loss } from './journal.ts';
import { listPage, type Traits } from './lists.ts';
import { NetworkFaults, type RequestFault } from './network-faults.ts';
import {
  expired,
  type Failure,
  failureHeaders,
  failureText,
  statusOf,
  textResponse,
  tooLarge,
} from './responses.ts';
import { frameType, Stream } from './stream.ts';
import { type HttpRequest, type ListRequest, readRequest, sees } from './view.ts';

const minuteMs = 60_000;
/** Time that a server waits for its cache to reach a version, in milliseconds. */
const cacheWaitMs = 3000;

/** The server's address refuses connections. */
export class ConnectionRefused extends Error {}

/**
 * An API server for one resource: its responses depend only on requests, the database, time and random
 * choices. It behaves as kube-apiserver does, including caches and compaction.
 */
export class ApiServer {
  readonly #clock: SimulatedClock;
  readonly #chance: Chance;
  readonly traits: Traits;
  readonly database = new Database();
  readonly faults = new NetworkFaults();
  readonly journal: Journal;
  readonly #streams = new Set<Stream>();
  /** Version of its cache; behind the database while `lagging`. */
  #cached = 100;
  #lagging = false;
  /** Oldest version in the history of the cache. */
  #oldest = 100;
  /** Sources whose last response, except failures, was that the resource does not exist. */
  readonly #denied = new Set<string>();
  /** Whether the resource is not installed. */
  absent = false;
  activity = 0;

  constructor(clock: SimulatedClock, chance: Chance, traits: Traits) {
    this.#clock = clock;
    this.#chance = chance;
    this.traits = traits;
    this.journal = new Journal(() => clock.now());
    this.#bookmarkEachMinute();
  }

  /** Streams with a reader. */
  get streams(): readonly Stream[] {
    for (const stream of this.#streams) if (stream.over) this.#streams.delete(stream);
    return [...this.#streams];
  }

  /** Sends changes of the database to watches. */
  publish(): void {
    if (!this.#lagging) this.#cached = this.database.version;
    for (const stream of this.streams) stream.follow(this.database.since(stream.sent), this.#cached);
  }

  /** Stops the cache, or lets it catch up. */
  lag(lagging: boolean): void {
    this.#lagging = lagging && this.traits.cache;
    this.publish();
  }

  /** Compacts the history. */
  compact(): void {
    this.database.compact();
    this.#oldest = this.#cached;
  }

  /** Restarts: all connections are closed, and the cache has no history. */
  restart(): void {
    for (const stream of this.streams) stream.cut('restart');
    this.#lagging = false;
    this.publish();
    this.#oldest = this.#cached;
  }

  /** Replaces the server by one that is some versions behind and does not advance before `lag(false)`. */
  fallBehind(versions: number): void {
    for (const stream of this.streams) stream.cut('server behind');
    if (!this.traits.cache) return;
    this.#cached = Math.max(this.database.compacted, this.#cached - versions);
    this.#oldest = Math.min(this.#oldest, this.#cached);
    this.#lagging = true;
  }

  /** Removes the resource and its objects. Watches receive the deletions, or are only closed. */
  uninstall(reported: boolean): void {
    if (!reported) for (const stream of this.streams) stream.cut('uninstalled');
    for (const key of this.database.keys) {
      this.database.heal(key);
      this.database.delete(key, this.#chance);
    }
    this.#lagging = false;
    this.publish();
    for (const stream of this.streams) stream.close('uninstalled');
    this.absent = true;
  }

  install(): void {
    this.absent = false;
    this.database.advance(1);
    this.publish();
    this.#oldest = this.#cached;
  }

  /** Responds to a request. Throws `ConnectionRefused`. */
  async handle(request: HttpRequest): Promise<HttpResponse> {
    this.activity += 1;
    const requested = readRequest(request);
    const { source, verb, version, token } = requested;
    this.journal.note(source, { type: 'request', verb, version, page: token !== undefined });
    const fault = this.faults.faultOf(requested, this.#clock.now());
    if (fault?.type === 'refused') {
      this.#note(requested, 'refused');
      throw new ConnectionRefused('connect ECONNREFUSED');
    }
    if (fault?.type === 'hung') {
      this.#note(requested, 'hung');
      return new Promise((_, reject) => onAbort(request.signal, reject));
    }
    await this.#latency(request.signal);
    const connection = this.#connection(request.signal);
    if (fault?.type === 'failure' && !this.#isDeniedTwice(source, fault.failure))
      return this.#fail(requested, fault.failure, connection);
    if (this.absent) return this.#fail(requested, { status: 404, plain: this.#chance.odds(0.5) }, connection);
    return verb === 'list'
      ? this.#list(requested, fault, connection)
      : this.#watch(requested, fault, connection);
  }

  /** A resource that is denied twice in a row is gone: this is not a fault. */
  #isDeniedTwice(source: string, { status }: Failure): boolean {
    return status === 404 && this.#denied.has(source);
  }

  async #latency(signal: AbortSignal | undefined): Promise<void> {
    if (this.traits.prompt === true || this.#chance.odds(0.7)) return;
    await this.#sleep(this.#chance.pick([5, 50, 400, 2500]), signal);
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.timer(ms, resolve);
      onAbort(signal, (reason) => {
        cancel();
        reject(reason);
      });
    });
  }

  #list(requested: ListRequest, fault: RequestFault | undefined, connection: Connection): HttpResponse {
    if (fault?.type === 'compacted') {
      this.database.advance(1);
      this.publish();
      this.compact();
    }
    const page = listPage(this.database, this.traits, requested, this.#cached);
    if ('failure' in page) return this.#fail(requested, page.failure, connection);
    this.#note(requested, 200);
    if (fault?.type === 'malformed') return textResponse(connection, '<html>Bad Gateway</html>');
    if (fault?.type === 'cut') return this.#cutResponse(page.text, connection);
    const taken = (): void => {
      if (page.isLast) this.journal.note(requested.source, { type: 'state', version: page.version });
    };
    return textResponse(connection, page.text, { taken });
  }

  #cutResponse(text: string, connection: Connection): HttpResponse {
    const bytes = Buffer.from(text);
    const body = new Body(connection);
    body.write(bytes.subarray(0, this.#chance.below(bytes.length)));
    body.fail(new Error('socket hang up'));
    return body.response(200);
  }

  async #watch(
    requested: ListRequest,
    fault: RequestFault | undefined,
    connection: Connection,
  ): Promise<HttpResponse> {
    const { state, cache } = this.traits;
    if (fault?.type === 'compacted') this.compact();
    if (requested.verb === 'stream') {
      if (state === 'streamed' && cache) return this.#streamState(requested, connection);
      if (typeof state === 'number') {
        return this.#fail(
          requested,
          { status: state, message: 'sendInitialEvents is forbidden' },
          connection,
        );
      }
    }
    const { version } = requested;
    const oldest = cache ? this.#oldest : this.database.compacted;
    if (version !== undefined && version !== '0' && Number(version) < oldest)
      return this.#tooOld(requested, connection);
    const since = version === undefined || version === '0' ? this.#cached : Number(version);
    const stream = this.#open(requested, since, connection);
    stream.bursting = false;
    if (version === undefined || version === '0') {
      for (const object of this.database.at(since)) {
        if (sees(requested.view, object)) stream.event('ADDED', object, 0, this.database.isBroken(object));
      }
    }
    return this.#begin(stream);
  }

  /** Servers use either form. */
  #tooOld(requested: ListRequest, connection: Connection): HttpResponse {
    if (this.#chance.odds(0.5)) return this.#fail(requested, expired, connection);
    this.#note(requested, 200);
    const line = `${JSON.stringify({ type: 'ERROR', object: statusOf(expired) })}\n`;
    const taken = (): void => this.journal.note(requested.source, { type: 'lost', loss: 'expired' });
    return textResponse(connection, line, { taken });
  }

  async #streamState(requested: ListRequest, connection: Connection): Promise<HttpResponse> {
    const least = Number(requested.version ?? this.database.version);
    if (least > this.#cached) {
      await this.#sleep(cacheWaitMs, connection.signal);
      if (least > this.#cached) {
        return this.#fail(requested, tooLarge(least, this.#cached, least % 2 === 0), connection);
      }
    }
    const version = this.#cached;
    const objects = this.database.at(version).filter((object) => sees(requested.view, object));
    const stream = this.#open(requested, version, connection);
    const half = this.#chance.odds(0.5) ? objects.length : this.#chance.below(objects.length + 1);
    const send = (part: typeof objects): void => {
      for (const object of part) stream.event('ADDED', object, 0, this.database.isBroken(object));
    };
    send(objects.slice(0, half));
    const finish = (): void => {
      send(objects.slice(half));
      stream.endBurst(version);
      this.publish();
    };
    if (half === objects.length) finish();
    else this.#clock.timer(this.#chance.pick([100, 2000]), finish);
    return this.#begin(stream);
  }

  #open(requested: ListRequest, since: number, connection: Connection): Stream {
    return new Stream(requested, since, connection, this.journal, this.traits.frames);
  }

  #begin(stream: Stream): HttpResponse {
    this.#streams.add(stream);
    this.#note(stream.requested, 200);
    this.#clock.timer(stream.requested.timeoutSeconds * 1000, () => {
      if (!stream.over) stream.close('time is up');
    });
    if (this.faults.cutsUntil > this.#clock.now()) this.#cutSoon(stream);
    this.publish();
    return stream.body.response(200, this.traits.frames === true ? { 'content-type': frameType } : {});
  }

  #cutSoon(stream: Stream): void {
    const inOrder = this.#chance.odds(0.5);
    this.#clock.timer(2000, () => {
      if (stream.over || stream.hanging) return;
      this.faults.onMet('proxy ends each watch');
      stream.cut('proxy', { inOrder });
    });
  }

  #bookmarkEachMinute(): void {
    this.#clock.timer(minuteMs, () => {
      this.#bookmarkEachMinute();
      if (!this.traits.cache) return;
      for (const stream of this.streams) {
        const { requested, bursting, sent } = stream;
        if (requested.bookmarks && !bursting && sent <= this.#cached) stream.bookmark(this.#cached);
      }
    });
  }

  #fail(requested: ListRequest, failure: Failure, connection: Connection): HttpResponse {
    const { status, retryAfterSeconds } = failure;
    this.#note(requested, status, retryAfterSeconds);
    const version = this.absent ? this.database.version : undefined;
    const loss = lossOf(failure);
    const taken = (): void => {
      if (loss !== undefined) this.journal.note(requested.source, { type: 'lost', loss });
      if (loss === 'absent' && version !== undefined)
        this.journal.note(requested.source, { type: 'gone', version });
    };
    return textResponse(connection, failureText(failure), {
      status,
      headers: failureHeaders(failure),
      taken,
    });
  }

  #note({ source }: ListRequest, status: number | 'refused' | 'hung', retryAfterSeconds?: number): void {
    if (status === 404) this.#denied.add(source);
    else if (status === 200) this.#denied.delete(source);
    this.journal.note(source, { type: 'answer', status, retryAfterSeconds });
  }

  #connection(signal: AbortSignal | undefined): Connection {
    return {
      chance: this.#chance,
      signal,
      onActivity: () => {
        this.activity += 1;
      },
    };
  }
}

function lossOf({ status, message }: Failure): Loss | undefined {
  if (status === 410) return 'expired';
  if (status === 404) return 'absent';
  return message?.startsWith('Too large') === true ? 'ahead' : undefined;
}

function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => act(signal.reason), { once: true });
}
