/**
 * REST client of controllers: writes are refused without leadership, skipped if they would change nothing,
 * and recorded in the caches.
 */

import { isConflict, type RESTClient } from '@kgen/runtime';
import { type RESTInterceptor, type RESTRequest, wrapRESTClient } from '@kgen/runtime/rest';
import type { NoopWrites, WriteRequest } from '../apply/noop-writes.ts';
import { isObject, isTerminating, type JsonObject, member, metadataString } from '../members.ts';
import { linkedSignal, SignalFollowers } from './linked-signal.ts';
import { checkOwners, type OwnerCaches } from './owner-guard.ts';
import { isObjectResponse, type RequestTarget, requestTarget } from './request-target.ts';
import { currentRun, type RunResponse, type RunScope, type RunWrite } from './run-scope.ts';
import { isMutating, withGuard } from './write-guard.ts';
import { bodyOf, SentRequest } from './write-request.ts';

/** Leadership as clients need it. */
export interface WriteFence {
  /** @throws if this process must not write */
  check(): void;
  /** Aborts when leadership has ended. */
  readonly signal: AbortSignal;
  /** Identifies the ownership under which the present run, or a call outside of runs, writes. */
  readonly scope: object;
}

/** An object of a cache. */
export interface CachedObject {
  readonly object: object;
  /** Whether it has every member that the server sent, except for `managedFields`. */
  readonly isWhole: boolean;
}

/** Caches in which writes are recorded. */
export interface WriteCaches {
  /** Returns the cached object, if an informer of the resource has it: a whole one if possible. */
  get(target: RequestTarget): CachedObject | undefined;
  /** Records the object of a response. Returns whether every cache of the resource contains it now. */
  wrote(target: RequestTarget, object: object): boolean;
  /** Records a deletion that was completed. */
  deleted(target: RequestTarget, uid: string | undefined): void;
}

/** Parts of a managed client. */
export interface ManagedClientParts {
  readonly rest: RESTClient;
  /** Option `fieldManager` of `rest`, for writes that set none. Default: none. */
  readonly fieldManager?: string | undefined;
  /** Absent if writes need no leadership. */
  readonly fence: WriteFence | undefined;
  /** Scope of writes that need no leadership. Default: none, if no other process writes. */
  readonly openScope?: object | undefined;
  readonly caches: WriteCaches;
  /** Informers of owners, by which references of writes are checked. Default: they are not. */
  readonly owners?: OwnerCaches | undefined;
  readonly noops: NoopWrites;
}

/** Creates a client of controllers. Its `RESTClient` must call `checkGuard` before each attempt. */
export function managedClient(parts: ManagedClientParts): RESTClient {
  return wrapRESTClient(parts.rest, new ManagedRequests(parts));
}

/** A write that is sent. */
interface SentWrite {
  readonly details: Pick<RunWrite, 'verb' | 'target' | 'fieldManager' | 'before'>;
  readonly write: WriteRequest;
  /** Called at the end of the request, if a run observes it. */
  readonly end: ((response: RunResponse) => void) | undefined;
}

class ManagedRequests implements RESTInterceptor {
  readonly #parts: ManagedClientParts;
  #fenceFollowers: SignalFollowers | undefined;

  constructor(parts: ManagedClientParts) {
    this.#parts = parts;
  }

  request: RESTInterceptor['request'] = (request, send) => {
    const run = currentRun();
    if (!isMutating(request.method)) return this.#read(request, run, send);
    return isDryRun(request) ? this.#dryRun(request, run, send) : this.#write(request, run, send);
  };

  stream: RESTInterceptor['stream'] = (request, send) => {
    const run = currentRun();
    if (!isMutating(request.method)) return linked([request.signal, run?.signal], send);
    return this.#writeStream(request, run, send);
  };

