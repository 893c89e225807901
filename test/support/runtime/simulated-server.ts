import { ApiError, DecodeError } from '../../../src/runtime/api/errors.ts';
import type { APIResponse } from '../../../src/runtime/api/transport.ts';
import type { Stored } from '../../../src/runtime/api/types.ts';
import type { ListParams, ListWatch, ObjectList, WatchParams } from '../../../src/runtime/watch/source.ts';
import { ByteStream } from './byte-stream.ts';
import { apiError, cutStream, type FailureName, refusedConnection, statuses } from './failures.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Seeded } from './random.ts';
import { listOf, type Thing, thing } from './scripted-source.ts';

type Kind = 'ADDED' | 'MODIFIED' | 'DELETED';

interface LogEntry {
  readonly version: number;
  readonly type: Kind;
  readonly object: Stored<Thing>;
  /** State before the change. */
  readonly old?: Stored<Thing> | undefined;
}

interface OpenStream {
  readonly bytes: ByteStream;
  readonly namespace: string | undefined;
  readonly bookmarks: boolean;
  /** Whether the server sends nothing more, without closing the stream. */
  hanging: boolean;
  /** Changes during the state, which takes time to send. */
  held: LogEntry[] | undefined;
  /** Lines that the server has not sent yet, because it is slow. */
  readonly late: (string | Buffer)[];
}

export interface ServerTraits {
  /** Whether the server supports `sendInitialEvents`. */
  readonly streaming: boolean;
  /** Whether the server has a watch cache: lists at a version are not paged, and lists at `0` may be old. */
  readonly cache: boolean;
  /** Maximum number of items on one page. */
  readonly pageSize: number;
  /**
   * Whether lists and streams of a state begin at any version that the request permits. Default: the last
   * one.
   */
  readonly stale?: boolean;
  /** Objects that lists and watches contain. Default: all. */
  selects?(object: Stored<Thing>): boolean;
}

/** Fault of an open stream. */
export type StreamFault =
  | 'end'
  | 'end in a line'
  | 'cut'
  | 'cut in a line'
  | 'hang'
  | 'garbage'
  | 'error'
  | 'expire'
  | 'repeat';

const halfALine = '{"type":"MODIFIED","object":{"kind":"Th';

/** Fault of the next requests, one each: no connection, or this status. */
export type RequestFault = 'refused' | FailureName;

/**
 * API server for one resource, with a history that can be compacted, and with faults between it and its
 * clients. All random numbers come from one seed.
 */
export class SimulatedServer {
  readonly #random: Seeded;
  readonly #clock: FakeClock;
  readonly #traits: ServerTraits;
  readonly #log: LogEntry[] = [];
  readonly #streams = new Set<OpenStream>();
  #version = 100;
  #compacted = 100;
  #uids = 0;
  #slow = false;
  /** Objects that clients cannot decode. */
  readonly #spoiled = new WeakSet<Stored<Thing>>();
  readonly #denied = new Set<string | undefined>();
  /** Whether the resource is not installed. */
  absent = false;
  readonly faults: RequestFault[] = [];
  /** Every request, in short form. */
  readonly requests: string[] = [];

  constructor(random: Seeded, clock: FakeClock, traits: ServerTraits) {
    this.#random = random;
    this.#clock = clock;
    this.#traits = traits;
  }

  get openStreams(): number {
    return this.#open().length;
  }

  /** Returns the stored state, by `namespace/name`. */
  state(at: number = this.#version): Map<string, Stored<Thing>> {
    const objects = new Map<string, Stored<Thing>>();
    for (const { version, type, object } of this.#log) {
      if (version > at) break;
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      if (type === 'DELETED') objects.delete(key);
      else objects.set(key, object);
    }
    return objects;
  }

  /** Version of the last change. */
  get version(): number {
    return this.#version;
  }

  /** Returns the versions of all changes after a version. */
  changesAfter(since: number): number[] {
    return this.#log.filter(({ version }) => version > since).map(({ version }) => version);
  }

