import type { RESTClient, Request } from '@kgen/runtime';
import type { JsonValue } from '../input/crd-input.ts';
import type { Cache } from './cache.ts';
import { sha256 } from './cache-entry.ts';
import { explained, notJson, Refusal, type Runtime, Unavailable } from './refusal.ts';

/** Larger answers are refused: 128 MiB, forty times all of Kubernetes in one document. */
const maxBytes = 128 * 1024 * 1024;
/** Time for one request, its answer and all repetitions included. */
const timeoutMs = 60_000;
/** A server that asks to come back later is asked again this often; a group that is down must not hold up the others. */
const maxRetries = 3;

/** What is asked for. */
export interface Question {
  /** Below the server's base URL, without a query. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Default: `application/json`. */
  readonly accept?: string;
}

/** JSON that was read, from the server or from the cache. */
export interface Answer {
  readonly value: JsonValue;
  /** Its bytes. */
  readonly body: Uint8Array;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/** Bytes as they came. */
interface Raw {
  readonly body: Uint8Array;
  readonly type: string;
  readonly etag: string | undefined;
}

/**
 * A server that is asked, and never told, something: every request is a GET.
 * Methods reject with `Unavailable` where the server says no to this one request, with `Refusal` where there is no
 * use in going on.
 */
export class Server {
  readonly #runtime: Runtime;
  readonly #client: RESTClient;
  readonly #cache: Cache;

  constructor(runtime: Runtime, client: RESTClient, cache: Cache) {
    this.#runtime = runtime;
    this.#client = client;
    this.#cache = cache;
  }

  /** Asks without a cache. */
  async ask(question: Question): Promise<Answer> {
    return decoded(question.path, await this.#get(question));
  }

  /** Asks whether something has changed since it was last read; what has no ETag is read again each time. */
  async askForChanges(question: Question): Promise<Answer> {
    const key = `${question.path}\n${question.accept ?? ''}`;
    const known = await this.#cache.read(key);
    const value = known === undefined ? undefined : parsed(known.body);
    if (known === undefined || value === undefined)
      return this.#keep(key, question, await this.#get(question));
    const raw = await this.#get(question, known.tag);
    return raw === undefined ? { value, body: known.body, hash: known.hash } : this.#keep(key, question, raw);
  }

  /** Reads what never changes under its tag: from the cache, or from the server. */
  async askOnce(key: string, tag: string, question: Question): Promise<Answer> {
    const known = await this.recall(key, tag);
    if (known !== undefined) return known;
    const answer = await this.ask(question);
    this.remember(key, tag, answer.body, answer.hash);
    return answer;
  }

  /** What the cache has under a tag. */
  async recall(key: string, tag: string): Promise<Answer | undefined> {
    const known = await this.#cache.read(key);
    if (known?.tag !== tag) return undefined;
    const value = parsed(known.body);
    return value === undefined ? undefined : { value, body: known.body, hash: known.hash };
  }

  /** Puts JSON into the cache; `hash` is its SHA-256. */
  remember(key: string, tag: string, body: Uint8Array, hash: string): void {
    this.#cache.write(key, { tag, type: 'application/json', body, hash });
  }

  #keep(key: string, question: Question, raw: Raw | undefined): Answer {
    const answer = decoded(question.path, raw);
    if (raw?.etag !== undefined) {
      this.#cache.write(key, { tag: raw.etag, type: raw.type, body: answer.body, hash: answer.hash });
    }
    return answer;
  }

  /** Undefined where the server says that nothing has changed since `etag`. */
  async #get(question: Question, etag?: string): Promise<Raw | undefined> {
    const { path } = question;
    try {
      const response = await this.#client.stream(requestFor(question, etag));
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

function requestFor({ path, query = [], accept = 'application/json' }: Question, etag?: string): Request {
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

/** Fit to be sent back in a header. */
function isETag(text: string): boolean {
  return /^(?:W\/)?"[\x21\x23-\x7e]{1,512}"$/.test(text);
}

async function readAll(body: AsyncIterable<Uint8Array>, path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of body) {
    total += part.length;
    if (total > maxBytes) {
      throw new Refusal(`get ${path}: the answer has more than ${maxBytes} bytes: is this a Kubernetes API?`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function decoded(path: string, raw: Raw | undefined): Answer {
  const { body, type } = raw ?? { body: new Uint8Array(), type: '' };
  const value = parsed(body);
  if (value === undefined) throw notJson(path, type, body.length);
  return { value, body, hash: sha256(body) };
}

/** Undefined for what is no JSON; messages of a parser would quote what it read. */
function parsed(body: Uint8Array): JsonValue | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    return JSON.parse(text) as JsonValue; // seam: what JSON.parse gives is what JSON can say
  } catch {
    // The caller says it, with the path and the type of the answer.
    return undefined;
  }
}