  #read(request: RESTRequest, run: RunScope | undefined, send: Send<unknown>): Promise<unknown> {
    if (run === undefined) return linked([request.signal], send);
    const target = requestTarget(request.path);
    const end = run.requested({ request, verb: verbOf(request), target, isWrite: false, before: undefined });
    return reported(
      linked([request.signal, run.signal], send),
      (response) => end({ type: 'response', response }),
      (error) => end({ type: 'error', error }),
    );
  }

  #dryRun(request: RESTRequest, run: RunScope | undefined, send: Send<unknown>): Promise<unknown> {
    const target = requestTarget(request.path);
    if (target === undefined) return this.#read(request, run, send);
    const write = this.#writeRequest(request, target, { fieldManager: '', verb: 'other' });
    return this.#read(request, run, this.#checked(write, target, send));
  }

  /** The body of the response is read by the caller: it shows nothing about the object. */
  async #writeStream<R>(request: RESTRequest, run: RunScope | undefined, send: Send<R>): Promise<R> {
    const target = requestTarget(request.path);
    const write = target && this.#writeRequest(request, target, { fieldManager: '', verb: 'other' });
    if (write !== undefined) this.#parts.noops.decide(write, undefined);
    try {
      return await this.#guarded(request, run, send);
    } finally {
      if (write !== undefined) this.#parts.noops.failed(write, { isRefused: false });
    }
  }

  async #write(
    request: RESTRequest,
    run: RunScope | undefined,
    send: Parameters<RESTInterceptor['request']>[1],
  ): Promise<unknown> {
    const target = requestTarget(request.path);
    const verb = verbOf(request);
    if (target === undefined) {
      const end = run?.requested({ request, verb, target, isWrite: true, before: undefined });
      return reported(
        this.#guarded(request, run, send),
        (response) => end?.({ type: 'response', response }),
        (error) => end?.({ type: 'error', error }),
      );
    }
    const fieldManager = fieldManagerOf(request) ?? this.#parts.fieldManager;
    const write = this.#writeRequest(request, target, { fieldManager: fieldManager ?? '' });
    const cached = this.#parts.caches.get(target);
    const before = cached?.object;
    const end = run?.requested({ request, verb, target, isWrite: true, before });
    const decision = this.#parts.noops.decide(write, before, cached?.isWhole);
    if (decision !== 'send') {
      run?.skipped(write);
      end?.({ type: 'skipped', response: decision.skip });
      return decision.skip;
    }
    const details = { verb, target, fieldManager, before };
    const sent = this.#guarded(request, run, this.#checked(write, target, send));
    return this.#sent(request, run, sent, { details, write, end });
  }

  /** Records the end of a write before its caller continues. */
  async #sent(
    request: RESTRequest,
    run: RunScope | undefined,
    sent: Promise<unknown>,
    { details, write, end }: SentWrite,
  ): Promise<unknown> {
    const { noops } = this.#parts;
    const { target } = details;
    const common = {
      ...details,
      isNameGenerated: isNameGenerated(request),
      isCreation: request.method === 'POST' && target.subresource === undefined,
      isDeletion: request.method === 'DELETE' && target.subresource === undefined,
    };
    const isOfSeveral = common.isDeletion && target.name === undefined;
    if (isOfSeveral) noops.forget();
    try {
      const response = await sent;
      const isVisible = this.#record(request, target, response);
      const object = isObject(response) ? response : undefined;
      const after = run && object && this.#cached(target, object);
      // Before the handlers of the recorded write, which are called in a later microtask.
      end?.({ type: 'response', response, after });
      noops.record(write, response);
      run?.wrote({ ...common, object, after, isVisible });
      return response;
    } catch (error) {
      end?.({ type: 'error', error });
      // The server may have executed a request whose response was lost.
      const isRefused = isRefusal(error);
      // A conflict shows that the cache lacks a write: a lost one of this process, perhaps.
      noops.failed(write, { isRefused: isRefused && !isConflict(error) });
      if (!isRefused) run?.wrote({ ...common, object: undefined, isVisible: false });
      throw error;
    } finally {
      if (isOfSeveral) noops.forget();
    }
  }

  #writeRequest(
    request: RESTRequest,
    target: RequestTarget,
    more: { readonly fieldManager: string; readonly verb?: 'other' },
  ): WriteRequest {
    const scope = this.#parts.fence?.scope ?? this.#parts.openScope;
    return new SentRequest(request, target, { ...more, scope });
  }

  #record(request: RESTRequest, target: RequestTarget, response: unknown): boolean {
    const { caches } = this.#parts;
    if (!isObject(response) || !isObjectResponse(target)) return false;
    if (request.method === 'DELETE') {
      if (target.name === undefined) return false;
      if (isHeld(response)) return caches.wrote(target, response);
      caches.deleted(target, uidOf(response));
      return true;
    }
    const name = metadataString(response, 'name');
    if (name === undefined) return false;
    return caches.wrote({ ...target, name }, response);
  }

  /** Returns the object of a response as the cache has it, unless that is newer already. */
  #cached(target: RequestTarget, response: JsonObject): object | undefined {
    const cached = this.#parts.caches.get(target)?.object;
    const version = metadataString(response, 'resourceVersion');
    return version !== undefined && metadataString(cached, 'resourceVersion') === version
      ? cached
      : undefined;
  }

  /** Returns a function that sends a write after a check of the owners in its body. */
  #checked<R>({ body, name }: WriteRequest, target: RequestTarget, send: Send<R>): Send<R> {
    const { caches, owners } = this.#parts;
    if (owners === undefined) return send;
    return (changes) => {
      const cached = caches.get({ ...target, name })?.object;
      const checking = checkOwners({ body, target, cached, signal: changes.signal }, owners);
      return checking === undefined ? send(changes) : after(checking, () => send(changes));
    };
  }

  /** Sends a request whose attempts are refused without leadership, or if the run was abandoned. */
  #guarded<R>(request: RESTRequest, run: RunScope | undefined, send: Send<R>): Promise<R> {
    const { fence } = this.#parts;
    const guard = (): void => {
      if (run === undefined) fence?.check();
      else run.checkWrite(fence);
    };
    const guarded: Send<R> = (changes) =>
      withGuard(guard, () => {
        guard();
        return send(changes);
      });
    return linked([request.signal, run?.signal], guarded, this.#followFence());
  }

  /** Returns the followers of the fence's signal, which is another one in each term of an election. */
  #followFence(): SignalFollowers | undefined {
    const signal = this.#parts.fence?.signal;
    if (signal !== this.#fenceFollowers?.source) this.#fenceFollowers = signal && new SignalFollowers(signal);
    return this.#fenceFollowers;
  }
}

