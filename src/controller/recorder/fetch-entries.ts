/** Requests of runs by `fetch` as they are recorded: without credentials, and with limited bodies. */

import type { FetchEvent, RunFetch } from '../client/run-scope.ts';
import { errorOf } from '../errors.ts';
import { callSite } from '../health/local-port.ts';
import { member } from '../members.ts';
import { credentialsOf, publicBody, publicHeaders, publicUrl } from '../secrecy/credentials.ts';
import type { RecordedEntry, RecordedFetchError } from './entries.ts';
import type { LineFormat, LineFormatOptions } from './line-format.ts';

/** Options of the entries. */
export interface FetchEntriesOptions extends LineFormatOptions {
  /** Whether bodies of requests are recorded. Default: false. */
  readonly includeRequestBodies?: boolean | undefined;
}

/** A request of a run, with its number in the file. */
export interface NumberedFetch {
  readonly run: number;
  readonly request: number;
  readonly call: RunFetch;
}

/** Adds the entries of requests by `fetch` to a recording. */
export class FetchEntries {
  readonly #options: FetchEntriesOptions;
  readonly #format: LineFormat;
  readonly #push: (entry: RecordedEntry) => void;

  constructor(options: FetchEntriesOptions, format: LineFormat, push: (entry: RecordedEntry) => void) {
    this.#options = options;
    this.#format = format;
    this.#push = push;
  }

  /** Adds a request. Returns the function that adds its events. */
  begun({ run, request, call }: NumberedFetch): ((event: FetchEvent) => void) | undefined {
    const { text: url, credentials } = publicUrl(call.url);
    this.#options.secrets.keep([...credentials, ...credentialsOf(call.headers)]);
    // `fetch` refuses it.
    if (call.url.username !== '' || call.url.password !== '') return undefined;
    const common = { run, request };
    const body = this.#options.includeRequestBodies === true ? call.body : undefined;
    this.#push({
      ...{ type: 'fetch', at: Date.now(), ...common, method: call.method, url },
      ...(body !== undefined && { body: this.#shown(body) }),
      site: callSite(),
    });
    const content = new Content(this.#options.maxBytes / 4);
    return (event) => {
      if (event.type === 'chunk') content.add(event.bytes);
      else this.#push({ ...this.#entryOf(event, content), at: Date.now(), ...common });
    };
  }

  #entryOf(event: Exclude<FetchEvent, { readonly type: 'chunk' }>, content: Content): Unplaced {
    if (event.type === 'error')
      return { type: 'fetched', result: 'error', error: this.#errorOf(event.error) };
    if (event.type === 'response') return { type: 'fetched', result: 'response', ...headOf(event.response) };
    const { error } = event;
    const shownError = error === undefined ? {} : { error: this.#errorOf(error) };
    const { bytes, omittedBytes } = content;
    if (bytes === undefined) return { type: 'fetched body', ...shownError, omittedBytes };
    const text = textOf(bytes);
    return text === undefined
      ? { type: 'fetched body', ...shownError, encoding: 'base64', body: bytes.toString('base64') }
      : { type: 'fetched body', ...shownError, encoding: 'utf8', body: this.#shown(text) };
  }

  /** Credentials that a body contains are hidden in all other entries, too. */
  #shown(body: string): string {
    const { includeSecrets, secrets } = this.#options;
    if (includeSecrets) return body;
    const { text, credentials } = publicBody(body);
    secrets.keep(credentials);
    return text;
  }

  #errorOf(thrown: unknown): RecordedFetchError {
    const { name, cause } = errorOf(thrown);
    const code = member(cause, 'code');
    return {
      name,
      message: this.#format.messageOf(thrown),
      ...(cause instanceof Error && {
        cause: {
          message: this.#format.messageOf(cause),
          ...(typeof code === 'string' && { code }),
        },
      }),
    };
  }
}

type Unplaced = DistributiveOmit<
  Extract<RecordedEntry, { readonly type: 'fetched' | 'fetched body' }>,
  'at' | 'run' | 'request'
>;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Bytes of a body up to a limit. */
class Content {
  readonly #most: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    // The stream of the program takes the memory of the chunk.
    if (this.#size <= this.#most) this.#chunks.push(chunk.slice());
    else this.#chunks.length = 0;
  }

  /** `undefined` if the limit was exceeded. */
  get bytes(): Buffer | undefined {
    return this.#size <= this.#most ? Buffer.concat(this.#chunks) : undefined;
  }

  get omittedBytes(): number {
    return this.#size;
  }
}

function headOf(response: Response): Pick<Unplaced & { readonly type: 'fetched' }, HeadMember> {
  const { status, statusText, headers, url, redirected, body } = response;
  return {
    status,
    statusText,
    headers: publicHeaders(headers),
    ...(redirected && URL.canParse(url) && { url: publicUrl(new URL(url)).text }),
    hasBody: body !== null,
  };
}

type HeadMember = 'status' | 'statusText' | 'headers' | 'url' | 'hasBody';

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
