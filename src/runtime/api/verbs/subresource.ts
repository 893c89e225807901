/** Subresources without an interface of their own. */
import type {
  ApplyOptions,
  CustomPatchOptions,
  DeleteOptions,
  GetOptions,
  WriteOptions,
} from '../options.ts';
import type { IntentOf, PatchBody } from '../types.ts';

/**
 * Operations on a subresource, by the name of its object. `T` is its body, in which `apiVersion`, `kind` and
 * the name of the object are filled in; `Result` is the type of responses. Only the methods that the server
 * supports exist.
 */
export interface SubresourceClient<T, Result = T> {
  /**
   * Returns the subresource of an object. Rejects with `ApiError` (`isNotFound`) if the object does not
   * exist.
   */
  get(name: string, options?: GetOptions): Promise<Result>;
  /** Creates the subresource of an object, which usually triggers an action. Returns the response. */
  create(name: string, body: T, options?: WriteOptions<'All' | undefined>): Promise<Result>;
  /**
   * Replaces the subresource of an object. Returns the response. Rejects with `ApiError` (`isConflict`) if
   * the `resourceVersion` in the body is outdated.
   */
  update(name: string, body: T, options?: WriteOptions<'All' | undefined>): Promise<Result>;
  /** Patches the subresource of an object, and returns the response. Default type: JSON merge patch. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type, 'All' | undefined>,
  ): Promise<Result>;
  /**
   * Applies the subresource of an object by server-side apply: sets the fields of `intent`. Returns the
   * response. Rejects with `ApiError` (`isConflict`) if another manager owns a field with another value.
   */
  apply(name: string, intent: IntentOf<T>, options?: ApplyOptions<'All' | undefined>): Promise<Result>;
  /** Deletes the subresource. Returns the response of the server: the subresource or a `Status`. */
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
}

/** Clients of subresources. `Map` maps the names of subresources to their clients. */
export interface Subresources<Map> {
  /** Returns the client of a subresource, by its name: `subresource('approve')`. Sends no request. */
  subresource<Name extends keyof Map & string>(name: Name): Map[Name];
}
