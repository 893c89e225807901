/** Open watches of a server, and faults of them. */
import { at, equal, own, text } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { expired } from '../errors/failures.ts';
import { statusOf } from '../errors/status.ts';
import { type Encoding, jsonEncoding } from '../request/encoding.ts';
import type { WatchEvent, WatchPlan } from '../request/request.ts';
import { definitions } from '../resources/builtin.ts';
import type { Change } from '../store/store.ts';
import { Backlogs } from './backlogs.ts';
import { BookmarkTimer, type BookmarkTimes } from './bookmarks.ts';
import { Channel, concat, type Entry } from './channel.ts';
import { type LoggedRequest, matchesRequest, type RequestMatch } from './request-log.ts';

/** A watch without a timeout lives for one to two of these, in seconds. */
const shortestTimeoutSeconds = 1800;

/** A bookmark is sent this long before the timeout of a watch, in milliseconds. */
const bookmarkBeforeEndMs = 2_000;

/** The response to a watch. */
export interface WatchSink {
  /** Writes bytes, which are never changed. Has no effect after the end. */
  write(bytes: Uint8Array): void;
  end(): void;
  /** Closes the connection without an end. */
  destroy(): void;
  /** Number of bytes that the client has not read. */
  readonly backlog: number;
  /** Resolves when the client can receive more, or the connection is closed. */
  drained(): Promise<void>;
  /** Calls the listener once, when the response is complete or its connection is closed. */
  onClose(listener: () => void): void;
}

/** Watch events that are held back until `release` is called. */
export interface WatchHold {
  /** Number of events that are held back now. */
  readonly pending: number;
  /**
   * Sends the events up to a resourceVersion, and continues to hold back the later ones. Without a version it
   * sends all of them and ends the hold.
   */
  release(resourceVersion?: string): void;
}

interface Hold {
  readonly match: RequestMatch | undefined;
  /** Events up to this revision are sent. */
  released: number;
}

/** An open watch. */
export interface OpenWatch {
  readonly sink: WatchSink;
  readonly plan: WatchPlan;
  readonly request: LoggedRequest;
  readonly backlogs: Backlogs;
  hold: Hold | undefined;
  /** The events that its hold holds back. */
  readonly held: Entry[];
  bookmarks: BookmarkTimer | undefined;
}

/** The open watches. Those with equal selections share the events of a change, which are encoded once. */
export class Watches {
  readonly #open = new Map<OpenWatch, Channel>();
  /** By kind, and then by selection or, if a channel is not shared, by itself. */
  readonly #channels = new Map<string, Map<string | Channel, Channel>>();
  readonly #holds = new Set<Hold>();
  readonly #backlogs = new Backlogs();
  readonly #state: ServerState;
  readonly #bookmarks: BookmarkTimes;
  readonly #unsubscribe: () => void;

  constructor(state: ServerState, bookmarks: BookmarkTimes) {
    this.#state = state;
    this.#bookmarks = bookmarks;
    this.#unsubscribe = state.store.subscribe((change) => this.#publish(change));
  }

