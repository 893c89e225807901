/** Capability interfaces of resources of unknown type. */
import type { KubernetesObject } from '../api/meta.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  SubmitApplyOptions,
  SubmitOptions,
  WriteOptions,
} from '../api/options.ts';
import type { Intent, Named, PatchBody, Stored } from '../api/types.ts';
import type { SubresourceText } from '../api/verbs/log.ts';
import type { Get, List, WaitFor, Watch } from '../api/verbs/read.ts';
import type { Create, Delete, DeleteCollection, Update } from '../api/verbs/write.ts';
import type { QueryValue } from '../rest/request/query.ts';
import type { Table, TableEvent, TableOptions, TableWatchOptions } from './tables/table.ts';
import type { SubresourceBody, Unstructured, UnstructuredList } from './unstructured.ts';

/** Type of a patch body. Custom resources do not support strategic merge patches. */
export type PatchTypeName = 'strategic' | 'merge' | 'json';

/** Options of a patch with an explicit type. */
export interface StatedPatchOptions<Type> extends WriteOptions {
  /** Type of the body. Required, because the supported types depend on the resource. */
  type: Type;
}

/** Options of a patch with an explicit type that may be a dry run. */
export interface SubmitStatedPatchOptions<Type> extends SubmitOptions {
  /** Type of the body. Required, because the supported types depend on the resource. */
  type: Type;
}

/** Patches with an explicit type. */
export interface StatedPatch<T> {
  /**
   * Patches an object. The type of `body` depends on `type`.
   * @throws {ApiError} `isUnsupportedMediaType` for a strategic merge patch of a custom resource
   */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: StatedPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitStatedPatchOptions<Type>,
  ): Promise<T>;
}

/** Server-side apply of objects of any kind. */
export interface ApplyObject<T> {
  /**
   * Applies an object by server-side apply: sets the fields of the object, and removes fields that this
   * manager set before and that are no longer part of it. Creates the object if it does not exist.
   * @throws {TypeError} no name, kind or apiVersion, or `managedFields`: an object that was read from a
   * server cannot be applied
   * @throws {ApiError} `isConflict` if another manager owns a field with another value and `force` is not set
   */
  apply(object: Named<T> | Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  apply(object: Named<T> | Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `status` subresource of any object. */
export interface StatedWriteStatus<T> {
  /**
   * Returns the object through its status subresource, for callers with permission for that subresource only.
   */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Validates the update of the status as a dry run (`dryRun: 'All'`) and returns the object that would be
   * stored.
   */
  updateStatus(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Patches the status. The type of `body` depends on `type`. */
  patchStatus<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: StatedPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /**
   * Validates the patch of the status as a dry run (`dryRun: 'All'`) and returns the object that would be
   * stored.
   */
  patchStatus<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitStatedPatchOptions<Type>,
  ): Promise<T>;
  /** Applies the status by server-side apply. */
  applyStatus(object: Named<T> | Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /**
   * Validates the apply of the status as a dry run (`dryRun: 'All'`) and returns the object that would be
   * stored.
   */
  applyStatus(object: Named<T> | Intent<T>, options: SubmitApplyOptions): Promise<T>;
}

/**
 * Any subresource, by the name of its object. Bodies of `binding`, `eviction`, `scale` and `token` may omit
 * apiVersion and kind; other bodies need them if the kind of the resource is unknown.
 */
export interface UnstructuredSubresource extends SubresourceText<Readonly<Record<string, QueryValue>>> {
  /** Returns the subresource. */
  get(name: string, options?: GetOptions): Promise<SubresourceBody>;
  /** Creates the subresource, which usually triggers an action. */
  create(name: string, body: SubresourceBody, options?: SubmitOptions): Promise<SubresourceBody>;
  /** Replaces the subresource. */
  update(name: string, body: SubresourceBody, options?: SubmitOptions): Promise<SubresourceBody>;
  /** Patches the subresource. The type of `body` depends on `type`. */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<SubresourceBody>[Type],
    options: SubmitStatedPatchOptions<Type>,
  ): Promise<SubresourceBody>;
  /** Applies the subresource by server-side apply. */
  apply(name: string, body: SubresourceBody, options: SubmitApplyOptions): Promise<SubresourceBody>;
  /** Deletes the subresource. Returns the response of the server: the subresource or a `Status`. */
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
}

/** The verbs of any resource, with objects of type `T`. The server decides which verbs it supports. */
export interface UnstructuredClient<T extends KubernetesObject = Unstructured>
  extends Get<T>,
    List<T, UnstructuredList<T>, string>,
    Watch<T, string>,
    WaitFor<T>,
    Create<T>,
    Update<T>,
    StatedPatch<T>,
    ApplyObject<T>,
    Delete<T>,
    DeleteCollection<UnstructuredList<T>, string>,
    StatedWriteStatus<T> {
  /** Returns the client of a subresource. */
  subresource(name: string): UnstructuredSubresource;
}

/** The objects of one namespace, or of a cluster-scoped resource. */
export interface DynamicResourceClient<T extends KubernetesObject = Unstructured>
  extends UnstructuredClient<T> {
  /** Returns objects as the table that `kubectl get` prints; `tableText` formats it. */
  table(options?: TableOptions): Promise<Table>;
  /** Returns one object as a table with one row. */
  getTable(name: string, options?: GetOptions & Pick<TableOptions, 'includeObject'>): Promise<Table>;
  /**
   * Watches objects as tables with one row each, as `kubectl get --watch` does. Resumed in the same way as
   * `watch`. Without a `resourceVersion`, every existing object is first reported as `ADDED`.
   * `tableText(event.object, { headers: false })` formats the row.
   * @throws {ApiError} `isExpired` if the version at which to resume is compacted
   */
  watchTable(options?: TableWatchOptions): AsyncIterable<TableEvent>;
}

/**
 * A resource whose type is not generated. It stands for all namespaces, for which only `list`, `iterate`,
 * `watch`, `table` and `watchTable` are supported, or for a cluster-scoped resource, which supports every
 * verb. Other verbs of a resource that is known to be namespaced reject with `TypeError`.
 */
export interface DynamicResourceAccess<T extends KubernetesObject = Unstructured>
  extends DynamicResourceClient<T> {
  /**
   * Returns the client of one namespace.
   * @throws {TypeError} an empty or invalid name, or a resource that is known to be cluster-scoped
   */
  namespace(namespace: string): DynamicResourceClient<T>;
}
