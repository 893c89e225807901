/** Detection of writes that would not change anything, for which requests need not be sent. */

import { isObject, type JsonObject, metadataString } from '../members.ts';
import { digestOf } from './canonical.ts';
import { hasManagedFields, ownedDigestOf } from './field-tree.ts';
import { Lru } from './lru.ts';
import {
  begin,
  confirm,
  doubt,
  end,
  expect,
  forgetAll,
  type LastWrite,
  lastOf,
  newState,
  type ObjectWrites,
  remember,
  renew,
  repeat,
  type Scopes,
  type WriteContent,
  type WriteResult,
} from './object-writes.ts';
import {
  type ApplyEffect,
  bodyDigest,
  effectOf,
  hasPreconditions,
  isOlder,
  matchesCached,
  meetsPreconditions,
  resultDigest,
  sharesCompared,
} from './write-comparison.ts';

/** A write of one object. */
export interface WriteRequest {
  /**
   * Form of the request: server-side apply of an object or subresource, PUT of the subresource `status`, a
   * patch that contains no change, or a write that is not comparable, such as another patch or a deletion.
   */
  readonly verb: 'apply' | 'updateStatus' | 'patch' | 'other';
  readonly group: string;
  readonly version: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  /** Subresource of the request: `status`. Default: `''`, the object itself. */
  readonly subresource?: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly fieldManager: string;
  /** Body of the request. `undefined` if it is not readable. May be read from `text` on demand. */
  readonly body: unknown;
  /** Text of the body, if it is sent as one. Bodies with equal texts are not read again. */
  readonly text?: string | undefined;
  /** Value from which the body was written: it may share parts with cached objects. Default: `body`. */
  readonly source?: unknown;
  /**
   * Ownership under which the write is sent: another object for each term of a leader, and for each time at
   * which a shard is gained. Results of writes count in their own scope only. Default: `undefined`, if no
   * other process writes with the field manager.
   */
  readonly scope?: object | undefined;
}

/** Decision about a write: `send`, or the object to return in place of a response. */
export type WriteDecision<T> = 'send' | { readonly skip: T };

/** Memory of an object with its key, and of a write with its digests, as measured with Node.js 24. */
const objectBytes = 690;
const writeBytes = 600;

/** Options of `NoopWrites`. */
export interface NoopWritesOptions {
  /**
   * Number of objects whose last writes are remembered, about 1.3 kB each. The least recently used are
   * forgotten: their next writes are sent. Default: 200,000, so that an operator of 100,000 objects with one
   * dependent each repeats no write at rest.
   */
  readonly capacity?: number | undefined;
}

/**
 * Last writes of this process, by which writes without an effect are recognized. The rule: a write is skipped
 * only if the server could not end in another state; if that does not follow from the responses to earlier
 * writes and from the cache, the write is sent.
 *
 * A write is skipped if its body is that of the last write of its manager, and the cached object has the
 * version of the response, or is equal to it apart from parts that the write does not determine. Both sides
 * of the comparison come from the server, so that its defaults and normal forms do not count. A body is
 * compared with the cached object itself only if the cache certainly contains all earlier writes of this
 * ownership. Only `managedFields` show that an apply still owns its fields: without them, it is repeated once
 * after each change by others.
 */
export class NoopWrites {
  readonly #objects: Lru<ObjectWrites>;
  /** Requests between `decide` and `record` or `failed`. */
  readonly #open = new WeakMap<WriteRequest, OpenWrite>();
  /** Whether every object that may have an unconfirmed write is in `#objects`. */
  #isComplete = true;
  /** The last ownership that was added. */
  #present: Scopes = [undefined];

  constructor(options: NoopWritesOptions = {}) {
    this.#objects = new Lru(options.capacity ?? 200_000);
  }

