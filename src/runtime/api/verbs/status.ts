/** The `status` subresource. */
import type {
  ApplyOptions,
  CustomPatchOptions,
  GetOptions,
  PatchOptions,
  SubmitApplyOptions,
  SubmitCustomPatchOptions,
  SubmitOptions,
  SubmitPatchOptions,
  WriteOptions,
} from '../options.ts';
import type { Intent, Named, PatchBody, Stored } from '../types.ts';

/** The `status` subresource of a built-in kind. */
export interface WriteStatus<T> {
  /**
   * Returns the object through its status subresource, for callers with permission for that subresource only.
   */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  updateStatus(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Patches the status. */
  patchStatus<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patchStatus<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Applies the status by server-side apply. */
  applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  applyStatus(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `status` subresource of a custom resource. */
export interface CustomWriteStatus<T> {
  /**
   * Returns the object through its status subresource, for callers with permission for that subresource only.
   */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  updateStatus(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Patches the status. */
  patchStatus<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patchStatus<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitCustomPatchOptions<Type>,
  ): Promise<T>;
  /** Applies the status by server-side apply. */
  applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  applyStatus(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}
