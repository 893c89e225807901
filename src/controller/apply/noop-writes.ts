/** Detection of writes that would not change anything, for which requests need not be sent. */

import { isObject, type JsonObject, member, metadataString } from '../members.ts';
import { canonical, digestOf, memberNames } from './canonical.ts';
import { type FieldTree, hasManagedFields, OwnedFieldsMemory, ownedFieldsOf } from './field-tree.ts';
import { Lru } from './lru.ts';
import { ownedFieldsMatch } from './owned-fields.ts';
import { intentOf, type Projection, projectBody, projectFields, projectWhole } from './projection.ts';

/** A write of one object. */
export interface WriteRequest {
  /**
   * Form of the request: server-side apply of an object or subresource, PUT of the subresource `status`, or a
   * patch.
   */
  readonly verb: 'apply' | 'updateStatus' | 'patch';
  readonly group: string;
  readonly version: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  /** Subresource of an apply: `status`. Default: `''`, the object itself. */
  readonly subresource?: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly fieldManager: string;
  /** Body of the request: an object, or the operations of a JSON patch. */
  readonly body: unknown;
  /** Whether the server only validates the request. Such requests are always sent. Default: `false`. */
  readonly dryRun?: boolean | undefined;
}

/** Decision about a write: `send`, or the object to return in place of a response. */
export type WriteDecision<T> = 'send' | { readonly skip: T };

/** Options of `NoopWrites`. */
export interface NoopWritesOptions {
  /**
   * Number of objects whose last write is remembered. The least recently used are forgotten. Default:
   * 20,000.
   */
  readonly capacity?: number | undefined;
}

/**
 * Last writes of this process, by which writes without an effect are recognized. A write is skipped if its
 * body is that of the last write of the same manager to the object, and the cached object still has the
 * values that the server returned. Both sides of the comparison come from the server, so that its defaults
 * and normal forms do not count. The first write of an object is compared with `managedFields` if the
 * cached object has them; otherwise it is sent.
 */
export class NoopWrites {
  readonly #last: Lru<LastWrite>;
  readonly #owned = new OwnedFieldsMemory();
  /** Keys of requests between `decide` and `record`. */
  readonly #keys = new WeakMap<WriteRequest, WriteKey>();

  constructor(options: NoopWritesOptions = {}) {
    this.#last = new Lru(options.capacity ?? 20_000);
  }

  /**
   * Decides whether to send a write. `cached` is the newest object that informers have, `undefined` if
   * there is none. Pass the response of a write that was sent to `record`; without it, the next write is
   * sent too.
   */
  decide<T extends object>(request: WriteRequest, cached: T | undefined): WriteDecision<T> {
    if (request.dryRun === true) return 'send';
    if (request.verb === 'patch') {
      return cached !== undefined && isEmptyPatch(request.body) ? { skip: cached } : 'send';
    }
    if (!isObject(request.body)) return 'send';
    const key = this.#keyOf(request, request.body);
    if (cached !== undefined && isObject(cached) && this.#isNoop(request, request.body, key, cached)) {
      return { skip: cached };
    }
    this.#expect(key, cached);
    return 'send';
  }

  /** Records the response of a write that was sent. */
  record(request: WriteRequest, response: object): void {
    if (request.dryRun === true || request.verb === 'patch') return;
    if (!isObject(request.body) || !isObject(response)) return;
    const key = this.#keyOf(request, request.body);
    const pending = this.#last.get(key.id);
    // Responses of overlapping writes arrive in any order: neither is known to be the last one.
    if (pending?.body !== key.body) return;
    if (isEmptiedMember(pending.before, response, request.body)) return;
    this.#remember(request, request.body, key, response, pending.isUncertain);
  }

  /** Forgets every write, for example after another process may have written with the same field manager. */
  clear(): void {
    this.#last.clear();
  }

