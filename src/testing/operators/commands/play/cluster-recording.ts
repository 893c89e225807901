/** Recording of a server in memory as lines, for the page of `kgen dev`. */
import { randomUUID } from 'node:crypto';
import { type JsonObject, text } from '@kgen/schema/values/json';
import type { LoggedRequest, WritableLog } from '@kgen/testserver/internal/http/request-log';
import type { Change, Store, StoreContent } from '@kgen/testserver/internal/store/store';
import { isSecret, shownContent } from 'kgen/view';

/** Parts of a recording. */
export interface ClusterRecordingOptions {
  readonly store: Store;
  readonly log: WritableLog;
  /** Name of the project. */
  readonly program: string;
  /** Milliseconds since the epoch, on the clock of the operator's recording. */
  readonly now: () => number;
  /** Size of the lines about changes and requests that are kept. Default: 16 MiB. */
  readonly maxBytes?: number;
}

/** Lines since a position. */
export interface RecordedPart {
  /** Identifies the position after the lines. */
  readonly tag: string;
  readonly text: string;
}

const defaultBytes = 16 * 1024 * 1024;

/** Estimated size of a line without its object. */
const lineBytes = 300;

/** A change or a line about a request, which is printed if a page requests it: objects are immutable. */
interface Entry {
  readonly at: number;
  readonly bytes: number;
  readonly content: Change | object;
}

interface Informer {
  readonly informer: number;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** Number of entries before its first one. */
  readonly position: number;
}

/** Follows a server from its present state until the process ends. */
export class ClusterRecording {
  readonly #options: ClusterRecordingOptions;
  readonly #maxBytes: number;
  readonly #instance = randomUUID();
  readonly #informers = new Map<string, Informer>();
  /** Objects before the first entry that is kept, by resource and key. */
  readonly #base = new Map<string, Map<string, JsonObject>>();
  readonly #numbers = new WeakMap<LoggedRequest, number>();
  #entries: Entry[] = [];
  /** Index of the first entry that is kept. */
  #first = 0;
  #dropped = 0;
  #bytes = 0;
  #requests = 0;
  #from: number;

