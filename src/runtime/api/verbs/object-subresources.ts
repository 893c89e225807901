/** Subresources whose request body is the whole object, of which the server reads only one part. */
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

/** The `ephemeralcontainers` subresource of a pod: containers that are added while it runs. */
export interface WriteEphemeralContainers<T> {
  /** Returns the object through this subresource, for callers with permission for that subresource only. */
  getEphemeralContainers(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the ephemeral containers. */
  updateEphemeralContainers(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  updateEphemeralContainers(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Patches the ephemeral containers. The type of `body` depends on `type`. */
  patchEphemeralContainers<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patchEphemeralContainers<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Applies the ephemeral containers by server-side apply. */
  applyEphemeralContainers(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  applyEphemeralContainers(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `resize` subresource of a pod: the resources of its containers while it runs. */
export interface WriteResize<T> {
  /** Returns the object through this subresource, for callers with permission for that subresource only. */
  getResize(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the resources of the containers. */
  updateResize(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  updateResize(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Patches the resources of the containers. The type of `body` depends on `type`. */
  patchResize<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patchResize<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Applies the resources of the containers by server-side apply. */
  applyResize(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  applyResize(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `approval` subresource of a CertificateSigningRequest: its conditions `Approved` and `Denied`. */
export interface WriteApproval<T> {
  /** Returns the object through this subresource, for callers with permission for that subresource only. */
  getApproval(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the approval. */
  updateApproval(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  updateApproval(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Patches the approval. The type of `body` depends on `type`. */
  patchApproval<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patchApproval<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
  /** Applies the approval by server-side apply. */
  applyApproval(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  applyApproval(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `finalize` subresource of a namespace. */
export interface Finalize<T> {
  /** Replaces the list of finalizers in `spec`. A terminating namespace is removed when the list is empty. */
  finalize(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  finalize(object: Named<T>, options: SubmitOptions): Promise<T>;
}
