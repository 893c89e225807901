import { badRequest, conflict, invalid, notFound, stale } from '../api/failures.ts';
import { invalidValue } from '../api/fielderror.ts';
import { type Answer, json } from '../api/request.ts';
import { Failure } from '../api/status.ts';
import { trackUpdate } from '../managed/track.ts';
import { strategyOf } from '../resources/strategies.ts';
import { storageKey } from '../resources/type.ts';
import { equal, type JsonObject, object, own, putAt, replace, strings, text } from '../values/json.ts';
import { admit, present, stored } from './admit.ts';
import type { Context } from './context.ts';
import { checkNamespace } from './create.ts';
import { checkKind, decodeBody } from './decode.ts';
import { type WriteOptions, writeOptions } from './options.ts';

/** Handles PUT of an object or of its status. */
export function update(context: Context): Answer {
  const options = writeOptions(context, 'UpdateOptions');
  const body = decodeBody(context.request, context.type.kind);
  checkKind(body, context.type);
  checkName(context, body);
  const value = checkNamespace(context, admit(context, body, options));
  const current = currentObject(context);
  checkUid(context, value, current);
  return json(200, replaceObject(context, current, value, options), [...context.warnings]);
}

function checkName(context: Context, body: JsonObject): void {
  const name = text(body, 'metadata', 'name');
  if (name === context.name) return;
  throw badRequest(
    name === ''
      ? 'name must be provided'
      : `the name of the object (${name}) does not match the name on the URL (${context.name})`,
  );
}

/**
 * Returns the stored object of the request in its version.
 * @throws {Failure} 404
 */
export function currentObject(context: Context): JsonObject {
  const { store, type } = context;
  const found = store.get(type.storage, storageKey(type, context.namespace, context.name));
  if (found === undefined) throw notFound(type, context.name);
  return present(found, type);
}

function checkUid(context: Context, value: JsonObject, current: JsonObject): void {
  const [wanted, actual] = [text(value, 'metadata', 'uid'), text(current, 'metadata', 'uid')];
  if (wanted === '' || wanted === actual) return;
  throw conflict(
    context.type,
    context.name,
    `StorageError: invalid object, Code: 4, Key: ${etcdKey(context)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`,
  );
}

function etcdKey({ type, namespace, name }: Context): string {
  const parts = [type.group, type.plural, type.namespaced ? namespace : '', name];
  return ['/registry', ...parts.filter((part) => part !== '')].join('/');
}

/**
 * Writes `value` over `current`. An unchanged value is not written, so that its resourceVersion stays. A
 * terminating object is removed with its last finalizer.
 */
export function replaceObject(
  context: Context,
  current: JsonObject,
  value: JsonObject,
  options: WriteOptions,
  track: (next: JsonObject) => JsonObject = (next) => trackUpdate(context, current, next, options),
): JsonObject {
  const { store, type, subresource, name } = context;
  checkVersion(context, current, value);
  const strategy = strategyOf(type);
  const prepared = strategy.prepareUpdate(
    keepSystemFields(track(value), current),
    current,
    type,
    subresource,
  );
  const errors = strategy.validate(prepared, current, type, subresource);
  if (errors.length > 0) throw invalid(type.group, type.kind, name, errors);
  const next = keepTimestamps(prepared, current);
  if (equal(stored(next, type), stored(current, type))) return current;
  const key = storageKey(type, context.namespace, name);
  if (isReleased(next, current)) {
    if (options.dryRun) return next;
    const last = store.remove(type.storage, key);
    return putAt(next, ['metadata', 'resourceVersion'], text(last, 'metadata', 'resourceVersion'));
  }
  if (options.dryRun) return next;
  return present(store.put(type.storage, key, stored(next, type)), type);
}

/** Returns whether an update removes the last finalizer of a terminating object. */
function isReleased(next: JsonObject, current: JsonObject): boolean {
  return (
    text(current, 'metadata', 'deletionTimestamp') !== '' &&
    strings(next, 'metadata', 'finalizers').length === 0
  );
}

function checkVersion(context: Context, current: JsonObject, value: JsonObject): void {
  const { type, name } = context;
  const [wanted, actual] = [
    text(value, 'metadata', 'resourceVersion'),
    text(current, 'metadata', 'resourceVersion'),
  ];
  if (wanted === actual) return;
  if (wanted === '' || wanted === '0') {
    if (strategyOf(type).unconditionalUpdate) return;
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid(type.group, type.plural, name, [error]);
  }
  if (!/^\d+$/.test(wanted)) {
    // The server's response has no reason.
    throw new Failure({
      code: 500,
      message: `strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`,
    });
  }
  throw conflict(type, name, stale);
}

/** Restores fields that an update cannot change. */
function keepSystemFields(value: JsonObject, current: JsonObject): JsonObject {
  const [metadata, before] = [object(value, 'metadata'), object(current, 'metadata')];
  const kept = ['creationTimestamp', 'generation', 'resourceVersion', 'deletionTimestamp', 'selfLink'].reduce(
    (result, key) => {
      const old = own(before, key);
      return old === undefined ? result : replace(result, key, old);
    },
    metadata,
  );
  const filled = ['uid', 'deletionGracePeriodSeconds'].reduce((result, key) => {
    const old = own(before, key);
    return own(result, key) !== undefined || old === undefined ? result : replace(result, key, old);
  }, kept);
  return putAt(value, ['metadata'], filled);
}

/** Managed fields that differ only in their times count as unchanged. */
function keepTimestamps(next: JsonObject, current: JsonObject): JsonObject {
  const [entries, before] = [
    own(object(next, 'metadata'), 'managedFields'),
    own(object(current, 'metadata'), 'managedFields'),
  ];
  if (!Array.isArray(entries) || !Array.isArray(before) || entries.length !== before.length) return next;
  const timeless = (entry: JsonObject): JsonObject => replace(entry, 'time', null);
  return equal(entries.map(timeless), before.map(timeless))
    ? putAt(next, ['metadata', 'managedFields'], before)
    : next;
}
