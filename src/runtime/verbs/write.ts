/** Storing, changing and deleting objects. */
import type { Status } from '../meta.ts';
import type {
  ApplyOptions,
  CustomPatchOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  PatchOptions,
  SubmitApplyOptions,
  SubmitCustomPatchOptions,
  SubmitOptions,
  SubmitPatchOptions,
  WaitOptions,
  WriteOptions,
} from '../options.ts';
import type { Intent, Named, PatchBody, Stored } from '../types.ts';

/** Storing a new object. */
export interface Create<T> {
  /**
   * Stores a new object. `apiVersion`, `kind` and the client's namespace are filled in.
   * @throws {ApiError} `isAlreadyExists`, `isInvalid`
   */
  create(object: T, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  create(object: T, options: SubmitOptions): Promise<T>;
}

/** Replacing an object. */
export interface Update<T> {
  /**
   * Replaces an object. With `metadata.resourceVersion` only while it is still at that version.
   * @throws {ApiError} `isConflict` when somebody else was faster, `isNotFound`, `isInvalid`
   */
  update(object: Named<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  update(object: Named<T>, options: SubmitOptions): Promise<T>;
}

/** Patches of built-in kinds: strategic merge unless `type` says otherwise. */
export interface Patch<T> {
  /** Changes parts of an object; the type of `body` follows `type`. */
  patch<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patch<Type extends 'strategic' | 'merge' | 'json' = 'strategic'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitPatchOptions<Type>,
  ): Promise<T>;
}

/** Patches of custom resources: JSON merge unless `type` says otherwise. */
export interface CustomPatch<T> {
  /** Changes parts of an object; the type of `body` follows `type`. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<T>[Type],
    options: SubmitCustomPatchOptions<Type>,
  ): Promise<T>;
}

/** Server-side apply. */
export interface Apply<T> {
  /**
   * Server-side apply: makes the object say what the intent says, and takes back what this manager said before and
   * leaves out now. Creates the object where there is none.
   * @throws {ApiError} `isConflict` when another manager owns a field with another value and `force` is not set
   */
  apply(intent: Intent<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  apply(intent: Intent<T>, options: SubmitApplyOptions): Promise<T>;
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

/** Sending an object that the server answers and does not store: reviews. */
export interface CreateOnly<T> {
  /**
   * Sends the object; the answer is the same object with its `status`. `apiVersion`, `kind` and the client's namespace
   * are filled in.
   * @throws {ApiError} `isInvalid`
   */
  create(object: T, options?: SubmitOptions): Promise<T>;
}

/** Sending an object that asks for something to be done, and is not stored. */
export interface Submit<T> {
  /** Sends the object. `apiVersion`, `kind` and the client's namespace are filled in. */
  create(object: T, options?: SubmitOptions): Promise<Status>;
}
