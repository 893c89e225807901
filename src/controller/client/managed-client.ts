/**
 * REST client of controllers: writes are refused without leadership, skipped if they would change nothing,
 * and recorded in the caches.
 */

import { isConflict, type RESTClient } from '@kgen/runtime';
import { type RESTInterceptor, type RESTRequest, wrapRESTClient } from '@kgen/runtime/rest';
import type { NoopWrites, WriteRequest } from '../apply/noop-writes.ts';
import { isObject, isTerminating, type JsonObject, member, metadataString } from '../members.ts';
import { linkedSignal, SignalFollowers } from './linked-signal.ts';
import { bodyOf } from './request-body.ts';
import { isObjectResponse, type RequestTarget, requestTarget } from './request-target.ts';
import { currentRun, type RunResponse, type RunScope, type RunWrite } from './run-scope.ts';
import { isMutating, withGuard } from './write-guard.ts';

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
    if (isMutating(request.method) && !isDryRun(request)) return this.#write(request, run, send);
    if (run === undefined) return linked([request.signal], send);
    const target = requestTarget(request.path);
    const end = run.requested({ request, verb: verbOf(request), target, isWrite: false, before: undefined });
    return reported(
      linked([request.signal, run.signal], send),
      (response) => end({ type: 'response', response }),
      (error) => end({ type: 'error', error }),
    );
  };

  stream: RESTInterceptor['stream'] = (request, send) => {
    const run = currentRun();
    if (!isMutating(request.method)) return linked([request.signal, run?.signal], send);
    return this.#writeStream(request, run, send);
  };

  /** The body of the response is read by the caller: it shows nothing about the object. */
  async #writeStream<R>(request: RESTRequest, run: RunScope | undefined, send: Send<R>): Promise<R> {
    const target = requestTarget(request.path);
    const write = target && { ...this.#writeRequest(request, target), verb: 'other' as const };
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
    const write = this.#writeRequest(request, target, fieldManager);
    const isComparable = write.verb !== 'other';
    const cached = isComparable || run ? this.#parts.caches.get(target) : undefined;
    const before = cached?.object;
    const end = run?.requested({ request, verb, target, isWrite: true, before });
    const decision = this.#parts.noops.decide(write, before, cached?.isWhole);
    if (decision !== 'send') {
      run?.skipped(write.verb);
      end?.({ type: 'skipped', response: decision.skip });
      return decision.skip;
    }
    const details = { verb, target, fieldManager, before };
    return this.#sent(request, run, this.#guarded(request, run, send), { details, write, end });
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

  /** Returns the write, whose body is readable if it is one that can be compared with the cache. */
  #writeRequest(request: RESTRequest, target: RequestTarget, fieldManager = ''): WriteRequest {
    const { group, version, resource, namespace = '', subresource } = target;
    const verb = comparableVerb(request, target);
    const body = verb === 'other' && target.name !== undefined ? undefined : bodyOf(request);
    const { source } = request;
    const scope = this.#parts.fence?.scope ?? this.#parts.openScope;
    const name = target.name ?? metadataString(body, 'name') ?? '';
    return {
      verb,
      group,
      version,
      resource,
      namespace,
      name,
      subresource,
      fieldManager,
      body,
      source,
      scope,
    };
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
  return isSingle ? send({ signal: sources[0] }) : sendLinked(sources, send, lasting);
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

/** Writes that can be compared with the cache: those of one object with a readable body. */
function comparableVerb(request: RESTRequest, { name, subresource }: RequestTarget): WriteRequest['verb'] {
  if (name === undefined || (subresource !== undefined && subresource !== 'status')) return 'other';
  if (request.method === 'PUT') return subresource === 'status' ? 'updateStatus' : 'other';
  if (request.method !== 'PATCH') return 'other';
  const type = headerOf(request, 'content-type') ?? '';
  if (type.startsWith('application/apply-patch')) return 'apply';
  return emptyPatches.get(type) === request.body ? 'patch' : 'other';
}

/** Bodies of patches that contain no change, by media type. */
const emptyPatches: ReadonlyMap<string, string> = new Map([
  ['application/json-patch+json', '[]'],
  ['application/merge-patch+json', '{}'],
  ['application/strategic-merge-patch+json', '{}'],
]);

function headerOf({ headers = {} }: RESTRequest, name: string): string | undefined {
  return Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
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

/** The server decided: nothing was stored. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return (
    error.name === 'LeadershipLostError' ||
    error.name === 'AbandonedRunError' ||
    error.name === 'ShardNotOwnedError' ||
    (error.name === 'ApiError' && typeof code === 'number' && code >= 400 && code < 500 && code !== 408)
  );
}
