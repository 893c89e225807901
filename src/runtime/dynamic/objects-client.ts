/** A client for objects of any kind, which finds the resource of each object by discovery. */
import type { KubernetesObject, Status } from '../api/meta.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  RequestOptions,
  WriteOptions,
} from '../api/options.ts';
import type { PatchBody, Stored, WithName, WriteResult } from '../api/types.ts';
import { ClientsetBase, sharedOptions } from '../client/clientset.ts';
import { type Body, nameOf } from '../client/requests/bodies.ts';
import type { ClusterConfig } from '../config/types.ts';
import { DiscoveryClient } from '../discovery/client.ts';
import { RESTMapper } from '../discovery/mapping/rest-mapper.ts';
import { timeLeft } from '../rest/abort/deadline.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import type { ClientConnection } from '../rest/connection.ts';
import { clientFor, type KindMapper, type ObjectPlace } from './client-for.ts';
import { DynamicClient } from './dynamic-client.ts';
import type { Unstructured } from './unstructured.ts';
import type { DynamicResourceClient, ExplicitPatchOptions, PatchTypeName } from './verbs.ts';

/** Identifies an object: its apiVersion and kind, which are those of `T`, its name and its namespace. */
export interface ObjectIdentity<T extends KubernetesObject = Unstructured> {
  readonly apiVersion: NonNullable<T['apiVersion']>;
  readonly kind: NonNullable<T['kind']>;
  readonly metadata: {
    readonly name: string;
    /** Default: that of the client. Ignored for cluster-scoped kinds. */
    readonly namespace?: string | undefined;
  };
}

/** Options of an `ObjectsClient`. Options of `RESTClient` apply if it is created from a configuration. */
export interface ObjectsClientOptions extends RESTClientOptions {
  /** Field manager of writes that set none, which `apply` needs. Default: none. */
  readonly fieldManager?: string | undefined;
  /** Namespace of objects that have none. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /**
   * Finds the resources of kinds. Default: a `RESTMapper` of this client, which reads discovery with the
   * first call, caches it, and reads it again if a kind is missing.
   */
  readonly mapper?: KindMapper | undefined;
}

/**
 * A client for objects of any kind: the resource follows from `apiVersion` and `kind` of each object, the
 * namespace from the object or from the configuration, as in kubectl. Results have the type of the argument,
 * or the type argument `T`, which is not validated.
 *
 * Every method rejects as those of other clients do, with `NoMatchError` if the server has no such kind, and
 * with `TypeError` for an object without apiVersion, kind or name. `timeoutMs` includes discovery.
 */
