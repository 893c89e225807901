/** Snapshots of all objects of a server, in memory and as text. */
import { array, at, isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import type { ControllerRunner } from '../controllers/runner.ts';
import type { Watches } from '../http/watches.ts';
import { nameOf, namespaceOf } from '../store/object-facts.ts';
import type { Snapshot, Store, StoreContent } from '../store/store.ts';

/** All objects of a server at one moment. It can be restored any number of times, on other servers too. */
export interface ServerSnapshot {
  /** Latest resourceVersion of the server when the snapshot was taken. */
  readonly resourceVersion: string;
}

/** The objects are immutable values, so a snapshot refers to them. */
class StoredSnapshot implements ServerSnapshot {
  readonly revision: number;
  readonly content: StoreContent;

  constructor(revision: number, content: StoreContent) {
    this.revision = revision;
    this.content = content;
  }

  get resourceVersion(): string {
    return String(this.revision);
  }
}

/** Returns all objects of a store. */
export function takeSnapshot(store: Store): ServerSnapshot {
  return new StoredSnapshot(store.revision, store.content());
}

/**
 * Replaces all objects by those of a snapshot. Every earlier resourceVersion is expired: open watches end
 * with an ERROR event 410, so that clients list again.
 * @throws {TypeError} for an object that `takeSnapshot` did not create
 */
export function restoreSnapshot(
  store: Store,
  watches: Watches,
  controllers: ControllerRunner,
  snapshot: ServerSnapshot,
): void {
  const { content, revision } = stored(snapshot, 'restore');
  store.replace(content, revision);
  store.beginWatches();
  watches.expire();
  controllers.resync();
}

function stored(snapshot: ServerSnapshot, name: string): StoredSnapshot {
  if (snapshot instanceof StoredSnapshot) return snapshot;
  throw new TypeError(`${name} needs a value that snapshot() of a test server or parseSnapshot returned`);
}

/** Kind of the documents that contain a snapshot, and the version of their format. */
const format = { kind: 'TestServerState', version: 1 } as const;

/** Release of Kubernetes whose objects this server stores. A later one can have fields that it would drop. */
const kubernetes = '1.36';

/**
 * Returns a snapshot as JSON, with a line for each object: the file of `kgen serve --save`. It contains the
 * objects as they are stored, with uids and resourceVersions, and Secrets without encryption.
 * @throws {TypeError} for a value that `snapshot()` of a server did not return
 */
export function serializeSnapshot(snapshot: ServerSnapshot): string {
  const { content, revision } = stored(snapshot, 'serializeSnapshot');
  const head = writeJson({ ...format, kubernetes, resourceVersion: String(revision) }).slice(0, -1);
  const kinds = [...content].sort(([a], [b]) => (a < b ? -1 : 1));
  const listed = kinds.map(([resource, entries]) => {
    const lines = entries.map(([, value]) => writeJson(value)).join(',\n');
    return `${JSON.stringify(resource)}:[\n${lines}\n]`;
  });
  return `${head},"objects":{\n${listed.join(',\n')}\n}}\n`;
}

/**
 * Returns the snapshot in a document of `serializeSnapshot`, for `restore` of any server.
 * @throws {Error} if it is not such a document, or has a later format or release of Kubernetes
 */
export function parseSnapshot(document: string): ServerSnapshot {
  const state = stateOf(document);
  const revision = revisionOf(own(state, 'resourceVersion'), 'the state');
  const kinds = Object.keys(object(state, 'objects'));
  return new StoredSnapshot(
    revision,
    new Map(kinds.map((resource) => [resource, entriesOf(state, resource, revision)])),
  );
}

/** @throws {Error} for another document, or a later one */
function stateOf(document: string): JsonObject {
  let state: Json = null;
  try {
    state = readJson(document);
  } catch (cause) {
    throw new Error(`a state must be JSON: ${messageOf(cause)}`, { cause });
  }
  if (!isObject(state) || own(state, 'kind') !== format.kind)
    throw new Error(`a state must have the kind ${format.kind}`);
  const version = own(state, 'version');
  if (version !== format.version)
    throw new Error(`the state has version ${String(version)}; this release reads version ${format.version}`);
  const release = text(state, 'kubernetes');
  if (isLater(release))
    throw new Error(`the state is of Kubernetes ${release}; this server is of ${kubernetes}`);
  return state;
}

function isLater(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = kubernetes.split('.').map(Number);
  return !(major < ownMajor || (major === ownMajor && minor <= ownMinor));
}

/** @throws {Error} if the member is not the decimal string of a revision */
function revisionOf(value: Json | undefined, place: string): number {
  if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new Error(`${place} must have a resourceVersion`);
}

/** Returns the objects of a kind with their keys. */
function entriesOf(state: JsonObject, resource: string, revision: number): Snapshot {
  const entries = array(state, 'objects', resource).map((value, index) => {
    const place = `objects[${JSON.stringify(resource)}][${index}]`;
    if (!isObject(value) || nameOf(value) === '' || text(value, 'kind') === '')
      throw new Error(`${place} must be an object with a kind and a name`);
    if (revisionOf(at(value, 'metadata', 'resourceVersion'), place) > revision)
      throw new Error(`${place} has a later resourceVersion than the state`);
    const namespace = namespaceOf(value);
    return [namespace === '' ? nameOf(value) : `${namespace}/${nameOf(value)}`, value] as const;
  });
  const keys = new Set(entries.map(([key]) => key));
  if (keys.size < entries.length) throw new Error(`objects[${JSON.stringify(resource)}] has an object twice`);
  return entries;
}
