/** Requests for dependents. None of them changes an object that the primary object does not control. */
import {
  type Informer,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  type KubernetesObject,
  type RESTClient,
  type Stored,
} from '@kgen/runtime';
import { canonical, digestOf } from '../apply/canonical.ts';
import { Lru } from '../apply/lru.ts';
import { liveObject } from '../client/live-object.ts';
import { isObject, isTerminating } from '../members.ts';
import {
  collectionPath,
  isFailedTest,
  type ObjectPlace,
  objectPath,
  StaleObjectError,
} from '../runs/finalizer.ts';
import { DependentError, terminating } from './execution.ts';
import { asApplied } from './field-ownership.ts';
import {
  type DependentTracking,
  isTracked,
  objectText,
  ownerAnnotation,
  ownerNameLabel,
  ownerUidLabel,
  relationOf,
  withOwner,
} from './ownership.ts';

/** Attempts of a write, each with the object that the server has. */
const attempts = 5;

/** A dependent of a primary object, as its requests need it. */
export interface WrittenDependent {
  /** Name in the graph. */
  readonly name: string;
  readonly informer: Informer<KubernetesObject>;
  readonly primary: Stored<KubernetesObject>;
  readonly tracking: DependentTracking;
  readonly adopt: 'never' | 'unowned';
  readonly recreate: boolean;
  /** Returns the owner of the applied fields. */
  readonly fieldManager: () => string;
}

/** The writes of the dependents of all primary objects. */
export class DependentWrites {
  /** Digests of the intents for which objects were deleted, by primary object and dependent. */
  readonly #recreated = new Lru<string>(10_000);

  /**
   * Applies an intent with name and namespace. `cached` is the cached object of that name. Returns the stored
   * object; one that is being deleted is returned as it is.
   * @throws {DependentError} the object belongs to another owner, or the server rejects the intent
   */
  async apply(
    dependent: WrittenDependent,
    intent: KubernetesObject,
    cached: KubernetesObject | undefined,
  ): Promise<KubernetesObject> {
    let live = cached;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(dependent, intent, live);
      } catch (error) {
        if (!isOutdated(error) || attempt === attempts) throw error;
        live = await liveObject(restOf(dependent), dependent.informer.resource, placeOf(intent));
      }
    }
  }

  /** Deletes an object, unless it has changed since it was read: it could have lost its owner. */
  async delete({ informer }: WrittenDependent, { metadata }: KubernetesObject): Promise<void> {
    const { uid, resourceVersion } = metadata ?? {};
    const path = objectPath(informer.resource, { metadata: placeOf({ metadata }) });
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid, resourceVersion },
      propagationPolicy: 'Background',
    };
    try {
      await informer.informers.rest.delete(path, { body });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Removes the labels by which an object is tracked, unless it has changed since it was read. */
  async release({ informer }: WrittenDependent, { metadata }: KubernetesObject): Promise<void> {
    const { uid, resourceVersion } = metadata ?? {};
    const labels = { [ownerUidLabel]: null, [ownerNameLabel]: null };
    const body = { metadata: { uid, resourceVersion, labels, annotations: { [ownerAnnotation]: null } } };
    await informer.informers.rest.patch(objectPath(informer.resource, { metadata: placeOf({ metadata }) }), {
      body,
    });
  }

  async #attempt(
    dependent: WrittenDependent,
    intent: KubernetesObject,
    live: KubernetesObject | undefined,
  ): Promise<KubernetesObject> {
    if (live !== undefined && isTerminating(live)) return live;
    if (live !== undefined) checkRelation(dependent, intent, live);
    const owned = withOwner(intent, dependent.primary, dependent.tracking);
    try {
      return await update(dependent, owned, live ?? (await create(dependent, owned)));
    } catch (error) {
      if (!isInvalid(error) || isOutdated(error)) throw error;
      if (live === undefined || !dependent.recreate) throw rejected(error);
      return await this.#replace(dependent, owned, live, error);
    }
  }

  /** Deletes an object whose change the server rejects, if the server accepts the intent as a new object. */
  async #replace(
    dependent: WrittenDependent,
    owned: KubernetesObject,
    live: KubernetesObject,
    error: Error,
  ): Promise<KubernetesObject> {
    const { name, primary, tracking } = dependent;
    const key = `${primary.metadata.uid} ${name}`;
    const digest = digestOf(canonical(owned));
    // Once per intent: a new object that has the same problem would be replaced for ever.
    if (!isTracked(live, primary, tracking) || this.#recreated.get(key) === digest) throw rejected(error);
    try {
      await create(dependent, owned, 'All');
    } catch (problem) {
      if (isInvalid(problem)) throw rejected(problem);
      if (!isAlreadyExists(problem)) throw problem;
    }
    await this.delete(dependent, live);
    this.#recreated.set(key, digest);
    return terminating(live);
  }
}

