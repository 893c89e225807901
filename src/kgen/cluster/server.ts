/** Requests to a cluster, with the cache in between. */
import type { RESTClient } from '@kgen/runtime';
import type { APIRequest } from '@kgen/runtime/rest';
import type { Cache } from '../common/cache/cache.ts';
import { sha256 } from '../common/cache/cache-entry.ts';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { explained, notJson, type Runtime, Unavailable } from './refusal.ts';

/** Maximum size of a response: 128 MiB, forty times the document of all of Kubernetes. */
const maxBytes = 128 * 1024 * 1024;
/** Maximum number of retries, so that a group that is unavailable does not delay the others. */
const maxRetries = 3;

/** Path and media type of a request. */
export interface Question {
  /** Below the server's base URL, without a query. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Default: `application/json`. */
  readonly accept?: string;
}

/** JSON that was read from the server or the cache. */
export interface ClusterResponse {
  readonly value: JsonValue;
  /** Its bytes. */
  readonly body: Uint8Array;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/** A response before it is parsed. */
interface Raw {
  readonly body: Uint8Array;
  readonly type: string;
  readonly etag: string | undefined;
}

/**
 * Reads a server: every request is a GET. Methods reject with `Unavailable` if the request has no usable
 * response, and with `Refusal` if there are no credentials.
 */
export class Server {
  readonly #runtime: Runtime;
  readonly #client: RESTClient;
  readonly #cache: Cache;
  readonly #timeoutMs: number;

  /** `timeoutMs` limits one request with its response and all retries. */
  constructor(runtime: Runtime, client: RESTClient, cache: Cache, timeoutMs: number) {
    this.#runtime = runtime;
    this.#client = client;
    this.#cache = cache;
    this.#timeoutMs = timeoutMs;
  }

  /** Requests without a cache. */
  async request(question: Question): Promise<ClusterResponse> {
    return decoded(question.path, await this.#get(question));
  }

  /**
   * Requests only if the content has changed since it was last read. Content without an ETag is read again
   * each time.
   */
  async requestChanges(question: Question): Promise<ClusterResponse> {
    const key = `${question.path}\n${question.accept ?? ''}`;
    const known = await this.#cache.read(key);
    const value = known === undefined ? undefined : parsed(known.body);
    if (known === undefined || value === undefined)
      return this.#keep(key, question, await this.#get(question));
    const raw = await this.#get(question, known.tag);
    return raw === undefined ? { value, body: known.body, hash: known.hash } : this.#keep(key, question, raw);
  }

  /** Reads content that never changes under its tag, from the cache or the server. */
  async requestOnce(key: string, tag: string, question: Question): Promise<ClusterResponse> {
    const known = await this.recall(key, tag);
    if (known !== undefined) return known;
    const reply = await this.request(question);
    this.remember(key, tag, reply.body, reply.hash);
    return reply;
  }

  /** Returns the cached content of a tag. */
  async recall(key: string, tag: string): Promise<ClusterResponse | undefined> {
    const known = await this.#cache.read(key);
    if (known?.tag !== tag) return undefined;
    const value = parsed(known.body);
    return value === undefined ? undefined : { value, body: known.body, hash: known.hash };
  }

  /** Writes JSON to the cache. `hash` is its SHA-256. */
  remember(key: string, tag: string, body: Uint8Array, hash: string): void {
    this.#cache.write(key, { tag, type: 'application/json', body, hash });
  }

  #keep(key: string, question: Question, raw: Raw | undefined): ClusterResponse {
    const reply = decoded(question.path, raw);
    if (raw?.etag !== undefined) {
      this.#cache.write(key, { tag: raw.etag, type: raw.type, body: reply.body, hash: reply.hash });
    }
    return reply;
  }

  /** Returns `undefined` if the content has not changed since `etag`. */
  async #get(question: Question, etag?: string): Promise<Raw | undefined> {
    const { path } = question;
    try {
      const response = await this.#client.stream(requestFor(question, this.#timeoutMs, etag));
      const body = await readAll(response.body, path);
      const { 'content-type': type = '', etag: current = '' } = response.headers;
      return { body, type, etag: isETag(current) ? current : undefined };
    } catch (cause) {
      const why = explained(this.#runtime, cause, path);
      if (etag !== undefined && why instanceof Unavailable && why.status === 304) return undefined;
      throw why;
    }
  }
}

function requestFor(
  { path, query = [], accept = 'application/json' }: Question,
  timeoutMs: number,
  etag?: string,
): APIRequest {
  return {
    method: 'GET',
    path,
    query,
    headers: { accept, ...(etag !== undefined && { 'if-none-match': etag }) },
    operation: { verb: 'get', resource: path },
    signal: AbortSignal.timeout(timeoutMs),
    maxRetries,
  };
}

/** Returns whether a string is valid in a request header. */
function isETag(text: string): boolean {
  return /^(?:W\/)?"[\x21\x23-\x7e]{1,512}"$/.test(text);
}

async function readAll(body: AsyncIterable<Uint8Array>, path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of body) {
    total += part.length;
    if (total > maxBytes) {
      throw new Unavailable(
        `get ${path}: the response has more than ${maxBytes} bytes: is this a Kubernetes API?`,
        0,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function decoded(path: string, raw: Raw | undefined): ClusterResponse {
  const { body, type } = raw ?? { body: new Uint8Array(), type: '' };
  const value = parsed(body);
  if (value === undefined) throw notJson(path, type, body.length);
  return { value, body, hash: sha256(body) };
}

/** Returns `undefined` for invalid JSON. The message of a parser would quote its input. */
function parsed(body: Uint8Array): JsonValue | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    return JSON.parse(text) as JsonValue; // seam: JSON.parse returns JSON values
  } catch {
    // The caller reports the error with the path and the type of the response.
    return undefined;
  }
}