  #publish(change: Change): void {
    if (change.resource === definitions.storage) this.#endChanged(change);
    for (const channel of this.#channels.get(change.resource)?.values() ?? []) channel.publish(change);
    if (this.#bookmarks.afterChangeMs === undefined) return;
    for (const { bookmarks } of this.#open.keys()) bookmarks?.changed(change);
  }

  /** A new storage serves the objects of a changed definition: the watches of the former one end. */
  #endChanged({ type, key, object, previous }: Change): void {
    const isSame =
      type === 'MODIFIED' &&
      equal(own(object, 'spec'), own(previous, 'spec')) &&
      equal(at(object, 'status', 'acceptedNames'), at(previous, 'status', 'acceptedNames'));
    if (isSame) return;
    for (const watch of this.#matching(undefined)) if (watch.plan.resource === key) this.#end(watch);
  }

  /** Starts a watch, which lives until its timeout, or until client or server end it. */
  start(sink: WatchSink, plan: WatchPlan, request: LoggedRequest): void {
    const backlogs = this.#backlogs;
    const hold = this.#holdOf(request);
    const watch: OpenWatch = { sink, plan, request, backlogs, hold, held: [], bookmarks: undefined };
    const encoding = plan.encoding ?? jsonEncoding;
    const initial = initialEntries(plan, encoding);
    if (!plan.ended) {
      deliver(watch, initial);
      this.#follow(watch, encoding);
      return;
    }
    if (initial.length > 0) send(watch, concat(initial));
    sink.end();
  }

  #holdOf(request: LoggedRequest): Hold | undefined {
    return [...this.#holds].find(({ match }) => matchesRequest(request, match));
  }

  #follow(watch: OpenWatch, encoding: Encoding): void {
    const { plan, sink } = watch;
    // Changes between the plan and now, if the plan waited for a webhook.
    const missed = this.#state.store.since(plan.resource, plan.revision);
    if (missed === undefined) {
      sink.end();
      return;
    }
    const channel = this.#channelOf(plan, encoding, missed.length > 0);
    channel.join(watch);
    for (const change of missed) channel.publish(change);
    this.#open.set(watch, channel);
    const cancel = this.#schedule(watch);
    sink.onClose(() => {
      cancel();
      this.#leave(watch, channel);
    });
  }

  #channelOf(plan: WatchPlan, encoding: Encoding, isBehind: boolean): Channel {
    const channels: Map<string | Channel, Channel> = this.#channels.get(plan.resource) ?? new Map();
    this.#channels.set(plan.resource, channels);
    const key = `${plan.channel} ${encoding.watchContentType}`;
    const isShared = plan.channel !== '' && !isBehind;
    const found = isShared ? channels.get(key) : undefined;
    if (found?.isReady === true) return found;
    const channel = new Channel(plan, encoding, this.#state.environment, deliverAll);
    channels.set(isShared && found === undefined ? key : channel, channel);
    return channel;
  }

  #leave(watch: OpenWatch, channel: Channel): void {
    this.#open.delete(watch);
    channel.leave(watch);
    const channels = this.#channels.get(watch.plan.resource);
    if (channel.size > 0 || channels === undefined) return;
    for (const [key, value] of channels) if (value === channel) channels.delete(key);
  }

  /** Schedules the timeout of a watch, and its bookmarks: at intervals, and shortly before the timeout. */
  #schedule(watch: OpenWatch): () => void {
    const { environment } = this.#state;
    const seconds = watch.plan.timeoutSeconds ?? 0;
    const lifeMs = (seconds > 0 ? seconds : shortestTimeoutSeconds * (1 + environment.random())) * 1_000;
    const cancelEnd = environment.timer(lifeMs, () => this.#end(watch));
    if (watch.plan.bookmark === undefined) return cancelEnd;
    const last = environment.now() + lifeMs - bookmarkBeforeEndMs;
    const bookmarks = new BookmarkTimer(environment, this.#bookmarks, last, () => this.#bookmark(watch));
    watch.bookmarks = bookmarks;
    return () => {
      cancelEnd();
      bookmarks.cancel();
    };
  }

  #bookmark(watch: OpenWatch): void {
    const { revision } = this.#state.store;
    const event = watch.plan.bookmark?.(revision);
    if (event === undefined) return;
    this.#open.get(watch)?.flush();
    deliver(watch, [{ revision, bytes: encode(event, watch.plan.encoding ?? jsonEncoding) }]);
  }