function checkRelation(
  { informer, primary, adopt }: WrittenDependent,
  intent: KubernetesObject,
  live: KubernetesObject,
): void {
  const relation = relationOf(live, primary);
  if (relation === 'own' || (relation === 'unowned' && adopt === 'unowned')) return;
  const object = objectText(informer.resource.kind ?? informer.name, intent);
  const problem = relation === 'unowned' ? 'has no controller' : relation.owner;
  throw new DependentError({ state: 'conflict', message: `${object} ${problem}` });
}

function rejected(error: Error): DependentError {
  return new DependentError({ state: 'invalid', message: error.message }, { cause: error });
}

/** Creates an object by a request that never changes an existing one, as an apply would. */
async function create(
  dependent: WrittenDependent,
  body: KubernetesObject,
  dryRun?: 'All',
): Promise<KubernetesObject> {
  const path = collectionPath(dependent.informer.resource, placeOf(body));
  const query = { fieldManager: dependent.fieldManager(), dryRun };
  return stored(await restOf(dependent).post(path, { body, query }), body);
}

/**
 * Applies a body to the object that was read: not to another one of the name, and not to one that has
 * changed, since the garbage collector may have removed its reference.
 */
async function update(
  dependent: WrittenDependent,
  body: KubernetesObject,
  live: KubernetesObject,
): Promise<KubernetesObject> {
  const applied = await apply(dependent, body, await withAppliedFields(dependent, live));
  const folded = await withAppliedFields(dependent, applied);
  return folded === applied ? applied : await apply(dependent, body, folded);
}

async function apply(
  dependent: WrittenDependent,
  body: KubernetesObject,
  { metadata: { uid, resourceVersion } = {} }: KubernetesObject,
): Promise<KubernetesObject> {
  const path = objectPath(dependent.informer.resource, { metadata: placeOf(body) });
  const response = await restOf(dependent).patch(path, {
    body: { ...body, metadata: { ...body.metadata, uid, resourceVersion } },
    contentType: 'application/apply-patch+yaml',
    query: { fieldManager: dependent.fieldManager(), force: true },
  });
  return stored(response, body);
}

/**
 * Returns an object whose fields that were created are owned as if they had been applied: otherwise, a later
 * apply without them would not remove them.
 */
async function withAppliedFields(
  dependent: WrittenDependent,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  const { informer } = dependent;
  const fieldManager = dependent.fieldManager();
  const body = asApplied(object, fieldManager);
  if (body === undefined) return object;
  const path = objectPath(informer.resource, { metadata: placeOf(object) });
  const contentType = 'application/json-patch+json';
  try {
    return stored(
      await restOf(dependent).patch(path, { body, contentType, query: { fieldManager } }),
      object,
    );
  } catch (error) {
    if (!isFailedTest(error)) throw error;
    throw new StaleObjectError('the fields of the object have changed', { cause: error });
  }
}

/** Returns whether a write failed since the object is not the one that was read. */
function isOutdated(error: unknown): boolean {
  if (isConflict(error) || isAlreadyExists(error) || error instanceof StaleObjectError) return true;
  return isInvalid(error) && (error.details?.causes ?? []).some(({ field }) => field === 'metadata.uid');
}

function restOf({ informer }: WrittenDependent): RESTClient {
  return informer.informers.rest;
}

/** Returns name and namespace of an object. */
export function placeOf({ metadata }: KubernetesObject): ObjectPlace {
  return { name: metadata?.name ?? '', namespace: metadata?.namespace };
}

/** Returns the object of a response; the sent one if the response contains none. */
function stored(response: unknown, sent: KubernetesObject): KubernetesObject {
  // seam: the server returns the object of the request.
  return isObject(response) ? (response as KubernetesObject) : sent;
}
