/** Subresources that trigger an action. Their bodies are not stored. */
import type { Status } from '../meta.ts';
import type { WriteOptions } from '../options.ts';

/** Method for the `eviction` subresource of a pod. */
export interface Evict<E> {
  /**
   * Deletes a pod if its disruption budgets permit it. The eviction is optional and has `deleteOptions`;
   * `apiVersion`, `kind` and the pod's name are filled in. A 429 with `Retry-After` is retried up to 10
   * times; limit that with `timeoutMs`.
   * @throws {ApiError} `isTooManyRequests` while a disruption budget prevents the eviction; the message names
   * the budget
   * @throws {TimeoutError} after `timeoutMs`, with the last response as `cause`
   * @see https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/
   */
  evict(name: string, eviction?: E, options?: WriteOptions<'All' | undefined>): Promise<Status>;
}

/** Method for the `binding` subresource of a pod, which assigns it to a node. */
export interface Bind<B> {
  /**
   * Binds a pod to the node in `target` of the binding. `apiVersion`, `kind` and the pod's name are filled
   * in.
   * @throws {ApiError} `isConflict` if the pod is already bound
   */
  bind(name: string, binding: B, options?: WriteOptions<'All' | undefined>): Promise<Status>;
}

/** Method for the `token` subresource of a service account. */
export interface CreateToken<R> {
  /**
   * Issues a token for a service account: `status.token` of the response. The request is optional and has the
   * audiences and the lifetime; `apiVersion`, `kind` and the name of the account are filled in.
   */
  createToken(name: string, request?: R, options?: WriteOptions<'All' | undefined>): Promise<R>;
}
