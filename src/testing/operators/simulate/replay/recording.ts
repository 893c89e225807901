/** Reads recordings of `@kgen/controller`: untrusted files, whose lines are checked one by one. */
import { readFile } from 'node:fs/promises';
import { array, isObject, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import type {
  Entry,
  FetchEntry,
  FetchedBodyEntry,
  FetchedEntry,
  Placed,
  RecordedInformer,
  ReviewEntry,
  SentPart,
} from './entries.ts';

/** The newest format that can be read. */
const newestVersion = 1;

/** A file that is not a complete recording. The message has the line and the reason. */
export class RecordingError extends Error {
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;

  constructor(file: string, line: number, reason: string) {
    super(`${file}:${line}: ${reason}`);
    this.name = 'RecordingError';
    this.file = file;
    this.line = line;
  }
}

/** A recording, complete and checked. */
export interface Recording {
  readonly file: string;
  readonly program: string;
  readonly reason: string;
  /** Number of cached objects that are missing, because they exceeded the limit of the recorder. */
  readonly omittedObjects: number;
  /** Time of its beginning, in milliseconds since the epoch. */
  readonly from: number;
  readonly informers: readonly RecordedInformer[];
  /** Cached objects at the beginning, with the numbers of their informers. */
  readonly objects: readonly { readonly informer: number; readonly object: JsonObject }[];
  readonly entries: readonly Entry[];
}

/**
 * Reads a recording.
 * @throws {RecordingError} if it is truncated, has a newer format, or is something else
 */
export async function readRecording(file: string): Promise<Recording> {
  return parseRecording(file, await contentOf(file));
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const advice = 'pass the path of a file that Manager.record, or the recorder of a manager, has written';
    throw new Error(`${file}: the recording cannot be read: ${messageOf(error)}: ${advice}`, {
      cause: error,
    });
  }
}

/**
 * Parses a recording.
 * @throws {RecordingError} as `readRecording`
 */
export function parseRecording(file: string, content: string): Recording {
  const lines = content.split('\n');
  const last = lines.pop();
  if (lines.length === 0) throw new RecordingError(file, 1, 'the file is empty, or is not a recording');
  const reader = new Reader(file);
  for (const [index, line] of lines.entries()) reader.read(line, index + 1);
  if (last !== '') throw new RecordingError(file, lines.length + 1, 'the file is truncated: no line break');
  return reader.end(lines.length);
}

const replayedTypes: ReadonlySet<string> = new Set<Entry['type']>([
  'change',
  'start',
  'request',
  'response',
  'fetch',
  'fetched',
  'fetched body',
  'end',
  'review',
]);

class Reader {
  readonly #file: string;
  readonly #informers: RecordedInformer[] = [];
  readonly #objects: { readonly informer: number; readonly object: JsonObject }[] = [];
  readonly #entries: Entry[] = [];
  /** Entries, including those that could not be recorded. */
  #count = 0;
  #header: JsonObject | undefined;
  #from = 0;
  #isComplete = false;
  #line = 0;

  constructor(file: string) {
    this.#file = file;
  }

  read(line: string, number: number): void {
    this.#line = number;
    const value = this.#parse(line);
    if (this.#header === undefined) this.#begin(value);
    else if (this.#isComplete) this.#fail('the recording has ended before this line');
    else this.#add(value);
  }

  end(lines: number): Recording {
    this.#line = lines;
    if (!this.#isComplete) this.#fail('the file is truncated: the line "end of recording" is missing');
    const header = this.#header ?? {};
    return {
      file: this.#file,
      program: text(header, 'program'),
      reason: text(header, 'reason'),
      omittedObjects: Number(own(header, 'omittedObjects') ?? 0),
      from: this.#from,
      informers: this.#informers,
      objects: this.#objects,
      entries: this.#entries,
    };
  }

  #fail(reason: string): never {
    throw new RecordingError(this.#file, this.#line, reason);
  }

  #parse(line: string): JsonObject {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#fail('not JSON; the file is truncated, or is not a recording');
    }
    return isObject(value) ? value : this.#fail('not a JSON object; the file is not a recording');
  }

  #begin(value: JsonObject): void {
    if (value['type'] !== 'kgen recording') this.#fail('the file is not a recording of @kgen/controller');
    const version = own(value, 'version');
    if (typeof version !== 'number') this.#fail('version is not a number');
    if (version !== newestVersion)
      this.#fail(
        `the format has version ${version}, and this @kgen/testing reads ${newestVersion}: update it`,
      );
    this.#from = Date.parse(text(value, 'from'));
    if (Number.isNaN(this.#from)) this.#fail('from is not a time');
    this.#header = value;
  }

  #add(value: JsonObject): void {
    const type = text(value, 'type');
    if (type === 'informer') this.#addInformer(value);
    else if (type === 'object') this.#objects.push(this.#placed(value));
    else if (type === 'end of recording') this.#complete(value);
    else {
      this.#count += 1;
      const entry = this.#entry(type, value);
      if (entry !== undefined) this.#entries.push(entry);
    }
  }