  /** Holds back the events and bookmarks of all streams until it is called with `false`. */
  slow(isSlow: boolean): void {
    this.#slow = isSlow;
    if (isSlow) return;
    for (const { bytes, late } of this.#open()) for (const line of late.splice(0)) bytes.push(line);
  }

  /**
   * Creates, changes or deletes an object, and returns its last state; a spoiled object exists in a form that
   * no client can decode.
   */
  put(
    namespace: string,
    name: string,
    type: 'change' | 'spoil' | 'delete',
    labels?: Record<string, string>,
  ): Stored<Thing> | undefined {
    const old = this.state().get(`${namespace}/${name}`);
    if (type === 'delete' && old === undefined) return undefined;
    if (old === undefined) this.#uids += 1;
    this.#version += 1 + this.#random.below(3);
    const uid = old?.metadata.uid ?? `uid-${this.#uids}`;
    const kind: Kind = type === 'delete' ? 'DELETED' : old === undefined ? 'ADDED' : 'MODIFIED';
    const kept = type === 'delete' ? old?.metadata.labels : labels;
    const object = thing(name, this.#version, { namespace, uid, ...(kept && { labels: kept }) });
    if (type === 'spoil') this.#spoiled.add(object);
    this.#append({ version: this.#version, type: kind, object, old });
    return object;
  }

  /** Makes all objects decodable. */
  repair(): void {
    for (const object of this.state().values()) {
      const { namespace = '', name } = object.metadata;
      if (this.#spoiled.has(object)) this.put(namespace, name, 'change');
    }
  }

  /** Discards the history; open streams continue. */
  compact(): void {
    this.#compacted = this.#version;
  }

  /** Removes the resource and all its objects, without events. */
  uninstall(): void {
    this.absent = true;
    for (const object of this.state().values()) {
      this.#version += 1;
      const { namespace, name, uid } = object.metadata;
      const gone = thing(name, this.#version, { ...(namespace !== undefined && { namespace }), uid });
      this.#log.push({ version: this.#version, type: 'DELETED', object: gone });
    }
    this.#compacted = this.#version;
    for (const { bytes } of this.#open()) bytes.end();
  }

  bookmark(): void {
    for (const stream of this.#open())
      if (stream.bookmarks && !stream.hanging && stream.held === undefined)
        this.#push(stream, lineOf(this.#bookmark()));
  }

  /** Causes a fault in each open stream. */
  disturb(how: StreamFault): void {
    for (const stream of this.#open()) {
      const { bytes } = stream;
      const old = this.#random.pick(this.#log);
      switch (how) {
        case 'end':
          bytes.end();
          break;
        case 'cut':
          bytes.fail(cutStream());
          break;
        case 'end in a line':
          bytes.push(halfALine);
          bytes.end();
          break;
        case 'cut in a line':
          bytes.push(halfALine);
          bytes.fail(cutStream());
          break;
        case 'hang':
          stream.hanging = true;
          break;
        case 'garbage':
          bytes.push('<html>Bad Gateway</html>\n');
          break;
        case 'error':
          bytes.line({ type: 'ERROR', object: statuses.internal });
          break;
        case 'expire':
          bytes.line({ type: 'ERROR', object: statuses.expired });
          break;
        case 'repeat':
          if (old !== undefined && !stream.hanging && stream.held === undefined) this.#send(stream, old);
      }
    }
  }

  source(namespace?: string): ListWatch<Thing> {
    return {
      target: { resource: 'things', ...(namespace !== undefined && { namespace }) },
      list: async (params) => {
        this.#begin('list', params, namespace);
        return this.#list(params, namespace);
      },
      watch: async (params) => {
        this.#begin('watch', params, namespace);
        return this.#watch(params, namespace);
      },
    };
  }

  #begin(verb: string, params: ListParams | WatchParams, namespace: string | undefined): void {
    const fault = verb === 'list' ? this.#listFault(namespace) : this.faults.shift();
    const shown = Object.entries(params).map(([name, value]) => `${name}=${value}`);
    this.requests.push([verb, ...shown, ...(fault === undefined ? [] : [`-> ${fault}`])].join(' '));
    if (fault === 'refused') throw refusedConnection();
    if (fault !== undefined) throw apiError(fault);
    if (this.absent) throw apiError('absent');
  }

  /**
   * Two consecutive lists that report a missing resource mean that it is gone: only `uninstall` may cause
   * this, not a random fault.
   */
  #listFault(namespace: string | undefined): RequestFault | undefined {
    const fault = this.faults.shift();
    if (fault !== 'absent') {
      this.#denied.delete(namespace);
      return fault;
    }
    if (this.#denied.has(namespace)) return undefined;
    this.#denied.add(namespace);
    return fault;
  }

  #list(params: ListParams, namespace: string | undefined): ObjectList<Thing> {
    const [at, from] = this.#place(params);
    const all = [...this.state(at).values()].filter(
      (object) => within(object, namespace) && this.#selects(object),
    );
    const whole = this.#traits.cache && params.resourceVersion !== undefined && params.continue === undefined;
    const to = whole || params.limit === undefined ? all.length : from + this.#traits.pageSize;
    const page = all.slice(from, to);
    const { metadata } = listOf(at, [], to < all.length ? `${at}:${to}` : undefined);
    const unreadable = page
      .filter((object) => this.#spoiled.has(object))
      .map(({ metadata: { namespace, name } }) => ({ error: new DecodeError('no spec'), namespace, name }));
    return { items: page.filter((object) => !this.#spoiled.has(object)), metadata, unreadable };
  }

  /** Returns the version and the index of the first item of a list. */
  #place({ resourceVersion, continue: token }: ListParams): [version: number, from: number] {
    if (token !== undefined) {
      const [at = 0, from = 0] = token.split(':').map(Number);
      if (at < this.#compacted) throw apiError('expired');
      return [at, from];
    }
    if (resourceVersion === '0' && this.#traits.cache && this.#random.chance(0.5)) {
      const known = this.#log.filter(({ version }) => version >= this.#compacted);
      return [this.#random.pick(known)?.version ?? this.#version, 0];
    }
    if (Number(resourceVersion ?? 0) > this.#version) throw apiError('ahead');
    return [this.#versionSince(resourceVersion), 0];
  }

  /** Returns a version that the server may have when a state not older than `version` is requested. */
  #versionSince(version: string | undefined): number {
    if (!this.#traits.stale || version === undefined) return this.#version;
    const least = Math.max(Number(version), this.#compacted);
    const later = this.#log.filter((entry) => entry.version >= least);
    return Math.max(this.#random.pick(later)?.version ?? this.#version, least);
  }

  #selects(object: Stored<Thing>): boolean {
    return this.#traits.selects?.(object) ?? true;
  }

  #watch(params: WatchParams, namespace: string | undefined): APIResponse {
    if (params.sendInitialEvents && !this.#traits.streaming) throw apiError('bad');
    const since = Number(params.resourceVersion ?? 0);
    if (since > this.#version) throw apiError('ahead');
    const stream: OpenStream = {
      bytes: new ByteStream(),
      namespace,
      bookmarks: params.allowWatchBookmarks === true,
      hanging: false,
      held: undefined,
      late: [],
    };
    if (params.sendInitialEvents) this.#sendState(stream, this.#versionSince(params.resourceVersion));
    else if (since < this.#compacted) return this.#expired(stream);
    else for (const entry of this.#log) if (entry.version > since) this.#send(stream, entry);
    this.#streams.add(stream);
    this.#clock.timer((params.timeoutSeconds ?? 3600) * 1000, () => {
      if (!stream.hanging) stream.bytes.end();
    });
    return stream.bytes.response;
  }

  /** Servers report expiry in either way. */
  #expired(stream: OpenStream): APIResponse {
    if (this.#random.chance(0.5)) throw new ApiError(statuses.gone);
    stream.bytes.line({ type: 'ERROR', object: statuses.expired });
    stream.bytes.end();
    return stream.bytes.response;
  }

  /** Changes while the state is sent follow it, before its end. */
  #sendState(stream: OpenStream, at: number): void {
    const entries = [...this.state(at).values()].map(
      (object) => ({ version: 0, type: 'ADDED', object }) as const,
    );
    const half = this.#random.below(entries.length + 1);
    for (const entry of entries.slice(0, half)) this.#send(stream, entry);
    stream.held = this.#log.filter(({ version }) => version > at);
    this.#clock.timer(this.#random.below(3000), () => {
      const held = stream.held ?? [];
      stream.held = undefined;
      if (stream.hanging) return;
      for (const entry of [...entries.slice(half), ...held]) this.#send(stream, entry);
      this.#push(stream, lineOf(this.#bookmark({ 'k8s.io/initial-events-end': 'true' })));
    });
  }

  #bookmark(annotations?: Record<string, string>) {
    return {
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: String(this.#version), annotations } },
    };
  }

  #append(entry: LogEntry): void {
    this.#log.push(entry);
    for (const stream of this.#open()) {
      if (stream.held !== undefined) stream.held.push(entry);
      else if (!stream.hanging) this.#send(stream, entry);
    }
  }

  #send(stream: OpenStream, entry: LogEntry): void {
    const { object } = entry;
    const type = this.#typeOf(entry);
    if (type === undefined || !this.#concerns(stream, object)) return;
    const { name, namespace } = object.metadata;
    const shown = this.#spoiled.has(object) ? { kind: 'Thing', metadata: { name, namespace } } : object;
    const line = Buffer.from(lineOf({ type, object: shown }));
    const cut = this.#random.below(line.length);
    this.#push(stream, line.subarray(0, cut));
    this.#push(stream, line.subarray(cut));
  }

  /** Objects that leave or enter the selection are deleted from or added to it. */
  #typeOf({ type, object, old }: LogEntry): Kind | undefined {
    if (this.#traits.selects === undefined) return type;
    const was = old !== undefined && this.#selects(old);
    const is = type !== 'DELETED' && this.#selects(object);
    if (type === 'ADDED' && old === undefined) return is ? 'ADDED' : undefined;
    if (was) return is ? 'MODIFIED' : 'DELETED';
    return is ? 'ADDED' : undefined;
  }

  #push(stream: OpenStream, line: string | Buffer): void {
    if (this.#slow) stream.late.push(line);
    else stream.bytes.push(line);
  }

  #concerns({ namespace }: OpenStream, object: Stored<Thing>): boolean {
    return within(object, namespace);
  }

  #open(): OpenStream[] {
    for (const stream of this.#streams) if (stream.bytes.closed) this.#streams.delete(stream);
    return [...this.#streams];
  }
}

function lineOf(event: unknown): string {
  return `${JSON.stringify(event)}\n`;
}

function within(object: Stored<Thing>, namespace: string | undefined): boolean {
  return namespace === undefined || object.metadata.namespace === namespace;
}
