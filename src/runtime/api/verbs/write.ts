/** Capability interfaces for creating, changing and deleting objects. */
import type { Status } from '../meta.ts';
import type {
  ApplyOptions,
  CustomPatchOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  PatchOptions,
  WaitOptions,
  WriteOptions,
} from '../options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../types.ts';

/** Creates objects. */
export interface Create<T> {
  /**
   * Creates an object. `apiVersion`, `kind` and the client's namespace are filled in. Nothing is stored
   * as a dry run (`dryRun: 'All'`), which returns the object that would be stored.
   * @throws {ApiError} `isAlreadyExists`, `isInvalid`
   * @example
   * ```ts
   * const data = { color: 'blue' };
   * await clientset.coreV1.configMaps('shop').create({ metadata: { name: 'settings' }, data });
   * ```
   */
  create<DryRun extends 'All' | undefined = undefined>(
    object: T,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Replaces existing objects as a whole: fields that the new object omits are removed. */
export interface Update<T> {
  /**
   * Replaces an object. With `metadata.resourceVersion`, only if the object still has that version. Nothing
   * is stored as a dry run (`dryRun: 'All'`), which returns the object that would be stored.
   * @throws {ApiError} `isConflict` if the object has changed meanwhile, `isNotFound`, `isInvalid`
   * @example
   * ```ts
   * const deployments = clientset.appsV1.deployments('shop');
   * const web = await deployments.get('web');
   * await deployments.update({ ...web, spec: { ...web.spec, replicas: 3 } });
   * ```
   */
  update<DryRun extends 'All' | undefined = undefined>(
    object: WithName<T>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Patches of built-in kinds. Default type: strategic merge patch. */
export interface Patch<T> {
  /**
   * Patches an object. The type of `body` depends on `type`. Nothing is stored as a dry run
   * (`dryRun: 'All'`), which returns the object that would be stored.
   * @example
   * ```ts
   * await clientset.appsV1.deployments('shop').patch('web', { spec: { replicas: 3 } });
   * ```
   */
  patch<
    Type extends 'strategic' | 'merge' | 'json' = 'strategic',
    DryRun extends 'All' | undefined = undefined,
  >(
    name: string,
    body: PatchBody<T>[Type],
    options?: PatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Patches of custom resources. Default type: JSON merge patch. */
export interface CustomPatch<T> {
  /**
   * Patches an object. The type of `body` depends on `type`. Nothing is stored as a dry run
   * (`dryRun: 'All'`), which returns the object that would be stored.
   * @example
   * ```ts
   * const redis = clientset.cacheV1.redisClusters('shop');
   * await redis.patch('carts', { spec: { replicas: 5 } });
   * await redis.patch('carts', [{ op: 'replace', path: '/spec/replicas', value: 5 }], { type: 'json' });
   * ```
   */
  patch<Type extends 'merge' | 'json' = 'merge', DryRun extends 'All' | undefined = undefined>(
    name: string,
    body: PatchBody<T>[Type],
    options?: CustomPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Applies objects by server-side apply: sets the fields that one field manager owns. */
export interface Apply<T> {
  /**
   * Applies an intent by server-side apply: sets its fields, and removes fields that this manager set before
   * and that are no longer part of it. Creates the object if it does not exist. Nothing is stored as a
   * dry run (`dryRun: 'All'`), which returns the object that would be stored.
   * @throws {TypeError} without a field manager of the call or of the client
   * @throws {ApiError} `isConflict` if another manager owns a field with another value and `force` is not set
   * @example
   * ```ts
   * const settings = { metadata: { name: 'settings' }, data: { color: 'blue' } };
   * await clientset.coreV1.configMaps('shop').apply(settings, { fieldManager: 'my-app' });
   * ```
   */
  apply<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<T>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
}

/** Deletes single objects. */
export interface Delete<T> {
  /**
   * Requests the deletion of an object. The response is the object or a `Status`; a success without a body is
   * a `Status`, too. Finalizers may hold the object.
   * @example
   * ```ts
   * await clientset.appsV1.deployments('shop').delete('web', { propagationPolicy: 'Foreground' });
   * ```
   */
  delete(name: string, options?: DeleteOptions): Promise<Stored<T> | Status>;
  /**
   * Deletes an object and waits until it is removed. Resolves if the object does not exist. An object that is
   * created again under the same name counts as removed.
   * @throws {TimeoutError} after `timeoutMs`, with the finalizers that hold the object
   * @example
   * ```ts
   * await clientset.coreV1.namespaces().deleteAndWait('demo', { timeoutMs: 60_000 });
   * ```
   */
  deleteAndWait(name: string, options?: DeleteOptions & WaitOptions): Promise<void>;
}

/** Deletes collections of objects. */
export interface DeleteCollection<L, Field extends string = never> {
  /**
   * Deletes every object that the selectors match; without selectors, all objects of the namespace. Returns
   * the response: the list of the objects, or a `Status`, also for a success without a body.
   * @example
   * ```ts
   * await clientset.coreV1.pods('shop').deleteCollection({ labelSelector: { app: 'web' } });
   * ```
   */
  deleteCollection(options?: DeleteCollectionOptions<Field>): Promise<L | Status>;
}

/** Creates objects that the server evaluates and does not store: reviews. */
export interface CreateOnly<T> {
  /**
   * Sends the object. The response is the object with its `status`. `apiVersion`, `kind` and the client's
   * namespace are filled in.
   * @throws {ApiError} `isInvalid`
   */
  create(object: T, options?: WriteOptions<'All' | undefined>): Promise<T>;
}

/** Sends objects that trigger an action and are not stored. */
export interface CreateAction<T> {
  /** Sends the object. `apiVersion`, `kind` and the client's namespace are filled in. */
  create(object: T, options?: WriteOptions<'All' | undefined>): Promise<Status>;
}