  /** Number of objects whose writes are remembered, and their estimated memory in bytes. */
  get memory(): { readonly objects: number; readonly bytes: number } {
    let writes = 0;
    for (const { last } of this.#objects.values()) writes += last.length;
    const objects = this.#objects.size;
    return { objects, bytes: objects * objectBytes + writes * writeBytes };
  }

  /**
   * Decides whether to send a write. `cached` is the newest object that informers have, `undefined` if there
   * is none; `isWhole` states whether it has every member that the server sent, except for `managedFields`.
   * Pass the end of a write that was sent to `record` or `failed`.
   */
  decide<T extends object>(request: WriteRequest, cached: T | undefined, isWhole = true): WriteDecision<T> {
    const { verb } = request;
    const known = isObject(cached) ? { object: cached, isWhole } : undefined;
    if (verb === 'patch' && cached !== undefined && this.#isCertain(request, known)) return { skip: cached };
    const id = objectIdOf(request);
    const state = this.#objects.get(id);
    const last = state && lastOf(state, request);
    const content = contentOf(request, last);
    if (
      content !== undefined &&
      cached !== undefined &&
      known !== undefined &&
      this.#isNoop(request, content, { known, state, last })
    ) {
      return { skip: cached };
    }
    this.#begin(id, state ?? newState(), { request, content, cached: known });
    return 'send';
  }

  /** Records the response of a write that was sent: an object, or something else that contains none. */
  record(request: WriteRequest, response: unknown): void {
    const write = this.#end(request);
    if (write === undefined) return;
    const object = isObject(response) ? response : undefined;
    const { state } = write;
    confirm(state, request.scope, object, write.wasUncertain);
    if (write.digest === undefined || object === undefined || write.opaque !== state.opaque) return;
    const last = lastOf(state, request);
    // Responses of overlapping writes arrive in any order: neither is known to be the last one.
    if (last === undefined || last.content.digest !== write.digest) return;
    if (isRepeated(effectOf(request, object, write.cached), last, object)) {
      repeat(last, object);
      return;
    }
    const isExact = write.wasUncertain || state.isUncertain || last.isDisputed;
    // Responses always have managedFields: their digest is needed only if the cached object has them, too.
    const isOwnerKnown = write.cached === undefined || hasManagedFields(write.cached.object);
    this.#remember(request, last, object, { isExact, isOwnerKnown });
  }

  /** Records a failure of a write that was sent. Without `isRefused`, the server may have executed it. */
  failed(request: WriteRequest, { isRefused }: { readonly isRefused: boolean }): void {
    const write = this.#end(request);
    if (write !== undefined && !isRefused) doubt(write.state);
  }

  /** Forgets the results of all writes, before and after one of several objects. */
  forget(): void {
    this.#isComplete = false;
    for (const state of this.#objects.values()) forgetAll(state);
  }

  #begin(id: string, state: ObjectWrites, { request, content, cached }: BegunWrite): void {
    const evicted = this.#objects.set(id, state);
    if (evicted !== undefined && (evicted.open > 0 || evicted.isUncertain)) this.#isComplete = false;
    begin(state, request, content);
    const { isUncertain: wasUncertain, opaque } = state;
    this.#open.set(request, { state, digest: content?.digest, cached, wasUncertain, opaque });
  }

  #end(request: WriteRequest): OpenWrite | undefined {
    const write = this.#open.get(request);
    if (write === undefined) return undefined;
    this.#open.delete(request);
    end(write.state, write.digest !== undefined);
    return write;
  }

  #isNoop(request: WriteRequest, content: WriteContent, { known, state, last }: Compared): boolean {
    const { object, isWhole } = known;
    if (content.text === undefined && !meetsPreconditions(request.body, object)) return false;
    const isSame = last?.content.digest === content.digest && last.scopes.includes(request.scope);
    if (isSame && last.result !== undefined && isUnchanged(last.result, request, known)) {
      renew(last.result, state?.confirmed, object);
      return true;
    }
    if (!isWhole || sharesCompared(request, object) || !this.#isCurrent(state, request, object)) return false;
    if (!isObject(request.body) || !matchesCached(request, request.body, object)) return false;
    const remembered = expect(state ?? this.#insert(request), request, content);
    this.#remember(request, remembered, object, { isExact: false, isOwnerKnown: true });
    return true;
  }

  #insert(request: WriteRequest): ObjectWrites {
    const state = newState();
    this.#objects.set(objectIdOf(request), state);
    return state;
  }

  /** Returns whether the object exists, as far as this process and its cache know. */
  #isCertain(request: WriteRequest, known: KnownObject | undefined): boolean {
    return (
      known !== undefined && this.#isCurrent(this.#objects.get(objectIdOf(request)), request, known.object)
    );
  }

