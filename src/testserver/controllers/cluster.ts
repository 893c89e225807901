/** Reads and writes of the built-in controllers, by the rules of the API. */
import { type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { type Verb, wait } from '../call/verb.ts';
import { randomUid } from '../environment/environment.ts';
import { Failure } from '../errors/status.ts';
import { authenticatedGroup, mastersGroup, type User } from '../identity/user.ts';
import type { ApiRequest } from '../request/request.ts';
import { apiVersionOf } from '../resources/type.ts';
import { dispatch } from '../routing/dispatch.ts';
import { controllerOf } from '../store/object-facts.ts';
import type { Change } from '../store/store.ts';
import type { DependentIndex } from './dependents.ts';

/** Path of a resource. */
export interface ResourcePath {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** Returns the key of a resource in the store. */
export function storageOf({ group, plural }: Pick<ResourcePath, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** The manager of fields that controllers write. */
export const controllerFields = 'kube-controller-manager';

/** Objects of a server as its controllers read and write them: through the API, with all its rules. */
export class Cluster {
  readonly state: ServerState;
  /** Whether controllers record events. */
  readonly recordsEvents: boolean;
  readonly #dependents: DependentIndex;

  constructor(state: ServerState, dependents: DependentIndex, recordsEvents: boolean) {
    this.state = state;
    this.recordsEvents = recordsEvents;
    this.#dependents = dependents;
  }

  /** Returns the time in milliseconds since the epoch. */
  now(): number {
    return this.state.environment.now();
  }

  /** Returns the time as RFC 3339 in whole seconds. */
  timestamp(): string {
    return formatTime(this.now());
  }

  get(path: ResourcePath, key: string): JsonObject | undefined {
    return this.state.store.get(storageOf(path), key);
  }

  /** Returns the objects of a namespace, or all objects for an empty namespace. */
  list(path: ResourcePath, namespace = ''): readonly JsonObject[] {
    const prefix = namespace === '' ? '' : `${namespace}/`;
    return this.state.store.list(storageOf(path), prefix).map(([, value]) => value);
  }

  /** Returns the objects of a resource whose controller is `owner`. */
  controlled(path: ResourcePath, owner: JsonObject): readonly JsonObject[] {
    const uid = text(owner, 'metadata', 'uid');
    return this.#dependents
      .of(uid, storageOf(path))
      .map((key) => this.get(path, key))
      .filter((value) => value !== undefined)
      .filter((value) => text(controllerOf(value), 'uid') === uid);
  }

  /** Returns the dependents of an owner, with or without `controller`. */
  dependents(uid: string): readonly (readonly [resource: string, key: string])[] {
    return this.#dependents.all(uid);
  }

  /** Returns the objects of a namespace that have no controller. */
  orphans(path: ResourcePath, namespace: string): readonly JsonObject[] {
    return this.#dependents
      .orphans(storageOf(path), namespace)
      .map((key) => this.get(path, key))
      .filter((value) => value !== undefined);
  }

  /** Returns the keys of the controllers of `kind` of a changed object, before and after the change. */
  controllerKeys({ object: value, previous }: Change, kind: string): readonly string[] {
    const keys = [value, previous].map((each) => {
      const owner = controllerOf(each);
      return owner !== undefined && text(owner, 'kind') === kind
        ? keyOf(text(value, 'metadata', 'namespace'), text(owner, 'name'))
        : undefined;
    });
    return [...new Set(keys.filter((key) => key !== undefined))];
  }

  /** Creates an object and returns it. @throws {Failure} */
  *create(path: ResourcePath, value: JsonObject): Verb<JsonObject> {
    const namespace = text(value, 'metadata', 'namespace');
    const body = { apiVersion: apiVersionOf(path.group, path.version), kind: path.kind, ...value };
    return yield* this.#send('POST', [...segments(path, namespace)], body);
  }

  /**
   * Creates a complete object of the server itself, without the rules of its kind, whose schema need not be
   * loaded for it.
   */
  createComplete(path: ResourcePath, value: JsonObject): void {
    const { store, environment } = this.state;
    const metadata = object(value, 'metadata');
    const stamps = { uid: randomUid(environment), creationTimestamp: this.timestamp() };
    const key = keyOf(text(metadata, 'namespace'), text(metadata, 'name'));
    const complete = { apiVersion: apiVersionOf(path.group, path.version), kind: path.kind, ...value };
    store.put(storageOf(path), key, { ...complete, metadata: { ...metadata, ...stamps } });
  }

  /**
   * Writes a report of a kubelet: without the rules of the kind and without managed fields, because every pod
   * needs several of them.
   */
  report(path: ResourcePath, value: JsonObject): JsonObject {
    const metadata = object(value, 'metadata');
    const key = keyOf(text(metadata, 'namespace'), text(metadata, 'name'));
    return this.state.store.put(storageOf(path), key, value);
  }

  /** Replaces an object, or its subresource. @throws {Failure} */
  *update(path: ResourcePath, value: JsonObject, subresource = ''): Verb<JsonObject> {
    const metadata = object(value, 'metadata');
    const target = [...segments(path, text(metadata, 'namespace')), text(metadata, 'name')];
    const body = { apiVersion: apiVersionOf(path.group, path.version), kind: path.kind, ...value };
    return yield* this.#send('PUT', subresource === '' ? target : [...target, subresource], body);
  }

  /** Replaces the status of an object if it differs. @throws {Failure} */
  *updateStatus(path: ResourcePath, value: JsonObject, status: JsonObject): Verb<JsonObject> {
    return yield* this.update(path, { ...value, status }, 'status');
  }

  /** Applies the status of a cluster-scoped object as a manager of its own. @throws {Failure} */
  *applyStatus(path: ResourcePath, name: string, status: JsonObject, manager: string): Verb<JsonObject> {
    const apiVersion = apiVersionOf(path.group, path.version);
    const body = { apiVersion, kind: path.kind, metadata: { name }, status };
    return yield* this.#send('PATCH', [...segments(path, ''), name, 'status'], body, {
      query: new URLSearchParams({ fieldManager: manager, force: 'true' }),
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(body),
    });
  }

  /** Posts an object to a subresource. @throws {Failure} */
  *post(path: ResourcePath, owner: JsonObject, subresource: string, body: JsonObject): Verb<JsonObject> {
    const metadata = object(owner, 'metadata');
    const target = [...segments(path, text(metadata, 'namespace')), text(metadata, 'name'), subresource];
    return yield* this.#send('POST', target, body);
  }

  /** Deletes an object, unless it does not exist. @throws {Failure} */
  *remove(path: ResourcePath, value: JsonObject, options: JsonObject = {}): Verb<void> {
    const metadata = object(value, 'metadata');
    const target = [...segments(path, text(metadata, 'namespace')), text(metadata, 'name')];
    const preconditions = { uid: own(metadata, 'uid') ?? '' };
    try {
      yield* this.#send('DELETE', target, { ...deleteOptions, preconditions, ...options });
    } catch (error) {
      if (!(error instanceof Failure) || error.problem.code !== 404) throw error;
    }
  }

  *#send(
    method: string,
    path: readonly string[],
    body: JsonObject,
    more: Partial<ApiRequest> = {},
  ): Verb<JsonObject> {
    const response = dispatch(this.state, { ...requestOf(method, path, body), ...more });
    const found = response instanceof Promise ? yield* wait(response) : response;
    if (found.kind === 'failure') throw new Failure(found.problem);
    if (found.kind === 'json') return found.body;
    throw new Failure({ code: 404, message: `the server does not serve ${path.join('/')}` });
  }
}

/** Controllers may do everything. */
const controllerManager: User = {
  name: 'system:kube-controller-manager',
  groups: [mastersGroup, authenticatedGroup],
};

const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions' } as const;

function requestOf(method: string, path: readonly string[], body: JsonObject): ApiRequest {
  return {
    method,
    path,
    pathname: `/${path.join('/')}`,
    query: new URLSearchParams(),
    accept: '',
    contentType: 'application/json',
    userAgent: controllerFields,
    user: controllerManager,
    body: '',
    object: body,
  };
}

function segments({ group, version, plural }: ResourcePath, namespace: string): readonly string[] {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  return namespace === '' ? [...root, plural] : [...root, 'namespaces', namespace, plural];
}

/** Returns the key of an object in the store. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Returns a reference to a controller, for its dependents. */
export function controllerReference(path: ResourcePath, owner: JsonObject): JsonObject {
  return {
    apiVersion: apiVersionOf(path.group, path.version),
    kind: path.kind,
    name: text(owner, 'metadata', 'name'),
    uid: text(owner, 'metadata', 'uid'),
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Returns a time as RFC 3339 in whole seconds. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
