/** Subresources that are a part of the object, which travels whole: only that part of it is read from what is sent. */
import type {
  ApplyOptions,
  GetOptions,
  PatchOptions,
  SubmitApplyOptions,
  SubmitOptions,
  SubmitPatchOptions,
  WriteOptions,
} from '../options.ts';
import type { Intent, Named, PatchBody, Stored } from '../types.ts';

/** The `ephemeralcontainers` subresource of a pod: containers that are added to it while it runs. */
export interface WriteEphemeralContainers<T> {
  /** Fetches the object by way of the ephemeral containers, for who may read that alone. */
  getEphemeralContainers(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the ephemeral containers and nothing else. */
  updateEphemeralContainers(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateEphemeralContainers(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Changes parts of the ephemeral containers and nothing else; the type of `body` follows `type`. */
  patchEphemeralContainers<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchEphemeralContainers<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Server-side apply of the ephemeral containers. */
  applyEphemeralContainers(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyEphemeralContainers(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `resize` subresource of a pod: the resources of its containers while it runs. */
export interface WriteResize<T> {
  /** Fetches the object by way of the resources of the containers, for who may read that alone. */
  getResize(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the resources of the containers and nothing else. */
  updateResize(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateResize(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Changes parts of the resources of the containers and nothing else; the type of `body` follows `type`. */
  patchResize<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchResize<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Server-side apply of the resources of the containers. */
  applyResize(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyResize(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `approval` subresource of a request to sign a certificate: its conditions `Approved` and `Denied`. */
export interface WriteApproval<T> {
  /** Fetches the object by way of the approval, for who may read that alone. */
  getApproval(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the approval and nothing else. */
  updateApproval(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateApproval(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Changes parts of the approval and nothing else; the type of `body` follows `type`. */
  patchApproval<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchApproval<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Server-side apply of the approval. */
  applyApproval(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyApproval(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `finalize` subresource of a namespace. */
export interface Finalize<T> {
  /** Replaces the list of finalizers in `spec` and nothing else: a namespace that is being deleted goes when it is empty. */
  finalize(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  finalize(object: Named<T>, options: SubmitOptions): Promise<T>;
}
