import type { ServerResponse } from 'node:http';
import type { WatchEvent, WatchPlan } from '../api/request.ts';
import type { Store } from '../store/store.ts';
import { writeJson } from '../values/wire.ts';
import { warningHeaders } from './respond.ts';

/**
 * Maximum number of bytes that are buffered for a client that does not read, before its connection is
 * destroyed.
 */
const backlogLimit = 64 * 1024 * 1024;

/** Default timeout of a watch, in seconds. */
const defaultTimeoutSeconds = 1800;

interface OpenWatch {
  readonly response: ServerResponse;
  readonly bookmark: () => void;
  readonly end: () => void;
}

/** The open watches: each receives every change of the store as newline-delimited JSON. */
export class Watches {
  readonly #open = new Set<OpenWatch>();
  readonly #store: Store;
  readonly #bookmarkTimer: NodeJS.Timeout;

  /** @param bookmarkSeconds time between two rounds of bookmarks */
  constructor(store: Store, bookmarkSeconds: number) {
    this.#store = store;
    this.#bookmarkTimer = setInterval(() => this.sendBookmarks(), timerMs(bookmarkSeconds)).unref();
  }

  /** Starts a watch, which lives until its timeout, or until client or server end it. */
  start(response: ServerResponse, plan: WatchPlan, warnings: readonly string[]): void {
    for (const [name, value] of Object.entries(warningHeaders(warnings))) response.setHeader(name, value);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
    response.flushHeaders();
    for (const event of plan.initial) write(response, event);
    if (plan.ended) response.end();
    else this.#follow(response, plan);
  }

  #follow(response: ServerResponse, plan: WatchPlan): void {
    const unsubscribe = this.#store.subscribe((change) => {
      const event = plan.step(change);
      if (event !== undefined) write(response, event);
    });
    const bookmark = (): void => {
      if (plan.bookmark !== undefined) write(response, plan.bookmark(this.#store.revision));
    };
    const end = (): void => {
      response.end();
    };
    const open = { response, bookmark, end };
    const seconds = plan.timeoutSeconds ?? defaultTimeoutSeconds;
    const timer = setTimeout(end, timerMs(seconds)).unref();
    this.#open.add(open);
    response.once('close', () => {
      clearTimeout(timer);
      unsubscribe();
      this.#open.delete(open);
    });
  }

  sendBookmarks(): void {
    for (const watch of this.#open) watch.bookmark();
  }

  /** Destroys the sockets of all watches and returns their number. */
  cut(): number {
    const open = [...this.#open];
    for (const { response } of open) response.destroy();
    return open.length;
  }

  /** Ends all watches gracefully and returns their number. */
  end(): number {
    const open = [...this.#open];
    for (const watch of open) watch.end();
    return open.length;
  }

  stop(): void {
    clearInterval(this.#bookmarkTimer);
    this.cut();
  }
}

/** Milliseconds for a timer: with more than 31 bits, Node would fire it at once. */
function timerMs(seconds: number): number {
  return Math.min(seconds * 1000, 2 ** 31 - 1);
}

/** Never waits for the client: unread data is buffered up to the limit. */
function write(response: ServerResponse, event: WatchEvent): void {
  if (response.writableEnded || response.destroyed) return;
  response.write(`${writeJson(event)}\n`);
  if (response.writableLength > backlogLimit) response.destroy();
}
