import { randomInt, randomUUID } from 'node:crypto';
import { alreadyExists, badRequest, forbidden, invalid, notFound, notImplemented } from '../api/failures.ts';
import { type Answer, json } from '../api/request.ts';
import { trackUpdate } from '../managed/track.ts';
import { namespaces } from '../resources/builtin.ts';
import { strategyOf } from '../resources/strategies.ts';
import { storageKey } from '../resources/type.ts';
import { type JsonObject, object, omit, putAt, text } from '../values/json.ts';
import { now } from '../values/time.ts';
import { admit, present, stored } from './admit.ts';
import type { Context } from './context.ts';
import { checkKind, decodeBody } from './decode.ts';
import { type WriteOptions, writeOptions } from './options.ts';

/** Handles POST to a collection. */
export function create(context: Context): Answer {
  const options = writeOptions(context, 'CreateOptions');
  const body = decodeBody(context.request, context.type.kind);
  checkKind(body, context.type);
  const value = checkNamespace(context, admit(context, body, options));
  return json(201, insert(context, named(value), options), [...context.warnings]);
}

/**
 * Returns the object with the namespace of the request, or without one.
 * @throws {Failure} 400 if it has a different one
 */
export function checkNamespace(context: Context, value: JsonObject): JsonObject {
  const metadata = object(value, 'metadata');
  const namespace = text(metadata, 'namespace');
  if (!context.type.namespaced) return putAt(value, ['metadata'], omit(metadata, 'namespace'));
  if (namespace === context.namespace) return value;
  if (namespace !== '') {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
  return putAt(value, ['metadata', 'namespace'], context.namespace);
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

function named(value: JsonObject): JsonObject {
  const prefix = text(value, 'metadata', 'generateName');
  if (text(value, 'metadata', 'name') !== '' || prefix === '') return value;
  const suffix = Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return putAt(value, ['metadata', 'name'], prefix.slice(0, 58) + suffix);
}

/** Creates an admitted object. A dry run skips only the write. */
export function insert(
  context: Context,
  value: JsonObject,
  options: WriteOptions,
  track: (created: JsonObject) => JsonObject = (created) => trackUpdate(context, undefined, created, options),
): JsonObject {
  const { store, type } = context;
  const strategy = strategyOf(type);
  const name = text(value, 'metadata', 'name');
  checkParent(context, name);
  if (type.webhookConversion && type.apiVersion !== type.storageApiVersion) {
    throw notImplemented(`conversion webhooks: create ${type.kind} in ${type.storageApiVersion}`);
  }
  const prepared = strategy.prepareCreate(withSystemFields(value), type);
  const errors = strategy.validate(prepared, undefined, type, '');
  if (errors.length > 0) throw invalid(type.group, type.kind, name, errors);
  const key = storageKey(type, context.namespace, name);
  if (store.get(type.storage, key) !== undefined) throw alreadyExists(type, name);
  const tracked = track(prepared);
  if (options.dryRun) return tracked;
  return present(store.put(type.storage, key, stored(tracked, type)), type);
}

function withSystemFields(value: JsonObject): JsonObject {
  const metadata = omit(
    object(value, 'metadata'),
    'resourceVersion',
    'selfLink',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  );
  return { ...value, metadata: { ...metadata, uid: randomUUID(), creationTimestamp: now() } };
}

/** The namespace must exist and must not be terminating. */
function checkParent(context: Context, name: string): void {
  if (!context.type.namespaced) return;
  const namespace = context.store.get(namespaces.storage, context.namespace);
  if (namespace === undefined) throw notFound(namespaces, context.namespace);
  if (text(namespace, 'metadata', 'deletionTimestamp') === '') return;
  const why = `unable to create new content in namespace ${context.namespace} because it is being terminated`;
  throw forbidden(context.type, name, why, {
    reason: 'NamespaceTerminating',
    message: `namespace ${context.namespace} is being terminated`,
    field: 'metadata.namespace',
  });
}