  #end(watch: OpenWatch): void {
    this.#open.get(watch)?.flush();
    watch.sink.end();
  }

  /** Holds back the events of matching watches, of those that begin later too. */
  hold(match?: RequestMatch): WatchHold {
    const hold: Hold = { match, released: 0 };
    this.#flush();
    this.#holds.add(hold);
    for (const watch of this.#matching(match)) watch.hold ??= hold;
    const watches = (): OpenWatch[] => [...this.#open.keys()].filter((watch) => watch.hold === hold);
    const flush = (): void => this.#flush();
    return {
      get pending() {
        flush();
        return watches().reduce((sum, { held }) => sum + held.length, 0);
      },
      release: (version) => {
        this.#flush();
        if (version === undefined) this.#endHold(hold, watches());
        else {
          hold.released = Number(version);
          for (const watch of watches()) deliver(watch, watch.held.splice(0));
        }
      },
    };
  }

  #endHold(hold: Hold, watches: readonly OpenWatch[]): void {
    this.#holds.delete(hold);
    for (const watch of watches) {
      watch.hold = this.#holdOf(watch.request);
      deliver(watch, watch.held.splice(0));
    }
  }

  #flush(): void {
    for (const channel of new Set(this.#open.values())) channel.flush();
  }

  #matching(match: RequestMatch | undefined): readonly OpenWatch[] {
    return [...this.#open.keys()].filter(({ request }) => matchesRequest(request, match));
  }

  sendBookmarks(match?: RequestMatch): void {
    for (const watch of this.#matching(match)) this.#bookmark(watch);
  }

  /** Destroys the connections of watches and returns their number. */
  cut(match?: RequestMatch): number {
    const found = this.#matching(match);
    for (const { sink } of found) sink.destroy();
    return found.length;
  }

  /** Ends watches gracefully and returns their number. */
  end(match?: RequestMatch): number {
    const found = this.#matching(match);
    for (const watch of found) this.#end(watch);
    return found.length;
  }

  /** Ends watches with an ERROR event 410 and returns their number. */
  expire(match?: RequestMatch): number {
    const found = this.#matching(match);
    const { problem } = expired('The resourceVersion for the provided watch is too old.');
    for (const watch of found) {
      this.#open.get(watch)?.flush();
      const event: WatchEvent = { type: 'ERROR', object: statusOf(problem) };
      watch.sink.write(encode(event, watch.plan.encoding ?? jsonEncoding));
      watch.sink.end();
    }
    return found.length;
  }

  stop(): void {
    this.#unsubscribe();
    this.cut();
  }
}

/** The objects of the initial state belong to the revision of the plan, and changes to their own. */
function initialEntries({ initial, revision, startsWithState }: WatchPlan, encoding: Encoding): Entry[] {
  return initial.map((event) => {
    const own = startsWithState ? revision : Number(text(event.object, 'metadata', 'resourceVersion'));
    return { revision: own, bytes: encode(event, encoding) };
  });
}

function encode(event: WatchEvent, encoding: Encoding): Uint8Array {
  const found = encoding.event(event);
  return typeof found === 'string' ? Buffer.from(found) : found;
}

function deliverAll(watches: Iterable<OpenWatch>, entries: readonly Entry[]): void {
  const joined = concat(entries);
  for (const watch of watches) {
    if (watch.hold === undefined) send(watch, joined);
    else deliver(watch, entries);
  }
}

/** Sends events, or holds them back. */
function deliver(watch: OpenWatch, entries: readonly Entry[]): void {
  const { hold, held } = watch;
  const isSent = ({ revision }: Entry): boolean => hold === undefined || revision <= hold.released;
  const later = held.length > 0 ? 0 : entries.findIndex((entry) => !isSent(entry));
  const sent = later < 0 ? entries : entries.slice(0, later);
  if (later >= 0) for (const entry of entries.slice(later)) held.push(entry);
  if (sent.length > 0) send(watch, concat(sent));
}

/** Never waits for the client: unread data is buffered up to the limits. */
function send({ sink, backlogs }: OpenWatch, bytes: Uint8Array): void {
  sink.write(bytes);
  backlogs.check(sink);
}
