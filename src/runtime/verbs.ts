/**
 * The verbs as capability interfaces: what a client can do is the list of interfaces it extends. They carry the types
 * and the docs; one class implements them all. Every method rejects with `ApiError` when the server says no, with
 * `TransportError` when it could not be asked, with `TimeoutError` after `timeoutMs`, and with `signal.reason` on abort.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
import type { Scale, Status } from './meta.ts';
import type {
  ApplyOptions,
  Bookmarks,
  CustomPatchOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DryRun,
  GetOptions,
  IterateOptions,
  ListOptions,
  PatchOptions,
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import type { Intent, Named, PatchBody, Stored } from './types.ts';
import type { BookmarkEvent, WatchEvent } from './watch/events.ts';

/** Reading one object. */
export interface Get<T> {
  /**
   * Fetches one object by name.
   * @throws {ApiError} `isNotFound` where there is none
   */
  get(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Fetches one object by name, or gives `undefined` where there is none. */
  find(name: string, options?: GetOptions): Promise<Stored<T> | undefined>;
}

/** All objects of a list, fetched page by page as they are asked for. */
export interface ListIteration<T> extends AsyncIterable<Stored<T>> {
  /** False once the server could not go on with the state of the first page: the rest is of a newer one. */
  readonly consistent: boolean;
  /** The version of the list so far; `undefined` before the first page. */
  readonly resourceVersion: string | undefined;
}

/** Reading many objects. */
export interface List<T, L, Field extends string = never> {
  /** Fetches the objects, or with `limit` the first of them. */
  list(options?: ListOptions<Field>): Promise<L>;
  /** Goes through all objects, page by page. */
  iterate(options?: IterateOptions<Field>): ListIteration<T>;
}

/** Following the changes of objects. */
export interface Watch<T, Field extends string = never> {
  /** The same with bookmarks, which say up to which version nothing else happened. */
  watch(options: WatchOptions<Field> & Bookmarks): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  /**
   * Follows the changes. Drops, time-outs, 429 and 5xx are resumed without a gap until `signal` aborts.
   * Without a `resourceVersion` every existing object comes first, as `ADDED`.
   * @throws {ApiError} `isExpired` when the version to resume from is gone from the server's history
   */
  watch(options?: WatchOptions<Field>): AsyncIterable<WatchEvent<T>>;
}

/** Waiting for a state of one object. */
export interface WaitFor<T> {
  /**
   * Waits until an object is as wanted, and gives it. The predicate sees `undefined` while there is none.
   * @throws {TimeoutError} after `timeoutMs`; names the state that was last seen, and has a failure since then as `cause`
   */
  waitFor<S extends Stored<T> | undefined>(
    name: string,
    predicate: (object: Stored<T> | undefined) => object is S,
    options?: WaitOptions,
  ): Promise<S>;
  /** The same for a predicate that does not narrow the type. */
  waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Stored<T> | undefined>;
}

/** Storing a new object. */
export interface Create<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  create(object: T, options: WriteOptions & DryRun): Promise<T>;
  /**
   * Stores a new object. `apiVersion`, `kind` and the client's namespace are filled in.
   * @throws {ApiError} `isAlreadyExists`, `isInvalid`
   */
  create(object: T, options?: WriteOptions): Promise<Stored<T>>;
}

/** Replacing an object. */
export interface Update<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  update(object: Named<T>, options: WriteOptions & DryRun): Promise<T>;
  /**
   * Replaces an object. With `metadata.resourceVersion` only while it is still at that version.
   * @throws {ApiError} `isConflict` when somebody else was faster, `isNotFound`, `isInvalid`
   */
  update(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Patches of built-in kinds: strategic merge unless `type` says otherwise. */
export interface Patch<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  patch<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: PatchOptions<Type> & DryRun,
  ): Promise<T>;
  /** Changes parts of an object; the type of `body` follows `type`. */
  patch<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
}