  constructor(options: ClusterRecordingOptions) {
    const { store, log, now, maxBytes = defaultBytes } = options;
    this.#options = options;
    this.#maxBytes = maxBytes;
    this.#from = now();
    for (const [resource, objects] of store.content()) {
      this.#base.set(resource, new Map(objects));
      for (const [, object] of objects.slice(0, 1)) this.#informer(resource, object);
    }
    store.subscribe((change) => this.#change(change));
    log.observer = { begin: (request) => this.#begin(request), end: (request) => this.#end(request) };
  }

  /**
   * Returns the lines since a tag; all lines if they are not kept any more, or the tag is of another
   * recording.
   */
  part(after: string): RecordedPart {
    const position = this.#position;
    const tag = `"${this.#instance}-${position}"`;
    if (after === tag) return { tag, text: '' };
    const [, instance, number = ''] = /^"(.+)-(\d+)"$/.exec(after) ?? [];
    const known = Number(number);
    const isKept = instance === this.#instance && known >= this.#dropped && known <= position;
    const lines = isKept ? this.#increment(known) : this.#whole();
    return { tag, text: lines.map((line) => `${printed(line)}\n`).join('') };
  }

  /** Adds the changes of a restored snapshot, of which the store does not inform. */
  restored(before: StoreContent, after: StoreContent): void {
    const { revision } = this.#options.store;
    for (const resource of new Set([...before.keys(), ...after.keys()])) {
      const [old, present] = [new Map(before.get(resource)), new Map(after.get(resource))];
      for (const [key, object] of old)
        if (!present.has(key)) this.#change({ type: 'DELETED', resource, key, revision, object });
      for (const [key, object] of present) {
        const type = old.has(key) ? 'MODIFIED' : 'ADDED';
        if (old.get(key) !== object) this.#change({ type, resource, key, revision, object });
      }
    }
  }

  get #position(): number {
    return this.#dropped + this.#entries.length - this.#first;
  }

  #increment(after: number): readonly object[] {
    const at = this.#options.now();
    const [instance, position] = [this.#instance, this.#position];
    return [
      { type: 'kgen recording increment', version: 1, instance, after, position, at },
      ...this.#informerLines((informer) => informer.position >= after),
      ...this.#entries.slice(this.#first + after - this.#dropped).map((entry) => this.#lineOf(entry)),
      { type: 'state', at, queues: [], informers: [] },
    ];
  }

  #whole(): readonly object[] {
    const { program, now } = this.#options;
    const at = now();
    const objects = [...this.#base].flatMap(([resource, each]) =>
      [...each.values()].map((object) => ({
        ...{ type: 'object', at: this.#from, ...this.#shown(resource, object) },
      })),
    );
    return [
      {
        ...{ type: 'kgen recording', version: 1, program, reason: 'live' },
        ...{ from: new Date(this.#from).toISOString(), to: new Date(at).toISOString(), secrets: false },
        ...{ dropped: this.#dropped, omittedObjects: 0, instance: this.#instance, position: this.#position },
      },
      ...this.#informerLines(() => true),
      ...objects,
      ...this.#entries.slice(this.#first).map((entry) => this.#lineOf(entry)),
      { type: 'state', at, queues: [], informers: [] },
      { type: 'end of recording' },
    ];
  }

  #informerLines(select: (informer: Informer) => boolean): readonly object[] {
    return [...this.#informers.values()]
      .filter(select)
      .map(({ position, ...line }) => ({ type: 'informer', ...line }));
  }

  #change(change: Change): void {
    this.#informer(change.resource, change.object);
    this.#add({
      at: this.#options.now(),
      bytes: lineBytes + printed(change.object).length,
      content: change,
    });
  }

  #begin(request: LoggedRequest): void {
    this.#requests += 1;
    this.#numbers.set(request, this.#requests);
    const { method, path, query, user, userAgent: process } = request;
    const line = { request: this.#requests, method, path, query: Object.entries(query), user, process };
    this.#addLine({ type: 'request', ...line });
  }

  #end(request: LoggedRequest): void {
    const { status, forbidden } = request;
    const base = { type: 'response', request: this.#numbers.get(request) };
    const result = status === undefined || status >= 400 ? 'error' : 'response';
    if (status === undefined)
      this.#addLine({
        ...base,
        result,
        error: { name: 'TransportError', message: 'the connection was cut' },
      });
    else if (forbidden === undefined) this.#addLine({ ...base, result, status });
    else this.#addLine({ ...base, result, status, error: { name: 'ApiError', message: forbidden } });
  }

  #addLine(line: object): void {
    const at = this.#options.now();
    this.#add({ at, bytes: lineBytes, content: { at, ...line } });
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    while (this.#bytes > this.#maxBytes && this.#first < this.#entries.length) this.#drop();
    // Together, as each removal moves all others.
    if (this.#first < 1_000 || this.#first * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }

  #drop(): void {
    const entry = this.#entries[this.#first];
    if (entry === undefined) return;
    this.#first += 1;
    this.#dropped += 1;
    this.#bytes -= entry.bytes;
    this.#from = entry.at;
    if (!isChange(entry.content)) return;
    const { type, resource, key, object } = entry.content;
    const objects = this.#base.get(resource) ?? new Map<string, JsonObject>();
    this.#base.set(resource, objects);
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, object);
  }

  #lineOf({ at, content }: Entry): object {
    if (!isChange(content)) return content;
    const { type, resource, object } = content;
    return { type: 'change', at, change: changeNames[type], ...this.#shown(resource, object) };
  }

  #shown(resource: string, object: JsonObject): object {
    const { informer, ...target } = this.#informer(resource, object);
    return { informer, object: shownContent(object, isSecret(target)) };
  }

  #informer(resource: string, object: JsonObject): Informer {
    const known = this.#informers.get(resource);
    if (known !== undefined) return known;
    const apiVersion = text(object, 'apiVersion');
    const slash = apiVersion.indexOf('/');
    const informer: Informer = {
      informer: this.#informers.size + 1,
      group: apiVersion.slice(0, Math.max(0, slash)),
      version: apiVersion.slice(slash + 1),
      resource: resource.split('.')[0] ?? '',
      kind: text(object, 'kind'),
      position: this.#position,
    };
    this.#informers.set(resource, informer);
    return informer;
  }
}

const changeNames = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

function isChange(content: Change | object): content is Change {
  return 'revision' in content;
}

/** Integers beyond 2^53 lose their last digits, as in all recordings. */
function printed(line: object): string {
  return JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
