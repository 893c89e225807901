/** The `status` subresource. */
import type { ApplyOptions, CustomPatchOptions, GetOptions, PatchOptions, WriteOptions } from '../options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../types.ts';

/** Methods for the `status` subresource of a built-in kind. Default patch type: strategic merge patch. */
export interface WriteStatus<T> {
  /**
   * Returns the object through its status subresource, for callers with permission for that subresource only.
   */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /**
   * Replaces the status of an object, and returns the stored object. The server ignores changes of `spec`.
   * Rejects with `ApiError` (`isConflict`) if the `resourceVersion` of the object is outdated.
   */
  updateStatus<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Patches the status of an object, and returns the stored object. The body has the form `{ status }`.
   * Default type: strategic merge patch.
   */
  patchStatus<
    Type extends 'strategic' | 'merge' | 'json' = 'strategic',
    DryRun extends 'All' | undefined = undefined,
  >(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Applies the status of an object by server-side apply, and returns the stored object. Rejects with
   * `ApiError` (`isConflict`) if another manager owns a field with another value.
   */
  applyStatus<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Methods for the `status` subresource of a custom resource. Default patch type: JSON merge patch. */
export interface CustomWriteStatus<T> {
  /**
   * Returns the object through its status subresource, for callers with permission for that subresource only.
   */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /**
   * Replaces the status of an object, and returns the stored object. The server ignores changes of `spec`.
   * Rejects with `ApiError` (`isConflict`) if the `resourceVersion` of the object is outdated.
   */
  updateStatus<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Patches the status of an object, and returns the stored object. The body has the form `{ status }`.
   * Default type: JSON merge patch.
   */
  patchStatus<Type extends 'merge' | 'json' = 'merge', DryRun extends 'All' | undefined = undefined>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Applies the status of an object by server-side apply, and returns the stored object. Rejects with
   * `ApiError` (`isConflict`) if another manager owns a field with another value.
   */
  applyStatus<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}
