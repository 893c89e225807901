/** One class for the verbs of all resources; the interfaces of `verbs.ts` say what a resource has of them. */
import { hasStatusCause, isNotFound } from '../errors.ts';
import type { KubernetesList, KubernetesObject, Scale, Status } from '../meta.ts';
import type {
  ApplyOptions,
  Bookmarks,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  IterateOptions,
  ListOptions,
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from '../options.ts';
import type { RESTClient } from '../rest/client.ts';
import { withinLimits } from '../rest/deadline.ts';
import type { Request } from '../rest/types.ts';
import type { Intent, Named, Stored } from '../types.ts';
import type {
  AllNamespaces,
  Apply,
  Create,
  CustomPatch,
  Delete,
  DeleteCollection,
  Get,
  ListIteration,
  Patch,
  Update,
  WaitFor,
  WriteScale,
  WriteStatus,
} from '../verbs.ts';
import type { BookmarkEvent, WatchEvent } from '../watch/events.ts';
import { Progress } from '../watch/progress.ts';
import { waitFor } from '../watch/wait.ts';
import { watch } from '../watch/watch.ts';
import { decodeList, decodeObject } from './decode.ts';
import { listWatch } from './list-watch.ts';
import { Pages } from './pages.ts';
import * as requests from './requests.ts';
import { timedWatch } from './timed-watch.ts';

/** Objects of any kind: what the class can rely on. */
type Any = KubernetesObject;
type Target = requests.Target;

/** Whether the server knows the resource and has no such object; a path that it does not know is another matter. */
function isAbsent(error: unknown): boolean {
  return isNotFound(error) && !hasStatusCause(error, 'UnexpectedServerResponse');
}

/** What can be asked of a collection, in one namespace or in all. */
export class CollectionClient<T extends Any, L extends KubernetesList<unknown>>
  implements AllNamespaces<T, L, string>
{
  protected readonly rest: RESTClient;
  protected readonly target: Target;

  constructor(rest: RESTClient, target: Target) {
    this.rest = rest;
    this.target = target;
  }

  async list(options?: ListOptions): Promise<L> {
    const request = requests.listRequest(this.target, options);
    return decodeList<L>(await this.rest.request(request), this.target.resource, request.operation);
  }

  iterate(options: IterateOptions = {}): ListIteration<T> {
    const { rest, target } = this;
    return new Pages<T>(async (page) => {
      const request = requests.listRequest(target, page);
      const answer = await rest.request(request);
      return decodeList<KubernetesList<Stored<T>>>(answer, target.resource, request.operation);
    }, options);
  }

  watch(options: WatchOptions & Bookmarks): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  watch(options: WatchOptions & Partial<Bookmarks> = {}): AsyncIterable<WatchEvent<T> | BookmarkEvent> {
    const { resourceVersion, bookmarks = false, onRetry } = options;
    const source = listWatch<T>(this.rest, this.target, options);
    const operation = { verb: 'watch', ...source.target };
    return timedWatch(
      (signal) => watch(source, { resourceVersion, bookmarks, signal, onRetry }),
      options,
      operation,
    );
  }
}

/** What can be asked of the objects of one namespace, or of a resource that is not in namespaces. */
export class ResourceClient<T extends Any, L extends KubernetesList<unknown>>
  extends CollectionClient<T, L>
  implements
    Get<T>,
    WaitFor<T>,
    Create<T>,
    Update<T>,
    Patch<T>,
    CustomPatch<T>,
    Apply<T>,
    Delete<T>,
    DeleteCollection<L, string>,
    WriteStatus<T>,
    WriteScale
{
  async get(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.#send(requests.getRequest(this.target, name, options));
  }

  async find(name: string, options?: GetOptions): Promise<Stored<T> | undefined> {
    try {
      return await this.get(name, options);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  waitFor<S extends Stored<T> | undefined>(
    name: string,
    predicate: (object: Stored<T> | undefined) => object is S,
    options?: WaitOptions,
  ): Promise<S>;
  waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Stored<T> | undefined>;
  async waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options: WaitOptions = {},
  ): Promise<Stored<T> | undefined> {
    return this.#waitFor(name, predicate, options, new Progress());
  }

  #waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options: WaitOptions,
    progress: Progress,
  ): Promise<Stored<T> | undefined> {
    const { operation } = requests.getRequest(this.target, name);
    const { headers, impersonate, signal, timeoutMs } = options;
    const one = { fieldSelector: { 'metadata.name': name }, headers, impersonate };
    const limits = { operation: { ...operation, verb: 'wait for' }, signal, timeoutMs, progress };
    return waitFor(listWatch<T>(this.rest, this.target, one), predicate, limits);
  }

  async create(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.#send(requests.createRequest(this.target, object, options));
  }

  async update(object: Named<T>, options?: WriteOptions): Promise<Stored<T>> {
    return this.#send(requests.updateRequest(this.target, object, options));
  }

  async patch(name: string, body: unknown, options?: requests.PatchRequestOptions): Promise<Stored<T>> {
    return this.#send(requests.patchRequest(this.target, name, body, options));
  }

  async apply(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>> {
    return this.#send(requests.applyRequest(this.target, intent, options));
  }

  async delete(name: string, options?: DeleteOptions): Promise<Stored<T> | Status> {
    return this.#send(requests.deleteRequest(this.target, name, options));
  }

  async deleteAndWait(name: string, options: DeleteOptions & WaitOptions = {}): Promise<void> {
    const { operation: deletion } = requests.deleteRequest(this.target, name);
    const { timeoutMs, signal, ...rest } = options;
    const progress = new Progress();
    const operation = { ...deletion, verb: 'delete and wait for' };
    const expired = () => progress.timedOut(`not gone within ${timeoutMs} ms`, operation);
    await withinLimits({ timeoutMs, signal, expired }, operation, (inner) =>
      this.#deleteAndWait(name, { ...rest, signal: inner }, progress),
    );
  }

  async deleteCollection(options?: DeleteCollectionOptions): Promise<L | Status> {
    const request = requests.deleteCollectionRequest(this.target, options);
    const answer = await this.rest.request(request);
    const object = decodeObject<L | Status>(answer, request.operation);
    return isStatus(object) ? object : decodeList<L>(answer, this.target.resource, request.operation);
  }

  async updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>> {
    return this.#send(requests.updateRequest(this.target, object, options, 'status'));
  }

  async patchStatus(name: string, body: unknown, options?: requests.PatchRequestOptions): Promise<Stored<T>> {
    return this.#send(requests.patchRequest(this.target, name, body, options, 'status'));
  }

  async applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>> {
    return this.#send(requests.applyRequest(this.target, intent, options, 'status'));
  }

  async getScale(name: string, options?: GetOptions): Promise<Stored<Scale>> {
    return this.#send(requests.getRequest(this.target, name, options, 'scale'));
  }

  async updateScale(scale: Named<Scale>, options?: WriteOptions): Promise<Stored<Scale>> {
    return this.#send(requests.updateRequest(this.target, scale, options, 'scale'));
  }

  async patchScale(
    name: string,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<Scale>> {
    return this.#send(requests.patchRequest(this.target, name, body, options, 'scale'));
  }

  /** The uid tells the object that was deleted from one that follows it under the same name. */
  async #deleteAndWait(
    name: string,
    options: DeleteOptions & WaitOptions,
    progress: Progress,
  ): Promise<void> {
    const deleted = await this.delete(name, options).catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (deleted === undefined || options.dryRun !== undefined) return;
    const uid = uidOf(deleted);
    if (!isStatus(deleted)) progress.seen(deleted);
    const isGone = (object: Stored<T> | undefined): boolean =>
      object === undefined || (uid !== undefined && object.metadata.uid !== uid);
    await this.#waitFor(name, isGone, options, progress);
  }

  async #send<R>(request: Request): Promise<R> {
    return decodeObject<R>(await this.rest.request(request), request.operation);
  }
}

function isStatus(answer: { kind?: string }): answer is Status {
  return answer.kind === 'Status';
}

/** Servers answer a deletion with the object, or with a `Status` whose details name it. */
function uidOf(answer: Any | Status): string | undefined {
  return isStatus(answer) ? answer.details?.uid : answer.metadata?.uid;
}
