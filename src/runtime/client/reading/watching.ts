/** Watches of collections, and waits for objects. Loaded with the first such call. */
import type { KubernetesObject, Status } from '../../api/meta.ts';
import type { BookmarkOptions, DeleteOptions, WaitOptions, WatchOptions } from '../../api/options.ts';
import type { AnySelection, SelectFields } from '../../api/selected.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import type { BookmarkEvent, WatchEvent } from '../../api/watch-events.ts';
import { withinLimits } from '../../rest/abort/deadline.ts';
import type { RESTClient } from '../../rest/client.ts';
import { isStatus } from '../../rest/response/is-status.ts';
import { Progress } from '../../watch/wait/progress.ts';
import { waitFor } from '../../watch/wait/wait.ts';
import { watch } from '../../watch/watch.ts';
import type { RequestTarget } from '../requests/build-request.ts';
import { deleteRequest, getRequest } from '../requests/verb-requests.ts';
import { decodeObject } from './decode.ts';
import { objectSource } from './object-source.ts';
import { isAbsent, uidOf } from './responses.ts';

/** Watches a collection. */
export async function watchCollection<T>(
  rest: RESTClient,
  target: RequestTarget,
  options: WatchOptions & Partial<BookmarkOptions> & Partial<SelectFields<AnySelection>>,
): Promise<AsyncIterable<WatchEvent<T> | BookmarkEvent>> {
  const { select, ...others } = options;
  const { resourceVersion, bookmarks = false, onRetry, signal, timeoutMs } = others;
  const source =
    select === undefined
      ? objectSource<T>(rest, target, others)
      : (await import('./selected-source.ts')).selectedSource<T>(rest, target, others, select);
  return watch(source, { resourceVersion, bookmarks, onRetry, signal, timeoutMs });
}

/** A wait for the named object, until it satisfies the predicate. */
export interface Wait<T> {
  readonly name: string;
  readonly predicate: (object: Stored<T> | undefined) => boolean;
  readonly options: WaitOptions;
  /** Records every state of the object. */
  readonly progress?: Progress;
}

/** Waits until an object satisfies the predicate, and returns the object. */
export function waitForObject<T>(
  rest: RESTClient,
  target: RequestTarget,
  { name, predicate, options, progress = new Progress() }: Wait<T>,
): Promise<Stored<T> | undefined> {
  const { operation } = getRequest(target, name);
  const { headers, maxResponseBytes, impersonate, signal, timeoutMs, onRetry } = options;
  const one = { fieldSelector: { 'metadata.name': name }, headers, maxResponseBytes, impersonate };
  const limits = { operation: { ...operation, verb: 'wait for' }, signal, timeoutMs, onRetry, progress };
  return waitFor(objectSource<T>(rest, target, one), predicate, limits);
}

/** Object to delete, and its options. */
export interface Deletion {
  readonly name: string;
  readonly options: DeleteOptions & WaitOptions;
}

/** Deletes an object, and waits until it is gone. */
export async function deleteAndWait(
  rest: RESTClient,
  target: RequestTarget,
  { name, options }: Deletion,
): Promise<void> {
  const { operation: deletion } = deleteRequest(target, name);
  const { timeoutMs, signal, ...others } = options;
  const progress = new Progress();
  const operation = { ...deletion, verb: 'delete and wait for' };
  const expired = () => progress.timedOut(`not deleted within ${timeoutMs} ms`, operation);
  await withinLimits({ timeoutMs, signal, expired }, operation, (inner) =>
    deleteWithin(rest, target, { name, options: { ...others, signal: inner }, progress }),
  );
}

/** The uid distinguishes the deleted object from a later one with the same name. */
async function deleteWithin(
  rest: RESTClient,
  target: RequestTarget,
  { name, options, progress }: Deletion & { readonly progress: Progress },
): Promise<void> {
  const deleted = await responseOf(rest, deleteRequest(target, name, options));
  if (deleted === undefined || options.dryRun !== undefined) return;
  let uid = uidOf(deleted);
  if (!isStatus(deleted)) progress.seen(deleted);
  const predicate = (object: Stored<KubernetesObject> | undefined): boolean => {
    // The response may contain no uid: the first state is then that of the deleted object.
    uid ??= object?.metadata.uid;
    return object === undefined || object.metadata.uid !== uid;
  };
  await waitForObject(rest, target, { name, predicate, options, progress });
}

/** Returns `undefined` if the object does not exist. */
async function responseOf(
  rest: RESTClient,
  request: APIRequest,
): Promise<Stored<KubernetesObject> | Status | undefined> {
  try {
    return decodeObject(await rest.request(request), request.operation);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