  /** Returns whether the cached object certainly contains all earlier writes of this ownership. */
  #isCurrent(state: ObjectWrites | undefined, { scope }: WriteRequest, cached: JsonObject): boolean {
    if (state === undefined) return scope === undefined && this.#isComplete;
    if (state.open > 0 || state.isUncertain) return false;
    const { confirmed } = state;
    if (confirmed === undefined) return state.isCached && scope === undefined;
    if (confirmed.scope !== scope || confirmed.uid !== metadataString(cached, 'uid')) return false;
    const version = metadataString(cached, 'resourceVersion');
    return version === confirmed.version || isOlder(confirmed.version, version);
  }

  /** Adds an ownership; lists of the present one alone are shared. */
  #with(scopes: Scopes, scope: object | undefined): Scopes {
    if (scopes.length > 0) return [...scopes, scope];
    if (this.#present[0] !== scope) this.#present = [scope];
    return this.#present;
  }

  #remember(
    request: WriteRequest,
    last: LastWrite,
    object: JsonObject,
    { isExact, isOwnerKnown }: { readonly isExact: boolean; readonly isOwnerKnown: boolean },
  ): void {
    const { scope } = request;
    const scopes = last.scopes.includes(scope) ? last.scopes : this.#with(last.scopes, scope);
    remember(last, scopes, {
      isExact,
      uid: metadataString(object, 'uid'),
      version: metadataString(object, 'resourceVersion'),
      digest: resultDigest(request, object),
      owned: isOwnerKnown ? ownedDigestOf(object, managerOf(request)) : undefined,
    });
  }
}

/** A cached object. */
interface KnownObject {
  readonly object: JsonObject;
  readonly isWhole: boolean;
}

/** States with which a write is compared: that of the cache, and those of earlier writes. */
interface Compared {
  readonly known: KnownObject;
  readonly state: ObjectWrites | undefined;
  readonly last: LastWrite | undefined;
}

/** A write that is sent. */
interface BegunWrite {
  readonly request: WriteRequest;
  /** `undefined` for a write that is not comparable. */
  readonly content: WriteContent | undefined;
  readonly cached: KnownObject | undefined;
}

/** A write between its decision and its end. */
interface OpenWrite {
  readonly state: ObjectWrites;
  /** Digest of the body; `undefined` for a write that is not comparable. */
  readonly digest: string | undefined;
  readonly cached: KnownObject | undefined;
  readonly wasUncertain: boolean;
  /** `opaque` of the state at the beginning. */
  readonly opaque: number;
}

/** Returns the content of a write; `undefined` if it is not comparable. */
function contentOf(request: WriteRequest, last: LastWrite | undefined): WriteContent | undefined {
  if (request.verb !== 'apply' && request.verb !== 'updateStatus') return undefined;
  const text = request.text === undefined ? undefined : digestOf(request.version + request.text);
  if (text !== undefined && last?.content.text === text) return last.content;
  const { body } = request;
  if (!isObject(body)) return undefined;
  return { digest: bodyDigest(request, body), text: hasPreconditions(body) ? undefined : text };
}

/** Returns whether the write must be sent once more before its response is its only effect. */
function isRepeated(effect: ApplyEffect, last: LastWrite, response: JsonObject): boolean {
  if (effect === 'whole') return false;
  return effect === 'emptied' || last.repeats !== metadataString(response, 'resourceVersion');
}

/** Returns whether a later object is the one of the response, as far as the write determines it. */
function isUnchanged(result: WriteResult, request: WriteRequest, { object, isWhole }: KnownObject): boolean {
  if (result.uid !== metadataString(object, 'uid')) return false;
  const version = metadataString(object, 'resourceVersion');
  if (version !== undefined && version === result.version) return true;
  // A field that a reduced cache does not have may have changed.
  if (result.isExact || !isWhole || sharesCompared(request, object)) return false;
  if (request.verb === 'apply' && !keepsOwner(result, request, object)) return false;
  return resultDigest(request, object) === result.digest;
}

/** Returns whether the manager of an apply certainly owns what it owned after it. */
function keepsOwner({ owned }: WriteResult, request: WriteRequest, object: JsonObject): boolean {
  return owned !== undefined && ownedDigestOf(object, managerOf(request)) === owned;
}

/** Groups that serve objects of another group, too. */
const sharedStorage: Readonly<Record<string, string>> = { 'events.k8s.io': '' };

/** Field managers are those of an object, whatever the version by which it is written. */
function objectIdOf({ group, resource, namespace, name }: WriteRequest): string {
  return [sharedStorage[group] ?? group, resource, namespace, name].join('\n');
}

function managerOf(request: WriteRequest): { readonly manager: string; readonly subresource: string } {
  return { manager: request.fieldManager, subresource: request.subresource ?? '' };
}
