/** What can be asked of resources whose types are not known. */
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  SubmitApplyOptions,
  SubmitOptions,
  WriteOptions,
} from '../options.ts';
import type { QueryValue } from '../rest/query.ts';
import type { Named, PatchBody, Stored } from '../types.ts';
import type { SubresourceText } from '../verbs/log.ts';
import type { Get, List, WaitFor, Watch } from '../verbs/read.ts';
import type { Create, Delete, DeleteCollection, Update } from '../verbs/write.ts';
import type { Table, TableEvent, TableOptions, TableWatchOptions } from './table.ts';
import type { SubresourceBody, Unstructured, UnstructuredList } from './unstructured.ts';

/** How the body of a patch can be read. Custom resources know no strategic merge. */
export type PatchTypeName = 'strategic' | 'merge' | 'json';

/** Options of a patch that says how its body is read. */
export interface StatedPatchOptions<Type> extends WriteOptions {
  /** How the body is read. There is no default, as nothing says what the resource knows. */
  type: Type;
}

/** The same of a patch that may be a dry run. */
export interface SubmitStatedPatchOptions<Type> extends SubmitOptions {
  /** How the body is read. There is no default, as nothing says what the resource knows. */
  type: Type;
}

/** Patches that say of which type they are. */
export interface StatedPatch<T> {
  /**
   * Changes parts of an object; the type of `body` follows `type`.
   * @throws {ApiError} `isUnsupportedMediaType` for a strategic merge patch of a custom resource
   */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: StatedPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitStatedPatchOptions<Type>,
  ): Promise<T>;
}

/** Server-side apply of objects as they are. */
export interface ApplyObject<T> {
  /**
   * Server-side apply: makes the object say what this one says, and takes back what this manager said before and
   * leaves out now. Creates the object where there is none.
   * @throws {TypeError} no name, kind or apiVersion, or `managedFields`: what was read cannot be applied as it is
   * @throws {ApiError} `isConflict` when another manager owns a field with another value and `force` is not set
   */
  apply(object: Named<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  apply(object: Named<T>, options: SubmitApplyOptions): Promise<T>;
}

/** The `status` subresource of any object. */
export interface StatedWriteStatus<T> {
  /** Fetches the object by way of its status, for who may read that alone. */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status and nothing else. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateStatus(object: Named<T>, options: SubmitOptions): Promise<T>;
  /** Changes parts of the status and nothing else; the type of `body` follows `type`. */
  patchStatus<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: StatedPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchStatus<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitStatedPatchOptions<Type>,
  ): Promise<T>;
  /** Server-side apply of the status. */
  applyStatus(object: Named<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyStatus(object: Named<T>, options: SubmitApplyOptions): Promise<T>;
}

/**
 * Any subresource, by the name of its object. Bodies of `binding`, `eviction`, `scale` and `token` may leave out what
 * they are; others say their apiVersion and kind where the resource's own kind is not known.
 */
export interface UnstructuredSubresource extends SubresourceText<Readonly<Record<string, QueryValue>>> {
  /** Fetches the subresource. */
  get(name: string, options?: GetOptions): Promise<SubresourceBody>;
  /** Sends a body that asks for something to be done. */
  create(name: string, body: SubresourceBody, options?: SubmitOptions): Promise<SubresourceBody>;
  /** Replaces the subresource. */
  update(name: string, body: SubresourceBody, options?: SubmitOptions): Promise<SubresourceBody>;
  /** Changes parts of the subresource; the type of `body` follows `type`. */
  patch<Type extends PatchTypeName>(
    name: string,
    body: PatchBody<SubresourceBody>[Type],
    options: SubmitStatedPatchOptions<Type>,
  ): Promise<SubresourceBody>;
  /** Server-side apply of the subresource. */
  apply(name: string, body: SubresourceBody, options: SubmitApplyOptions): Promise<SubresourceBody>;
  /** Deletes the subresource; gives what the server answers, which is a `Status` where it is not the subresource. */
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
}

/** The verbs of any resource. Which of them it has is for the server to say. */
export interface UnstructuredClient
  extends Get<Unstructured>,
    List<Unstructured, UnstructuredList, string>,
    Watch<Unstructured, string>,
    WaitFor<Unstructured>,
    Create<Unstructured>,
    Update<Unstructured>,
    StatedPatch<Unstructured>,
    ApplyObject<Unstructured>,
    Delete<Unstructured>,
    DeleteCollection<UnstructuredList, string>,
    StatedWriteStatus<Unstructured> {
  /** The client of a subresource. */
  subresource(name: string): UnstructuredSubresource;
}

/** The objects of one namespace, or of a resource that is not in namespaces. */
export interface DynamicResourceClient extends UnstructuredClient {
  /** Fetches objects as the rows of the table that `kubectl get` shows; `tableText` writes it. */
  table(options?: TableOptions): Promise<Table>;
  /** Fetches one object as a table of one row. */
  getTable(name: string, options?: GetOptions & Pick<TableOptions, 'includeObject'>): Promise<Table>;
  /**
   * Follows the changes as tables of one row each, as `kubectl get --watch` does; resumed as `watch` is. Without a
   * `resourceVersion` every existing object comes first, as `ADDED`. `tableText(event.object, { headers: false })`
   * writes the row.
   * @throws {ApiError} `isExpired` when the version to resume from is gone from the server's history
   */
  watchTable(options?: TableWatchOptions): AsyncIterable<TableEvent>;
}

/**
 * A resource that is known by its name alone. As it is it stands for all namespaces, of which only `list`, `iterate`,
 * `watch`, `table` and `watchTable` can be asked, or for a resource that is not in namespaces, which has every verb.
 * Other verbs of a resource that is known to live in namespaces reject with `TypeError`.
 */
export interface DynamicResourceAccess extends DynamicResourceClient {
  /**
   * The objects of one namespace.
   * @throws {TypeError} an empty name, one that no namespace can have, or a resource that is known to have no namespaces
   */
  namespace(namespace: string): DynamicResourceClient;
}
