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
  /** Fetches the object by way of its status, for who may read that alone. */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status and nothing else. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateStatus(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Changes parts of the status and nothing else. */
  patchStatus<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchStatus<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Server-side apply of the status. */
  applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyStatus(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `status` subresource of a custom resource. */
export interface CustomWriteStatus<T> {
  /** Fetches the object by way of its status, for who may read that alone. */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status and nothing else. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateStatus(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Changes parts of the status and nothing else. */
  patchStatus<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchStatus<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitCustomPatchOptions<Type>,
  ): Promise<T>;
  /** Server-side apply of the status. */
  applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyStatus(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}