/** Sends a request with other members. */
type Send<R> = (changes: { readonly signal?: AbortSignal | undefined }) => Promise<R>;

/** Sends a request that ends with any of the signals. */
function linked<R>(
  signals: readonly (AbortSignal | undefined)[],
  send: Send<R>,
  lasting?: SignalFollowers,
): Promise<R> {
  const sources = signals.filter((signal) => signal !== undefined);
  const isSingle = sources.length < 2 && lasting === undefined;
  return isSingle ? sendWith(sources[0], send) : sendLinked(sources, send, lasting);
}

/** Rejects if `send` throws. */
async function sendWith<R>(signal: AbortSignal | undefined, send: Send<R>): Promise<R> {
  return send({ signal });
}

async function sendLinked<R>(
  signals: readonly AbortSignal[],
  send: Send<R>,
  lasting: SignalFollowers | undefined,
): Promise<R> {
  const { signal, release } = linkedSignal(signals, lasting);
  try {
    return await send({ signal });
  } finally {
    release();
  }
}

/** Errors of checks before a write was sent. */
const unsent = new WeakSet<Error>();

async function after<R>(checking: Promise<void>, send: () => Promise<R>): Promise<R> {
  try {
    await checking;
  } catch (error) {
    if (error instanceof Error) unsent.add(error);
    throw error;
  }
  return send();
}

/** Reports the end of a request before its caller continues. */
async function reported<R>(
  sent: Promise<R>,
  succeeded: (response: R) => void,
  failed: (error: unknown) => void,
): Promise<R> {
  try {
    const response = await sent;
    succeeded(response);
    return response;
  } catch (error) {
    failed(error);
    throw error;
  }
}

function verbOf({ operation, method = 'GET' }: RESTRequest): string {
  return operation?.verb ?? method;
}

function isNameGenerated(request: RESTRequest): boolean {
  if (request.method !== 'POST') return false;
  const body = bodyOf(request);
  const metadata = member(body, 'metadata');
  return !member(metadata, 'name') && member(metadata, 'generateName') !== undefined;
}

function fieldManagerOf({ query }: RESTRequest): string | undefined {
  return query?.find(([parameter]) => parameter === 'fieldManager')?.[1];
}

/** Deletions contain `dryRun` in their body. */
function isDryRun(request: RESTRequest): boolean {
  const { method, query = [] } = request;
  if (query.some(([name, value]) => name === 'dryRun' && value !== '')) return true;
  return method === 'DELETE' && member(bodyOf(request), 'dryRun') !== undefined;
}

/** A deletion that finalizers or a grace period hold: the object is stored until then. */
function isHeld(response: JsonObject): boolean {
  const metadata = member(response, 'metadata');
  const finalizers = member(metadata, 'finalizers');
  const grace = member(metadata, 'deletionGracePeriodSeconds');
  const isBlocked = Array.isArray(finalizers) && finalizers.length > 0;
  return isTerminating(response) && (isBlocked || (typeof grace === 'number' && grace > 0));
}

/** Of the deleted object, or of the `Status` in its place. */
function uidOf(response: JsonObject): string | undefined {
  if (member(response, 'kind') !== 'Status') return metadataString(response, 'uid');
  const uid = member(member(response, 'details'), 'uid');
  return typeof uid === 'string' ? uid : undefined;
}

/** Nothing was stored: the server decided so, or the write was not sent. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return (
    unsent.has(error) ||
    error.name === 'LeadershipLostError' ||
    error.name === 'AbandonedRunError' ||
    error.name === 'ShardNotOwnedError' ||
    error.name === 'OwnerTerminatingError' ||
    (error.name === 'ApiError' && typeof code === 'number' && code >= 400 && code < 500 && code !== 408)
  );
}
