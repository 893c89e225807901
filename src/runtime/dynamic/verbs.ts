/** Capability interfaces of resources of unknown type. */
import type { KubernetesObject } from '../api/meta.ts';
import type { ApplyOptions, DeleteOptions, GetOptions, WriteOptions } from '../api/options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../api/types.ts';
import type { SubresourceText } from '../api/verbs/log.ts';
import type { Get, List, WaitFor, Watch } from '../api/verbs/read.ts';
import type { Create, Delete, DeleteCollection, Update } from '../api/verbs/write.ts';
import type { QueryValue } from '../rest/request/query.ts';
import type { Table, TableEvent, TableOptions, TableWatchOptions } from './tables/table.ts';
import type { SubresourceBody, Unstructured, UnstructuredList } from './unstructured.ts';

/** Type of a patch body. Custom resources do not support strategic merge patches. */
export type PatchTypeName = 'strategic' | 'merge' | 'json';

/** Options of a patch with an explicit type. */
export interface ExplicitPatchOptions<Type, DryRun extends 'All' | undefined = undefined>
  extends WriteOptions<DryRun> {
  /** Type of the body. Required, because the supported types depend on the resource. */
  readonly type: Type;
}

/** Patches objects of a resource whose patch types are not known at compile time. */
export interface ExplicitPatch<T> {
  /**
   * Patches an object. The type of `body` depends on `type`. Nothing is stored as a dry run
   * (`dryRun: 'All'`), which returns the object that would be stored.
   * @throws {ApiError} `isUnsupportedMediaType` for a strategic merge patch of a custom resource
   */
  patch<Type extends PatchTypeName, DryRun extends 'All' | undefined = undefined>(
    name: string,
    body: PatchBody<T>[Type],
    options: ExplicitPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Server-side apply of objects of any kind. */
export interface ApplyObject<T> {
  /**
   * Applies an object by server-side apply: sets the fields of the object, and removes fields that this
   * manager set before and that are no longer part of it. Creates the object if it does not exist. Nothing is
   * stored as a dry run (`dryRun: 'All'`), which returns the object that would be stored.
   * @throws {TypeError} no name, kind or apiVersion, or `managedFields`: an object that was read from a
   * server cannot be applied
   * @throws {ApiError} `isConflict` if another manager owns a field with another value and `force` is not set
   */
  apply<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T> | Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Reads and writes the `status` subresource of a resource of unknown type. Patches need an explicit type. */
export interface ExplicitPatchWriteStatus<T> {
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
   * Patches the status of an object, and returns the stored object. The type of `body` depends on `type`; a
   * merge patch has the form `{ status }`.
   */
  patchStatus<Type extends PatchTypeName, DryRun extends 'All' | undefined = undefined>(
    name: string,
    body: PatchBody<T>[Type],
    options: ExplicitPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Applies the status of an object by server-side apply, and returns the stored object. Rejects with
   * `ApiError` (`isConflict`) if another manager owns a field with another value.
   */
  applyStatus<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T> | Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/**
 * Any subresource, by the name of its object. Bodies of `binding`, `eviction`, `scale` and `token` may omit
 * apiVersion and kind; other bodies need them if the kind of the resource is unknown.
 */
export interface UnstructuredSubresource extends SubresourceText<Readonly<Record<string, QueryValue>>> {
  /**
   * Returns the subresource of an object. Rejects with `ApiError` (`isNotFound`) if the object does not
   * exist.
   */
  get(name: string, options?: GetOptions): Promise<SubresourceBody>;
  /** Creates the subresource of an object, which usually triggers an action. Returns the response. */
  create(
    name: string,
    body: SubresourceBody,
    options?: WriteOptions<'All' | undefined>,
  ): Promise<SubresourceBody>;
  /**
   * Replaces the subresource of an object. Returns the response. Rejects with `ApiError` (`isConflict`) if
   * the `resourceVersion` in the body is outdated.
   */
  update(
    name: string,
    body: SubresourceBody,
    options?: WriteOptions<'All' | undefined>,
  ): Promise<SubresourceBody>;
  /** Patches the subresource of an object, and returns the response. The type of `body` depends on `type`. */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<SubresourceBody>[Type],
    options: ExplicitPatchOptions<Type, 'All' | undefined>,
  ): Promise<SubresourceBody>;
  /**
   * Applies the subresource of an object by server-side apply: sets the fields of `body`. Returns the
   * response. Rejects with `ApiError` (`isConflict`) if another manager owns a field with another value.
   */
  apply(
    name: string,
    body: SubresourceBody,
    options?: ApplyOptions<'All' | undefined>,
  ): Promise<SubresourceBody>;
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
    ExplicitPatch<T>,
    ApplyObject<T>,
    Delete<T>,
    DeleteCollection<UnstructuredList<T>, string>,
    ExplicitPatchWriteStatus<T> {
  /** Returns the client of a subresource, by its name: `subresource('approve')`. Sends no request. */
  subresource(name: string): UnstructuredSubresource;
}

/** The objects of one namespace, or of a cluster-scoped resource. */
export interface DynamicResourceClient<T extends KubernetesObject = Unstructured>
  extends UnstructuredClient<T> {
  /** Returns objects as the table that `kubectl get` prints; `tableText` formats it. */
  table(options?: TableOptions): Promise<Table>;
  /**
   * Returns one object as a table with one row, as `kubectl get NAME` prints it. Rejects with `ApiError`
   * (`isNotFound`) if the object does not exist.
   */
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
