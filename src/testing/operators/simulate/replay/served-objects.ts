/** Lists and watches of the objects of a recording, as its informers receive them. */
import type { APIRequest, APIResponse } from '@kgen/runtime/rest';
import { matchLabels, parseLabelSelector } from '@kgen/runtime/selectors';
import { type JsonObject, object as objectAt, text } from '@kgen/schema/values/json';
import { parseTarget } from '@kgen/testserver/internal/http/target';
import type { RecordedInformer } from './entries.ts';

/** A change of a resource, in its order. */
interface Change {
  readonly isDeletion: boolean;
  readonly object: JsonObject;
}

interface Resource {
  readonly informer: RecordedInformer;
  readonly objects: Map<string, JsonObject>;
  /** Informers that have each object: those of a resource may have different selectors. */
  readonly holders: Map<string, Set<number>>;
  readonly changes: Change[];
  /** Own writes that caches contain already, and that watches deliver in the order of their versions. */
  held: Change[];
  readonly watches: Set<Watch>;
}

/** Objects of a recording by resource. */
export class ServedObjects {
  readonly #informers: readonly RecordedInformer[];
  readonly #resources = new Map<string, Resource>();

  constructor(informers: readonly RecordedInformer[]) {
    this.#informers = informers;
    for (const informer of informers) {
      const path = pathOf(informer);
      if (this.#resources.has(path)) continue;
      const empty = {
        objects: new Map(),
        holders: new Map(),
        changes: [],
        held: [],
        watches: new Set<Watch>(),
      };
      this.#resources.set(path, { informer, ...empty });
    }
  }

  /**
   * Changes an object, which one of the informers has received.
   * @param isOwn whether it is the result of a write of the operator, which its caches have already
   */
  change(informer: number, isDeletion: boolean, object: JsonObject, isOwn = false): void {
    const found = this.#informers[informer];
    const resource = found && this.#resources.get(pathOf(found));
    if (resource === undefined) return;
    const id = idOf(object);
    const holders = resource.holders.get(id) ?? new Set();
    resource.holders.set(id, holders);
    if (isDeletion) holders.delete(informer);
    else holders.add(informer);
    const isGone = isDeletion && holders.size === 0;
    if (isGone) resource.objects.delete(id);
    else if (!isDeletion) resource.objects.set(id, object);
    if (isDeletion && !isGone) return;
    const change = { isDeletion, object };
    if (isOwn) {
      resource.held.push(change);
      return;
    }
    const earlier = resource.held.filter((held) => isBefore(held.object, object));
    resource.held = resource.held.filter((held) => !earlier.includes(held));
    for (const each of [...earlier, change]) {
      resource.changes.push(each);
      for (const watch of resource.watches) watch.send(each);
    }
  }

  /** Returns whether the watches of an informer's resource are open, and everything sent was read. */
  isRead(informer: number): boolean {
    const found = this.#informers[informer];
    const watches = [...((found && this.#resources.get(pathOf(found))?.watches) ?? [])];
    return watches.length > 0 && watches.every(({ isRead }) => isRead);
  }

  /** Returns the response to a list or watch; `undefined` for other requests. */
  respond(request: APIRequest): APIResponse | undefined {
    const target = parseTarget(request.path);
    if (request.method !== 'GET' || target === undefined) return undefined;
    const { namespace, path } = collectionOf(target.path);
    const resource = this.#resources.get(path);
    if (resource === undefined) return undefined;
    const query = new URLSearchParams(request.query.map(([name, value]): [string, string] => [name, value]));
    const labels = parseLabelSelector(query.get('labelSelector') ?? '');
    const selects = (object: JsonObject): boolean =>
      (namespace === undefined || text(object, 'metadata', 'namespace') === namespace) &&
      (labels.length === 0 || matchLabels(objectAt(object, 'metadata', 'labels'), labels));
    const isWatch = ['true', '1'].includes(query.get('watch') ?? '');
    return isWatch
      ? watchResponse(resource, query, selects, request.signal)
      : listResponse(resource, selects);
  }
}

/** Returns whether an object has an older version than another one. Versions without an order are equal. */
function isBefore(one: JsonObject, other: JsonObject): boolean {
  return numberOf(one) < numberOf(other);
}

function numberOf(object: JsonObject): bigint {
  const version = text(object, 'metadata', 'resourceVersion');
  return /^\d{1,20}$/.test(version) ? BigInt(version) : 0n;
}

function idOf(object: JsonObject): string {
  return `${text(object, 'metadata', 'namespace')}/${text(object, 'metadata', 'name')}`;
}

function pathOf({ group, version, resource }: RecordedInformer): string {
  return group === '' ? `api/${version}/${resource}` : `apis/${group}/${version}/${resource}`;
}

function collectionOf(path: readonly string[]): {
  readonly namespace: string | undefined;
  readonly path: string;
} {
  const at = path.indexOf('namespaces');
  if (at < 2 || path.length < at + 3) return { namespace: undefined, path: path.join('/') };
  return { namespace: path[at + 1], path: [...path.slice(0, at), ...path.slice(at + 2)].join('/') };
}

function listResponse(resource: Resource, selects: (object: JsonObject) => boolean): APIResponse {
  const { group, version, kind } = resource.informer;
  const items = [...resource.objects.values()].filter(selects);
  const [first] = items;
  const isMetadata = text(first, 'kind') === 'PartialObjectMetadata';
  const listKind = isMetadata ? 'PartialObjectMetadataList' : `${kind}List`;
  const apiVersion = isMetadata ? 'meta.k8s.io/v1' : group === '' ? version : `${group}/${version}`;
  const metadata = { resourceVersion: versionOf(resource) };
  return jsonResponse(200, { kind: listKind, apiVersion, metadata, items });
}

/** Returns the version of the newest object, or a version before all. */
function versionOf({ objects, changes }: Resource): string {
  let newest = 1n;
  const all = [...objects.values(), ...changes.map(({ object }) => object)];
  for (const object of all) {
    const version = numberOf(object);
    if (version > newest) newest = version;
  }
  return String(newest);
}

/** Returns a response whose body is the value as JSON. */
export function jsonResponse(status: number, value: unknown): APIResponse {
  const isText = typeof value === 'string' || value === undefined;
  const body = isText ? (value ?? '') : JSON.stringify(value);
  const headers = { 'content-type': isText ? 'text/plain' : 'application/json' };
  return { status, headers, body: oneChunk(Buffer.from(body)), cancel: () => undefined };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function watchResponse(
  resource: Resource,
  query: URLSearchParams,
  selects: (object: JsonObject) => boolean,
  signal: AbortSignal | undefined,
): APIResponse {
  const watch = new Watch(selects, () => resource.watches.delete(watch));
  const since = query.get('resourceVersion') ?? '';
  if (query.get('sendInitialEvents') === 'true') {
    for (const object of resource.objects.values()) watch.send({ isDeletion: false, object });
    watch.bookmark(versionOf(resource), resource.informer);
  } else {
    const seen = resource.changes.findLastIndex(
      ({ object }) => text(object, 'metadata', 'resourceVersion') === since,
    );
    const isOld = seen < 0 && since !== versionOf(resource);
    const missed = seen >= 0 || isOld ? resource.changes.slice(seen + 1) : [];
    for (const object of resource.objects.values()) watch.assume(object);
    for (const change of missed) watch.send(change);
  }
  resource.watches.add(watch);
  signal?.addEventListener('abort', () => watch.end(), { once: true });
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: watch, cancel: () => watch.end() };
}

/** The body of a watch. */
class Watch implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #selects: (object: JsonObject) => boolean;
  readonly #onEnd: () => void;
  readonly #sent = new Set<string>();
  readonly #events: object[] = [];
  #isOver = false;
  /** Whether the reader waits for the next event. */
  #isWaiting = false;
  #wake: () => void = () => undefined;

  constructor(selects: (object: JsonObject) => boolean, onEnd: () => void) {
    this.#selects = selects;
    this.#onEnd = onEnd;
  }

  get isRead(): boolean {
    return this.#isWaiting && this.#events.length === 0;
  }

  /** Takes an object as known to the reader: it was in the list before. */
  assume(object: JsonObject): void {
    if (this.#selects(object)) this.#sent.add(idOf(object));
  }

  /** Sends a change. An object that is no longer selected is deleted for the watch. */
  send({ isDeletion, object }: Change): void {
    const id = idOf(object);
    const isSelected = this.#selects(object);
    if (!isSelected && !this.#sent.has(id)) return;
    const isKnown = this.#sent.has(id);
    if (isDeletion || !isSelected) this.#sent.delete(id);
    else this.#sent.add(id);
    const type = isDeletion || !isSelected ? 'DELETED' : isKnown ? 'MODIFIED' : 'ADDED';
    this.#push({ type, object });
  }

  /** Sends the mark after the initial objects. */
  bookmark(resourceVersion: string, { group, version, kind }: RecordedInformer): void {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const apiVersion = group === '' ? version : `${group}/${version}`;
    this.#push({
      type: 'BOOKMARK',
      object: { apiVersion, kind, metadata: { resourceVersion, annotations } },
    });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#wake();
  }

  #push(event: object): void {
    this.#events.push(event);
    this.#wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    while (this.#events.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#isWaiting = true;
        this.#wake = resolve;
      });
    this.#isWaiting = false;
    const event = this.#isOver ? undefined : this.#events.shift();
    if (event === undefined) return { done: true, value: undefined };
    return { done: false, value: Buffer.from(`${JSON.stringify(event)}\n`) };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }
}