  #addInformer(value: JsonObject): void {
    if (own(value, 'informer') !== this.#informers.length) this.#fail('informers are not numbered in order');
    const [group, version, resource, kind] = ['group', 'version', 'resource', 'kind'].map((key) =>
      this.#text(value, key),
    );
    this.#informers.push({
      group: group ?? '',
      version: version ?? '',
      resource: resource ?? '',
      kind: kind ?? '',
    });
  }

  #placed(value: JsonObject): { readonly informer: number; readonly object: JsonObject } {
    const informer = this.#number(value, 'informer');
    if (this.#informers[informer] === undefined) this.#fail(`informer ${informer} does not exist`);
    const found = own(value, 'object');
    if (!isObject(found) || text(found, 'metadata', 'name') === '') this.#fail('object has no metadata.name');
    return { informer, object: found };
  }

  #complete(value: JsonObject): void {
    const entries = this.#number(value, 'entries');
    if (entries !== this.#count)
      this.#fail(`${entries} entries expected, ${this.#count} found: lines are missing`);
    this.#isComplete = true;
  }

  /** Entries of other types are for other programs. */
  #entry(type: string, value: JsonObject): Entry | undefined {
    if (!replayedTypes.has(type)) return undefined;
    const placed = { line: this.#line, at: this.#number(value, 'at') };
    if (type === 'change') {
      const isDeletion = text(value, 'change') === 'delete';
      return { ...placed, type, isDeletion, ...this.#placed(value), omittedBytes: this.#omitted(value) };
    }
    if (type === 'review') return { ...placed, type, ...this.#review(value) };
    const run = this.#number(value, 'run');
    if (type === 'start') return { ...placed, type, run, ...this.#start(value) };
    if (type === 'end') return { ...placed, type, run, outcome: object(value, 'outcome') };
    const request = this.#number(value, 'request');
    const sent = { ...placed, run, request };
    if (type === 'fetch') return { ...sent, type, ...this.#fetch(value) };
    if (type === 'fetched') return { ...sent, type, ...this.#fetched(value) };
    if (type === 'fetched body') return { ...sent, type, ...this.#fetchedBody(value) };
    const [body, omittedBytes] = [own(value, 'body'), this.#omitted(value)];
    if (type === 'request') {
      const [method, path] = [this.#text(value, 'method'), this.#text(value, 'path')];
      return { ...sent, type, method, path, query: this.#query(value), body, omittedBytes };
    }
    const result = text(value, 'result');
    if (result !== 'response' && result !== 'skipped' && result !== 'error')
      return this.#fail(`unknown result ${JSON.stringify(result)}`);
    return { ...sent, type: 'response', result, body, error: object(value, 'error'), omittedBytes };
  }

  #fetch(value: JsonObject): Omit<FetchEntry, 'type' | keyof SentPart> {
    const [method, url] = [this.#text(value, 'method'), this.#text(value, 'url')];
    const body = own(value, 'body') === undefined ? undefined : this.#text(value, 'body');
    return { method, url, body, omittedBytes: this.#omitted(value) };
  }

  #fetched(value: JsonObject): Omit<FetchedEntry, 'type' | keyof SentPart> {
    const [result, error] = [text(value, 'result'), object(value, 'error')];
    if (result === 'error') return { head: undefined, error };
    if (result !== 'response') return this.#fail(`unknown result ${JSON.stringify(result)}`);
    const status = this.#number(value, 'status');
    if (status < 200 || status > 599) this.#fail(`status must be between 200 and 599, got ${status}`);
    const url = own(value, 'url') === undefined ? undefined : this.#text(value, 'url');
    const [statusText, hasBody] = [text(value, 'statusText'), own(value, 'hasBody') === true];
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) this.#fail('statusText has invalid characters');
    return { head: { status, statusText, headers: this.#headers(value), hasBody, url }, error };
  }

  #headers(value: JsonObject): Headers {
    const headers = new Headers();
    for (const [name, content] of Object.entries(object(value, 'headers'))) {
      try {
        headers.append(name, typeof content === 'string' ? content : this.#fail(`header ${name}`));
      } catch {
        this.#fail(`header ${JSON.stringify(name)} is not a valid header`);
      }
    }
    return headers;
  }

  #fetchedBody(value: JsonObject): Omit<FetchedBodyEntry, 'type' | keyof SentPart> {
    const [omittedBytes, encoding] = [this.#omitted(value), own(value, 'encoding')];
    const error = own(value, 'error') === undefined ? undefined : object(value, 'error');
    if (omittedBytes !== undefined) return { content: new Uint8Array(), error, omittedBytes };
    if (encoding !== 'utf8' && encoding !== 'base64') this.#fail('encoding must be utf8 or base64');
    return { content: Buffer.from(this.#text(value, 'body'), encoding), error, omittedBytes };
  }

  #review(value: JsonObject): Omit<ReviewEntry, 'type' | keyof Placed> {
    const [path, status] = [this.#text(value, 'path'), this.#number(value, 'status')];
    const [review, response] = [object(value, 'review'), own(value, 'response')];
    return { path, status, review, response, omittedBytes: this.#omitted(value) };
  }

  #start(value: JsonObject): { readonly controller: string; readonly start: JsonObject } {
    this.#text(value, 'reconcileID');
    this.#number(value, 'attempt');
    if (text(value, 'key', 'name') === '') this.#fail('key has no name');
    return { controller: this.#text(value, 'controller'), start: value };
  }

  #query(value: JsonObject): readonly (readonly [string, string])[] {
    return array(value, 'query').map((pair) => {
      const [name, item] = Array.isArray(pair) ? pair : [];
      if (typeof name === 'string' && typeof item === 'string') return [name, item] as const;
      return this.#fail('query must consist of pairs of strings');
    });
  }

  #omitted(value: JsonObject): number | undefined {
    return own(value, 'omittedBytes') === undefined ? undefined : this.#number(value, 'omittedBytes');
  }

  #text(value: JsonObject, key: string): string {
    const found = own(value, key);
    return typeof found === 'string' ? found : this.#fail(`${key} is not a string`);
  }

  #number(value: JsonObject, key: string): number {
    const found = own(value, key);
    const isValid = typeof found === 'number' && Number.isSafeInteger(found) && found >= 0;
    return isValid ? found : this.#fail(`${key} is not an integer >= 0`);
  }
}