/** Patches of custom resources: JSON merge unless `type` says otherwise. */
export interface CustomPatch<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options: CustomPatchOptions<Type> & DryRun,
  ): Promise<T>;
  /** Changes parts of an object; the type of `body` follows `type`. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<T>>;
}

/** Server-side apply. */
export interface Apply<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  apply(intent: Intent<T>, options: ApplyOptions & DryRun): Promise<T>;
  /**
   * Server-side apply: makes the object say what the intent says, and takes back what this manager said before and
   * leaves out now. Creates the object where there is none.
   * @throws {ApiError} `isConflict` when another manager owns a field with another value and `force` is not set
   */
  apply(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
}

/** Deleting one object. */
export interface Delete<T> {
  /** Asks for the deletion. Servers answer with the object or with a `Status`; finalizers may hold the object back. */
  delete(name: string, options?: DeleteOptions): Promise<Stored<T> | Status>;
  /**
   * Deletes, and waits until the object is gone. An object that is not there is fine; one that is recreated under the
   * same name meanwhile counts as gone.
   * @throws {TimeoutError} after `timeoutMs`; names the finalizers that hold the object
   */
  deleteAndWait(name: string, options?: DeleteOptions & WaitOptions): Promise<void>;
}

/** Deleting many objects. */
export interface DeleteCollection<L, Field extends string = never> {
  /** Deletes every object that the selectors select: without any, all of the namespace. */
  deleteCollection(options?: DeleteCollectionOptions<Field>): Promise<L | Status>;
}

/** The `status` subresource of a built-in kind. */
export interface WriteStatus<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  updateStatus(object: Named<T>, options: WriteOptions & DryRun): Promise<T>;
  /** Replaces the status and nothing else. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  patchStatus<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: PatchOptions<Type> & DryRun,
  ): Promise<T>;
  /** Changes parts of the status and nothing else. */
  patchStatus<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  applyStatus(intent: Intent<T>, options: ApplyOptions & DryRun): Promise<T>;
  /** Server-side apply of the status. */
  applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
}

/** The `status` subresource of a custom resource. */
export interface CustomWriteStatus<T> {
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  updateStatus(object: Named<T>, options: WriteOptions & DryRun): Promise<T>;
  /** Replaces the status and nothing else. */
  updateStatus(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  patchStatus<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options: CustomPatchOptions<Type> & DryRun,
  ): Promise<T>;
  /** Changes parts of the status and nothing else. */
  patchStatus<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  applyStatus(intent: Intent<T>, options: ApplyOptions & DryRun): Promise<T>;
  /** Server-side apply of the status. */
  applyStatus(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
}

/** The `scale` subresource. */
export interface WriteScale {
  /** Fetches the scale of the object of that name. */
  getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  updateScale(scale: Named<Scale>, options: WriteOptions & DryRun): Promise<Scale>;
  /** Sets `spec.replicas` of the object that `metadata.name` names. */
  updateScale(scale: Named<Scale>, options?: WriteOptions): Promise<Stored<Scale>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options: CustomPatchOptions<Type> & DryRun,
  ): Promise<Scale>;
  /** Changes parts of the scale of the object of that name; the type of `body` follows `type`. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<Scale>>;
}

/**
 * The verbs that all kinds have in common: all but `patch`, which differs in its types of body. `L` is the type of the
 * list, `Field` the fields that selectors accept.
 */
export interface BaseCrud<T, L, Field extends string = never>
  extends Get<T>,
    List<T, L, Field>,
    Watch<T, Field>,
    WaitFor<T>,
    Create<T>,
    Update<T>,
    Apply<T>,
    Delete<T>,
    DeleteCollection<L, Field> {}

/** The verbs that custom resources have. `L` is the type of their list, `Field` the fields that selectors accept. */
export interface CustomCrud<T, L, Field extends string = never>
  extends BaseCrud<T, L, Field>,
    CustomPatch<T> {}

/** The verbs that most built-in kinds have. */
export interface Crud<T, L, Field extends string = never> extends BaseCrud<T, L, Field>, Patch<T> {}

/** What can be asked of all namespaces at once. */
export interface AllNamespaces<T, L, Field extends string = never>
  extends List<T, L, Field>,
    Watch<T, Field> {}
