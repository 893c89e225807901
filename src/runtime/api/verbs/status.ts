/** The `status` subresource. */
import type { ApplyOptions, CustomPatchOptions, GetOptions, PatchOptions, WriteOptions } from '../options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../types.ts';

/** Methods for the `status` subresource of a built-in kind. Default patch type: strategic merge patch. */
export interface WriteStatus<T> {
  /**
   * Returns the object through its status subresource, for callers with permission for that subresource only.
   */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status; the server ignores changes of `spec`. */
  updateStatus<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /** Patches the status. */
  patchStatus<
    Type extends 'strategic' | 'merge' | 'json' = 'strategic',
    DryRun extends 'All' | undefined = undefined,
  >(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /** Applies the status by server-side apply. */
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
  /** Replaces the status; the server ignores changes of `spec`. */
  updateStatus<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /** Patches the status. */
  patchStatus<Type extends 'merge' | 'json' = 'merge', DryRun extends 'All' | undefined = undefined>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /** Applies the status by server-side apply. */
  applyStatus<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}
