/** Subresources that ask for something to be done to the object. What they send is not stored. */
import type { Status } from '../meta.ts';
import type { SubmitOptions } from '../options.ts';

/** The `eviction` subresource of a pod. */
export interface Evict<E> {
  /**
   * Deletes a pod if the disruption budgets allow it. How it is deleted is in `deleteOptions` of the eviction, which may
   * be left out; `apiVersion`, `kind` and the pod's name are filled in. Where the server says when to come back it is
   * asked again, up to 10 times: bound that by `timeoutMs`.
   * @throws {ApiError} `isTooManyRequests` while a disruption budget holds the pod: try again later
   * @throws {TimeoutError} after `timeoutMs`; its `cause` is what held the pod last
   * @see https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/
   */
  evict(name: string, eviction?: E, options?: SubmitOptions): Promise<Status>;
}

/** The `binding` subresource of a pod: what a scheduler decides. */
export interface Bind<B> {
  /**
   * Binds a pod to the node that `target` of the binding names. `apiVersion`, `kind` and the pod's name are filled in.
   * @throws {ApiError} `isConflict` when the pod has a node already
   */
  bind(name: string, binding: B, options?: SubmitOptions): Promise<Status>;
}

/** The `token` subresource of a service account. */
export interface CreateToken<R> {
  /**
   * Issues a token for the service account of that name: `status.token` of the answer. `apiVersion`, `kind` and the
   * account's name are filled in.
   */
  createToken(name: string, request: R, options?: SubmitOptions): Promise<R>;
}
