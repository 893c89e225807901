/** Subresources whose request body is the whole object, of which the server reads only one part. */
import type { ApplyOptions, GetOptions, PatchOptions, WriteOptions } from '../options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../types.ts';

/** Methods for the `ephemeralcontainers` subresource of a pod: containers that are added while it runs. */
export interface WriteEphemeralContainers<T> {
  /** Returns the object through this subresource, for callers with permission for that subresource only. */
  getEphemeralContainers(name: string, options?: GetOptions): Promise<Stored<T>>;
  /**
   * Replaces the ephemeral containers of a pod, and returns the stored pod. Existing ones cannot be changed
   * or removed.
   */
  updateEphemeralContainers<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Patches the ephemeral containers of a pod, and returns the stored pod. The type of `body` depends on
   * `type`. Default: strategic merge patch.
   */
  patchEphemeralContainers<
    Type extends 'strategic' | 'merge' | 'json' = 'strategic',
    DryRun extends 'All' | undefined = undefined,
  >(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /** Applies ephemeral containers by server-side apply, and returns the stored pod. */
  applyEphemeralContainers<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Methods for the `resize` subresource of a pod: the resources of its containers while it runs. */
export interface WriteResize<T> {
  /** Returns the object through this subresource, for callers with permission for that subresource only. */
  getResize(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the CPU and memory of the containers of a pod, and returns the stored pod. */
  updateResize<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Patches the CPU and memory of the containers of a pod, and returns the stored pod. The type of `body`
   * depends on `type`. Default: strategic merge patch.
   */
  patchResize<
    Type extends 'strategic' | 'merge' | 'json' = 'strategic',
    DryRun extends 'All' | undefined = undefined,
  >(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Applies the CPU and memory of the containers of a pod by server-side apply, and returns the stored pod.
   */
  applyResize<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/**
 * Methods for the `approval` subresource of a CertificateSigningRequest: its conditions `Approved` and
 * `Denied`.
 */
export interface WriteApproval<T> {
  /** Returns the object through this subresource, for callers with permission for that subresource only. */
  getApproval(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the conditions of a CertificateSigningRequest, and returns the stored object. */
  updateApproval<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Patches the conditions of a CertificateSigningRequest, and returns the stored object. The type of `body`
   * depends on `type`. Default: strategic merge patch.
   */
  patchApproval<
    Type extends 'strategic' | 'merge' | 'json' = 'strategic',
    DryRun extends 'All' | undefined = undefined,
  >(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Applies the conditions of a CertificateSigningRequest by server-side apply, and returns the stored
   * object.
   */
  applyApproval<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Methods for the `finalize` subresource of a namespace. */
export interface Finalize<T> {
  /** Replaces the list of finalizers in `spec`. A terminating namespace is removed when the list is empty. */
  finalize<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}