  #keyOf(request: WriteRequest, body: JsonObject): WriteKey {
    const known = this.#keys.get(request);
    if (known !== undefined) return known;
    const key = { id: idOf(request), body: bodyDigest(request, body) };
    this.#keys.set(request, key);
    return key;
  }

  #isNoop(request: WriteRequest, body: JsonObject, key: WriteKey, cached: JsonObject): boolean {
    if (!meetsPreconditions(request, body, cached)) return false;
    const last = this.#last.get(key.id);
    if (last?.body === key.body && last.result !== undefined) {
      if (!isUnchanged(last.result, request, body, cached)) return false;
      const result = { ...last.result, version: metadataString(cached, 'resourceVersion') };
      if (result.version !== last.result.version) this.#last.set(key.id, { ...last, result });
      return true;
    }
    if (!matchesFirst(request, body, cached)) return false;
    this.#remember(request, body, key, cached, false);
    return true;
  }

  /** Replaces the last write by one without a result: until its response arrives, nothing is skipped. */
  #expect({ id, body }: WriteKey, before: object | undefined): void {
    const last = this.#last.get(id);
    const isOther = last !== undefined && last.result === undefined && last.body !== body;
    const isUncertain = isOther || last?.isUncertain === true;
    this.#last.set(id, { body, result: undefined, isUncertain, before });
  }

  #remember(
    request: WriteRequest,
    body: JsonObject,
    key: WriteKey,
    object: JsonObject,
    isUncertain: boolean,
  ): void {
    const owned = request.verb === 'apply' ? this.#owned.of(object, managerOf(request)) : undefined;
    const fields = owned?.fields;
    const part = projectionOf({ fields, isWhole: false }, request, body, object);
    const isWhole = isUncertain || !part.isComplete;
    const compared = isWhole ? projectionOf({ fields, isWhole }, request, body, object) : part;
    const result: WriteResult = {
      fields,
      isWhole,
      uid: metadataString(object, 'uid'),
      owned: owned?.text,
      values: digestOf(compared.text),
      version: metadataString(object, 'resourceVersion'),
    };
    this.#last.set(key.id, { body: key.body, result, isUncertain: false, before: undefined });
  }
}

/** Object and content of a write. */
interface WriteKey {
  readonly id: string;
  /** Digest of the body. */
  readonly body: string;
}

/** Last write of a manager to an object. */
interface LastWrite {
  /** Digest of the body. */
  readonly body: string;
  /** Values after the write. `undefined` until the response arrives. */
  readonly result: WriteResult | undefined;
  /** Whether another body was sent before, without a response: it may take effect at any time. */
  readonly isUncertain: boolean;
  /** Cached object before the write, until the response arrives. */
  readonly before: object | undefined;
}

/**
 * Returns whether the server removed a member that the body sets. An apply that removes the last part of a
 * map also removes the map, although the body sets it to `{}`; the next apply would create it, with its
 * defaults.
 */
function isEmptiedMember(before: unknown, response: JsonObject, body: JsonObject): boolean {
  return memberNames(body).some((key) => {
    const [old, stored, wanted] = [member(before, key), member(response, key), body[key]];
    if (stored === undefined) return old !== undefined && old !== null && wanted !== null;
    return isObject(stored) && isObject(wanted) && isEmptiedMember(old, stored, wanted);
  });
}

/** Part of an object that is compared. */
interface ComparedPart {
  /** Owned fields. `undefined` if the response had none: the fields of the body are compared. */
  readonly fields: FieldTree | undefined;
  /** Whether the whole object is compared. */
  readonly isWhole: boolean;
}

interface WriteResult extends ComparedPart {
  readonly uid: unknown;
  /** Canonical JSON of the owned fields. */
  readonly owned: string | undefined;
  /** Digest of the compared part. */
  readonly values: string;
  /** Newest resourceVersion that has these values. */
  readonly version: unknown;
}

/** Returns whether a later object still has the values that the server returned. */
function isUnchanged(
  last: WriteResult,
  request: WriteRequest,
  body: JsonObject,
  cached: JsonObject,
): boolean {
  if (last.uid !== metadataString(cached, 'uid')) return false;
  const version = metadataString(cached, 'resourceVersion');
  if (version !== undefined && version === last.version) return true;
  if (request.verb === 'apply' && last.owned !== undefined && hasManagedFields(cached)) {
    if (ownedFieldsOf(cached, managerOf(request))?.text !== last.owned) return false;
  }
  return digestOf(projectionOf(last, request, body, cached).text) === last.values;
}

