/** Requests by `fetch` of a replayed reconcile, and their recorded responses. */
import { type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { FetchInput } from '../process/globals.ts';
import { bodyDifferences, isUrl } from './compare.ts';
import type { FetchEntry, FetchedBodyEntry, FetchedEntry, RequestEntry } from './entries.ts';

/** A request by `fetch` that waits for its recorded response. */
export class SentFetch {
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #text: string | undefined;
  #resolve: (response: Response) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** @throws {TypeError} as `fetch` does for an address or options that are invalid */
  constructor(input: FetchInput, init: RequestInit = {}) {
    this.#request = new Request(input, init);
    const { body } = init;
    if (typeof body === 'string' || body instanceof URLSearchParams) this.#text = String(body);
    else if (this.#request.body !== null) this.#text = '(binary)';
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { signal } = this.#request;
    signal.addEventListener('abort', () => this.#fail(signal.reason), { once: true });
    if (signal.aborted) this.#fail(signal.reason);
  }

  /** Method and address, without the values of parameters: they may be credentials. */
  get name(): string {
    return `${this.#request.method} ${shownUrl(this.#request.url)} by fetch`;
  }

  /** Shown if the request was not recorded. */
  get advice(): readonly string[] {
    return [
      'a fetch that the recorded program had stored before its Manager was created is not recorded:',
      'call the global fetch, or create the client after the Manager, and record again',
    ];
  }

  /** Returns whether an entry is the record of this request. */
  matches(entry: RequestEntry | FetchEntry): boolean {
    return (
      entry.type === 'fetch' && entry.method === this.#request.method && isUrl(entry.url, this.#request.url)
    );
  }

  /** Returns the differences from the record of the request, one per line. */
  differences(entry: RequestEntry | FetchEntry): readonly string[] {
    if (!this.matches(entry))
      return [`sent ${this.name} in place of it`, ...(entry.type === 'fetch' ? [] : this.advice)];
    const { body, omittedBytes } = entry;
    // Bodies are recorded on request only.
    if (body === undefined || omittedBytes !== undefined) return [];
    return bodyDifferences(body, this.#text);
  }

  /**
   * Settles the request as recorded.
   * @param isRead whether the recording has the body
   */
  respond({ head, error }: FetchedEntry, isRead: boolean): void {
    if (head === undefined) {
      this.#reject(errorOf(error));
      return;
    }
    const { status, statusText, headers, url = this.#request.url } = head;
    const hasBody = head.hasBody && !withoutBody.has(status);
    const body = hasBody ? this.#stream(isRead) : null;
    const response = new Response(body, { status, statusText, headers });
    const redirected = head.url !== undefined;
    this.#resolve(
      Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } }),
    );
  }

  /** Ends the body as recorded. */
  end({ content, error }: FetchedBodyEntry): void {
    const body = this.#body;
    this.#body = undefined;
    if (body === undefined) return;
    if (content.byteLength > 0) body.enqueue(content);
    if (error === undefined) body.close();
    else body.error(errorOf(error));
  }

  #stream(isRead: boolean): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: (controller) => {
          if (isRead) return;
          this.#body = undefined;
          controller.error(
            new TypeError(`${this.name}: the recorded program did not read this body: record again`),
          );
        },
        cancel: () => {
          this.#body = undefined;
        },
      },
      { highWaterMark: 0 },
    );
  }

  #fail(reason: unknown): void {
    this.#reject(reason);
    this.#body?.error(reason);
    this.#body = undefined;
  }
}

/** Statuses whose responses have no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Returns an address without values of parameters and user. */
export function shownUrl(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname, search } = new URL(address);
  const names = search
    .slice(1)
    .split('&')
    .map((pair) => pair.split('=')[0] ?? '');
  return `${protocol}//${host}${pathname}${search === '' ? '' : `?${names.join('&')}`}`;
}

/** Returns an error of `fetch` as it was recorded. */
function errorOf(recorded: JsonObject): Error {
  const [name, message] = [text(recorded, 'name'), text(recorded, 'message')];
  if (name === 'AbortError' || name === 'TimeoutError') return new DOMException(message, name);
  const inner = object(recorded, 'cause');
  const cause = Object.assign(new Error(text(inner, 'message')), { code: text(inner, 'code') });
  const error = new TypeError(message, own(recorded, 'cause') === undefined ? {} : { cause });
  return name === 'TypeError' ? error : Object.assign(error, { name });
}
