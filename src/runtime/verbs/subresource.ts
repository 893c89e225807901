/** Subresources that have no interface of their own. */
import type {
  DeleteOptions,
  GetOptions,
  SubmitApplyOptions,
  SubmitCustomPatchOptions,
  SubmitOptions,
} from '../options.ts';
import type { IntentOf, PatchBody } from '../types.ts';

/**
 * What can be asked of a subresource, by the name of its object. `T` is its body, in which `apiVersion`, `kind` and the
 * name of the object are filled in; `Answer` is what servers give. A resource has those of the methods that its server
 * offers.
 */
export interface SubresourceClient<T, Answer = T> {
  /** Fetches the subresource. */
  get(name: string, options?: GetOptions): Promise<Answer>;
  /** Sends a body that asks for something to be done. */
  create(name: string, body: T, options?: SubmitOptions): Promise<Answer>;
  /** Replaces the subresource. */
  update(name: string, body: T, options?: SubmitOptions): Promise<Answer>;
  /** Changes parts of the subresource, by JSON merge patch unless `type` says otherwise. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: SubmitCustomPatchOptions<Type>,
  ): Promise<Answer>;
  /** Server-side apply of the subresource. */
  apply(name: string, intent: IntentOf<T>, options: SubmitApplyOptions): Promise<Answer>;
  /** Deletes the subresource; gives what the server answers, which is a `Status` where it is not the subresource. */
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
}

/** Clients of subresources; `Map` has them by the name of the subresource. */
export interface Subresources<Map> {
  /** The client of a subresource. */
  subresource<Name extends keyof Map & string>(name: Name): Map[Name];
}