export interface ObjectsClient extends ClientsetBase {
  /**
   * Returns an object: `get<Deployment>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } })`.
   * @throws {ApiError} `isNotFound` if it does not exist
   */
  get<T extends KubernetesObject = Unstructured>(
    object: ObjectIdentity<T>,
    options?: GetOptions,
  ): Promise<Stored<T>>;
  /** Returns an object, or `undefined` if it does not exist. */
  find<T extends KubernetesObject = Unstructured>(
    object: ObjectIdentity<T>,
    options?: GetOptions,
  ): Promise<Stored<T> | undefined>;
  /**
   * Creates an object.
   * @throws {ApiError} `isAlreadyExists`, `isInvalid`
   */
  create<T extends KubernetesObject, DryRun extends 'All' | undefined = undefined>(
    object: T,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Replaces an object. With `metadata.resourceVersion`, only if the object still has that version.
   * @throws {ApiError} `isConflict` if the object has changed meanwhile, `isNotFound`, `isInvalid`
   */
  update<T extends KubernetesObject, DryRun extends 'All' | undefined = undefined>(
    object: T,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Patches an object. The type of `body` depends on `type`, which is required.
   * @throws {ApiError} `isUnsupportedMediaType` for a strategic merge patch of a custom resource
   */
  patch<
    T extends KubernetesObject = Unstructured,
    Type extends PatchTypeName = PatchTypeName,
    DryRun extends 'All' | undefined = undefined,
  >(
    object: ObjectIdentity<T>,
    body: PatchBody<NoInfer<T>>[Type],
    options: ExplicitPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<NoInfer<T>, DryRun>>;
  /**
   * Applies an object by server-side apply, as `kubectl apply --server-side` does: sets the fields of the
   * object, and removes fields that this manager set before and that are no longer part of it. Creates the
   * object if it does not exist.
   * @throws {TypeError} without a field manager of the call or of the client, and for `managedFields`: an
   * object that was read from a server cannot be applied
   * @throws {ApiError} `isConflict` if another manager owns a field with another value and `force` is not set
   */
  apply<T extends KubernetesObject, DryRun extends 'All' | undefined = undefined>(
    object: T,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>>;
  /**
   * Requests the deletion of an object. The response is the object or a `Status`; a success without a body is
   * a `Status`, too. Finalizers may hold the object.
   */
  delete<T extends KubernetesObject = Unstructured>(
    object: ObjectIdentity<T> | KubernetesObject,
    options?: DeleteOptions,
  ): Promise<Stored<T> | Status>;
  /**
   * Returns the client of an object's resource, for other verbs: lists, watches, waits, subresources. The
   * name of the object is not needed.
   */
  clientFor<T extends KubernetesObject = Unstructured>(
    object: T,
    options?: RequestOptions,
  ): Promise<ObjectPlace<T>>;
}

/** Performs a verb with the client of an object's resource. */
type Verb<O> = (
  client: DynamicResourceClient,
  object: WithName<Unstructured>,
  options: O,
) => Promise<unknown>;

class Client extends ClientsetBase implements ObjectsClient {
  readonly #dynamic: DynamicClient;
  readonly #mapper: KindMapper;
  readonly #namespace: string;
  readonly #fieldManager: string | undefined;

  constructor(
    connection: ClientConnection,
    { fieldManager, namespace, mapper, ...options }: ObjectsClientOptions = {},
  ) {
    super(connection, sharedOptions(options));
    this.#dynamic = new DynamicClient(this.rest);
    this.#mapper = mapper ?? new RESTMapper(new DiscoveryClient(this.rest));
    this.#namespace = namespace ?? this.rest.namespace;
    this.#fieldManager = fieldManager;
  }

  get<T extends KubernetesObject>(object: ObjectIdentity<T>, options?: GetOptions): Promise<Stored<T>> {
    return this.#named(object, options, (client, { metadata }, rest) => client.get(metadata.name, rest));
  }

  find<T extends KubernetesObject>(
    object: ObjectIdentity<T>,
    options?: GetOptions,
  ): Promise<Stored<T> | undefined> {
    return this.#named(object, options, (client, { metadata }, rest) => client.find(metadata.name, rest));
  }

  create<T extends KubernetesObject, DryRun extends 'All' | undefined>(
    object: T,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>> {
    return this.#call(object, this.#managed(options), (client, placed, rest) => client.create(placed, rest));
  }

  update<T extends KubernetesObject, DryRun extends 'All' | undefined>(
    object: T,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>> {
    return this.#named(object, this.#managed(options), (client, placed, rest) => client.update(placed, rest));
  }

  patch<T extends KubernetesObject, Type extends PatchTypeName, DryRun extends 'All' | undefined>(
    object: ObjectIdentity<T>,
    body: object,
    options: ExplicitPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<T, DryRun>> {
    return this.#named(object, this.#managed(options), (client, { metadata }, rest) =>
      // seam: the type of the body is checked by the interface, and by the client at run time
      client.patch(metadata.name, body as PatchBody<Unstructured>[Type], rest),
    );
  }

  apply<T extends KubernetesObject, DryRun extends 'All' | undefined>(
    object: T,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<T, DryRun>> {
    return this.#named(object, this.#managed(options), (client, placed, rest) => client.apply(placed, rest));
  }

  delete<T extends KubernetesObject>(
    object: ObjectIdentity<T> | KubernetesObject,
    options?: DeleteOptions,
  ): Promise<Stored<T> | Status> {
    return this.#named(object, options, (client, { metadata }, rest) => client.delete(metadata.name, rest));
  }

  clientFor<T extends KubernetesObject>(object: T, options?: RequestOptions): Promise<ObjectPlace<T>> {
    const namespace = this.#namespace;
    return clientFor(this.#dynamic, this.#mapper, object, { ...options, namespace });
  }

  async #named<O extends RequestOptions, R>(object: Body, options: O | undefined, verb: Verb<O>): Promise<R> {
    nameOf(object);
    return this.#call(object, options, verb);
  }

  async #call<O extends RequestOptions, R>(object: Body, options: O | undefined, verb: Verb<O>): Promise<R> {
    // seam: all options are optional, except those that the verb checks
    const left = timeLeft(options ?? ({} as O));
    const { signal, timeoutMs } = options ?? {};
    // seam: `clientFor` checks apiVersion and kind, `#named` the name
    const place = await this.clientFor(object as WithName<Unstructured>, { signal, timeoutMs });
    // seam: the type of the object decides the type of the response
    return (await verb(place.client, place.object as WithName<Unstructured>, left())) as R;
  }

  /** Returns options with the field manager of the client, unless they have one. */
  #managed<O extends { readonly fieldManager?: string | undefined }>(options: O | undefined): O {
    const fieldManager = options?.fieldManager ?? this.#fieldManager;
    // seam: the spread of a generic type with another value of one of its members
    return { ...options, ...(fieldManager !== undefined && { fieldManager }) } as O;
  }
}

/**
 * Creates a client. Reads no file and opens no connection before the first request.
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { ObjectsClient } from '@kgen/runtime/dynamic';
 *
 * const objects = new ObjectsClient(await loadConfig(), { fieldManager: 'my-app' });
 * const metadata = { name: 'settings', namespace: 'shop' };
 * await objects.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { color: 'blue' } });
 * ```
 */
export const ObjectsClient: {
  /** Creates a client with connections of its own. Opens none before the first request. */
  new (config: ClusterConfig, options?: ObjectsClientOptions): ObjectsClient;
  /** Creates a client over the connections of a REST client, a clientset or a manager, with their options. */
  new (
    connection: ClientConnection,
    options?: Pick<ObjectsClientOptions, 'fieldManager' | 'namespace' | 'mapper'>,
  ): ObjectsClient;
} = Client;
