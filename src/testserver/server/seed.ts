/** Initial objects of a server, created through its API, so that they are validated and completed. */

import { type JsonObject, object, own, putAt, strings, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { writeJson } from '@kgen/schema/values/wire';
import type { ServerState } from '../call/context.ts';
import { settleDefinitions } from '../controllers/start.ts';
import { randomUid, timestamp } from '../environment/environment.ts';
import { Failure } from '../errors/status.ts';
import { administrator } from '../identity/user.ts';
import { servedTypes } from '../resources/catalog.ts';
import { type ResourceType, storageKey } from '../resources/type.ts';
import { dispatch } from '../routing/dispatch.ts';
import { type DeletePolicy, deleteObject } from '../verbs/deletion.ts';
import { creatable, describeObject } from './objects.ts';
import type { SourcedObject } from './sources.ts';
import { storedSystemObjects, systemManager, systemNamespaces, systemObjects } from './system-objects.ts';

/** Initial objects. */
export interface SeedObjects {
  readonly namespaces: readonly string[];
  readonly definitions: readonly SourcedObject[];
  /** In the order of creation. */
  readonly objects: readonly SourcedObject[];
}

/**
 * Creates all objects.
 * @throws {Error} names the object, its origin and the reason of the server
 */
export async function seed(
  state: ServerState,
  { namespaces, definitions, objects }: SeedObjects,
): Promise<void> {
  for (const name of new Set(namespaces)) {
    const manager = systemNamespaces.includes(name) ? systemManager : undefined;
    await createObject(state, { place: 'namespaces', value: namespaceOf(name) }, new Map(), manager);
  }
  for (const value of systemObjects())
    await createObject(state, { place: 'the server', value }, new Map(), systemManager);
  storeSystemObjects(state);
  for (const definition of definitions) await createObject(state, definition, new Map());
  settleDefinitions(state);
  const uids = new Map<string, string>();
  const created: CreatedObject[] = [];
  for (const item of objects) {
    const value = await createObject(state, item, uids);
    created.push({ ...item, created: value });
    const old = text(item.value, 'metadata', 'uid');
    if (old !== '') uids.set(old, text(value, 'metadata', 'uid'));
    if (text(item.value, 'kind') === 'CustomResourceDefinition') settleDefinitions(state);
  }
  settleDefinitions(state);
  deleteTerminating(state, created);
}

function storeSystemObjects(state: ServerState): void {
  const now = timestamp(state.environment);
  for (const value of storedSystemObjects(now)) {
    const metadata = object(value, 'metadata');
    const stamps = { uid: randomUid(state.environment), creationTimestamp: now };
    const type = typeOf(state, value);
    const key = storageKey(type, text(metadata, 'namespace'), text(metadata, 'name'));
    state.store.put(type.storage, key, { ...value, metadata: { ...metadata, ...stamps } });
  }
}

function namespaceOf(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/**
 * Creates an object with its status.
 * @param uids uids by those of earlier servers, to which references of the object are changed
 * @throws {Error} names the object, its origin and the reason of the server
 */
export async function createObject(
  state: ServerState,
  { place, value }: SourcedObject,
  uids: ReadonlyMap<string, string>,
  manager?: string,
): Promise<JsonObject> {
  try {
    const type = typeOf(state, value);
    const namespace = type.namespaced ? text(value, 'metadata', 'namespace') || 'default' : '';
    const path = pathOf(type, namespace);
    const named = type.namespaced ? putAt(value, ['metadata', 'namespace'], namespace) : value;
    const created = await createOrMerge(state, type, path, creatable(named, uids), manager);
    const status = own(value, 'status');
    if (!type.status || status === undefined || type.strategy === 'definition') return created;
    const name = text(created, 'metadata', 'name');
    return await sendObject(state, 'PUT', [...path, name, 'status'], { ...created, status });
  } catch (error) {
    const message = messageOf(error);
    const advice = /^namespaces ".*" not found$/.test(message) ? '; add it to `namespaces` or `objects`' : '';
    throw new Error(`${place}: cannot create ${describeObject(value)}: ${message}${advice}`, {
      cause: error,
    });
  }
}

/** An object of a source with the object that was created for it. */
export interface CreatedObject extends SourcedObject {
  readonly created: JsonObject;
}

/**
 * Marks created objects for deletion whose sources have a `deletionTimestamp`: after all objects exist, since
 * nothing can be created in a namespace that is being deleted.
 * @throws {Error} for an object that nothing holds, which a server would remove
 */
export function deleteTerminating(state: ServerState, objects: readonly CreatedObject[]): void {
  for (const { place, value, created } of objects) {
    if (text(value, 'metadata', 'deletionTimestamp') === '') continue;
    const type = typeOf(state, value);
    const metadata = object(created, 'metadata');
    const key = storageKey(type, text(metadata, 'namespace'), text(metadata, 'name'));
    const stored = state.store.get(type.storage, key) ?? created;
    const period = own(object(value, 'metadata'), 'deletionGracePeriodSeconds');
    const policy: DeletePolicy = {
      propagation: propagationOf(stored),
      dryRun: false,
      ...(typeof period === 'number' ? { gracePeriodSeconds: period } : {}),
    };
    const { gone } = deleteObject(state, type, key, stored, { ...policy, dryRun: true });
    if (gone) throw new Error(`${place}: ${describeObject(value)} ${unheld}`);
    deleteObject(state, type, key, stored, policy);
  }
}

const unheld =
  'has a deletionTimestamp, but nothing holds it, such as a finalizer: a server would have removed it. ' +
  'Add the finalizer, or, in a table test, pass the object without the timestamp and delete it with `deleted(…)`';

/** The finalizers of the server itself determine how an object is being deleted. */
function propagationOf(value: JsonObject): DeletePolicy['propagation'] {
  const finalizers = strings(value, 'metadata', 'finalizers');
  if (finalizers.includes('orphan')) return 'Orphan';
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background';
}

function typeOf({ store }: ServerState, value: JsonObject): ResourceType {
  const [apiVersion, kind] = [text(value, 'apiVersion'), text(value, 'kind')];
  const type = servedTypes(store).find((item) => item.apiVersion === apiVersion && item.kind === kind);
  if (type !== undefined) return type;
  throw new Error(`the server does not serve ${kind} of ${apiVersion}; add its definition to crds`);
}

function pathOf({ group, version, plural }: ResourceType, namespace: string): readonly string[] {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  return [...root, ...(namespace === '' ? [] : ['namespaces', namespace]), plural];
}

async function createOrMerge(
  state: ServerState,
  type: ResourceType,
  path: readonly string[],
  value: JsonObject,
  manager: string | undefined,
): Promise<JsonObject> {
  try {
    return await sendObject(state, 'POST', path, value, manager);
  } catch (error) {
    const exists = error instanceof Failure && error.problem.reason === 'AlreadyExists';
    if (!exists || !isCompleted(type, value)) throw error;
    const { labels = {}, annotations = {} } = object(value, 'metadata');
    const patch = { metadata: { labels, annotations } };
    return sendObject(state, 'PATCH', [...path, text(value, 'metadata', 'name')], patch);
  }
}

/** Objects that every server has are completed by those of the options. */
function isCompleted({ strategy }: ResourceType, value: JsonObject): boolean {
  const name = text(value, 'metadata', 'name');
  return (
    strategy === 'namespace' ||
    [...systemObjects(), ...storedSystemObjects('')].some(
      (each) => text(each, 'kind') === text(value, 'kind') && text(each, 'metadata', 'name') === name,
    )
  );
}

/**
 * Sends a request of an administrator.
 * @param manager owner of the written fields
 * @throws {Failure} if the server refuses it
 */
export async function sendObject(
  state: ServerState,
  method: string,
  path: readonly string[],
  body: JsonObject,
  manager = 'kgen-test-server',
): Promise<JsonObject> {
  const response = await dispatch(state, {
    method,
    path,
    pathname: `/${path.join('/')}`,
    query: new URLSearchParams(),
    accept: '',
    contentType: method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    userAgent: manager,
    user: administrator,
    body: writeJson(body),
  });
  if (response.kind === 'failure') throw new Failure(response.problem);
  if (response.kind !== 'json') throw new Error(`the server does not support ${method} /${path.join('/')}`);
  const name = text(body, 'metadata', 'name');
  for (const warning of response.warnings) process.emitWarning(`${name}: ${warning}`, 'TestServerWarning');
  return response.body;
}