function projectionOf(
  part: ComparedPart,
  request: WriteRequest,
  body: JsonObject,
  object: JsonObject,
): Projection {
  if (request.verb === 'updateStatus') {
    return { text: statusOf(object, userMetadataOf(body)), isComplete: true };
  }
  if (part.isWhole) {
    return projectWhole(object, request.subresource === 'status' || member(body, 'status') !== undefined);
  }
  return part.fields === undefined ? projectBody(object, body) : projectFields(object, part.fields, body);
}

/** Returns whether the request has no effect on an object to which this process has not written yet. */
function matchesFirst(request: WriteRequest, body: JsonObject, cached: JsonObject): boolean {
  if (request.verb === 'apply') return ownedFieldsMatch(body, cached, managerOf(request));
  const metadata = userMetadataOf(body);
  // Some kinds also update metadata with the status. An older body differs from the cache without an intent.
  const compared =
    metadataString(body, 'resourceVersion') === metadataString(cached, 'resourceVersion') ? metadata : {};
  return statusOf(body, compared) === statusOf(cached, compared);
}

/** Returns whether the uid and resourceVersion of a body are those of the cached object. */
function meetsPreconditions(request: WriteRequest, body: JsonObject, cached: JsonObject): boolean {
  const [uid, version] = [metadataString(body, 'uid'), metadataString(body, 'resourceVersion')];
  if (uid !== undefined && uid !== metadataString(cached, 'uid')) return false;
  if (version === undefined || version === '' || version === metadataString(cached, 'resourceVersion'))
    return true;
  // The author of a status that was computed from an older object wants the status that is cached now.
  return request.verb === 'updateStatus' && isOlder(version, metadataString(cached, 'resourceVersion'));
}

/** Compares versions of one object. Versions that are not decimal numbers are not comparable. */
function isOlder(version: unknown, than: unknown): boolean {
  const decimal = /^[0-9]{1,40}$/;
  if (typeof version !== 'string' || typeof than !== 'string') return false;
  return decimal.test(version) && decimal.test(than) && BigInt(version) < BigInt(than);
}

function isEmptyPatch(body: unknown): boolean {
  return Array.isArray(body) ? body.length === 0 : isObject(body) && Object.keys(body).length === 0;
}

/**
 * Returns the digest of the content of a body: without its resourceVersion if that is only a precondition.
 */
function bodyDigest({ verb }: WriteRequest, body: JsonObject): string {
  return digestOf(verb === 'apply' ? canonical(intentOf(body)) : statusOf(body, userMetadataOf(body)));
}

/** Returns the metadata of a status update that some kinds store. */
function userMetadataOf(body: JsonObject): JsonObject {
  const metadata = member(body, 'metadata');
  if (!isObject(metadata)) return {};
  return Object.fromEntries(stored.flatMap((key) => (key in metadata ? [[key, metadata[key]]] : [])));
}

const stored = ['annotations', 'finalizers', 'labels', 'ownerReferences'];

/** Returns the status of an object, with the members of its metadata that `like` has. */
function statusOf(object: JsonObject, like: JsonObject): string {
  const metadata = member(object, 'metadata');
  const compared = Object.keys(like).map((key) => [key, canonical(member(metadata, key))]);
  return canonical([member(object, 'status') ?? {}, compared]);
}

function idOf(request: WriteRequest): string {
  const { verb, group, version, resource, namespace, name, fieldManager } = request;
  const subresource = verb === 'updateStatus' ? 'status' : (request.subresource ?? '');
  return [group, version, resource, subresource, namespace, name, verb, fieldManager].join('\n');
}

function managerOf(request: WriteRequest): { readonly manager: string; readonly subresource: string } {
  return { manager: request.fieldManager, subresource: request.subresource ?? '' };
}
