/** PUT requests, and the retry of writes that another request has overtaken. */
import { invalidValue } from '@kgen/runtime/objects';
import {
  equal,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  replace,
  sharingMembers,
  strings,
  text,
} from '@kgen/schema/values/json';
import { checkGrant } from '../access/grants.ts';
import { noteOwners } from '../access/owners.ts';
import { mutate, validate, type Write } from '../admission/admission.ts';
import type { Context } from '../call/context.ts';
import { clusterOf } from '../call/context.ts';
import { optionsObject, type WriteOptions, writeOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { admit, present, stored } from '../decoding/admit.ts';
import { decodeBody, withKind } from '../decoding/decode.ts';
import { conflict, invalid, misnamed, nameless, notFound, stale } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { trackUpdate } from '../managed/track.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { strategyOf } from '../resources/strategies.ts';
import { storageKey, validationGroup } from '../resources/type.ts';
import { checkNamespace, insert } from './create.ts';

/** Handles PUT of an object or of its status. */
export function* update(context: Context): Verb<ApiResponse> {
  const options = writeOptions(context, 'UpdateOptions');
  const sent = decodeBody(context.request, context.type.kind);
  const body = withKind(sharingMembers(foundObject(context) ?? {}, sent), context.type);
  const value = checkNamespace(context, admit(context, body, options, sent));
  checkName(context, body);
  if (createsMissing(context))
    return json(201, yield* insert(context, value, options), [...context.warnings]);
  const next = yield* writeCurrent(context, (current) => {
    checkUid(context, value, current.value);
    return replaceObject(context, current, value, options);
  });
  return json(200, next, [...context.warnings]);
}

/** A PUT creates objects of some built-in kinds. */
function createsMissing(context: Context): boolean {
  if (context.subresource !== '' || strategyOf(context.type).createOnUpdate !== true) return false;
  return foundObject(context) === undefined;
}

function checkName(context: Context, body: JsonObject): void {
  const name = text(body, 'metadata', 'name');
  if (name === context.name) return;
  if (name === '') throw nameless(context.name);
  throw misnamed(name, context.name);
}

/** The object of a write. */
export interface Current {
  /** The object in the store: a different one after any write. */
  readonly found: JsonObject;
  /** The object in the version of the request. */
  readonly value: JsonObject;
}

/** Thrown by an attempt to write an object that another request changed while the attempt waited. */
export const overtaken: Error = new Error('the object was changed by another request');

/**
 * Calls `attempt` with the current object, and again if it was overtaken, as GuaranteedUpdate of the API
 * server does. Returns the result of the attempt that succeeded.
 * @throws {Failure} 404, and the failures of the attempts
 */
export function* writeCurrent<T>(context: Context, attempt: (current: Current) => Verb<T>): Verb<T> {
  for (;;) {
    const found = foundObject(context);
    if (found === undefined) throw notFound(context.type, context.name);
    const value = yield* present(found, context.type);
    try {
      return yield* attempt({ found, value });
    } catch (error) {
      if (error !== overtaken) throw error;
    }
  }
}

/** Returns the object of the request as it is stored. */
export function foundObject({ store, type, namespace, name }: Context): JsonObject | undefined {
  return store.get(type.storage, storageKey(type, namespace, name));
}

/**
 * Returns the object of the request in its version.
 * @throws {Failure} 404
 */
export function* currentObject(context: Context): Verb<JsonObject> {
  const found = foundObject(context);
  if (found === undefined) throw notFound(context.type, context.name);
  return yield* present(found, context.type);
}

/** @throws {Failure} 409 if an object has the uid of another one */
export function checkUid(context: Context, value: JsonObject, current: JsonObject): void {
  const [requested, actual] = [text(value, 'metadata', 'uid'), text(current, 'metadata', 'uid')];
  if (requested === '' || requested === actual) return;
  throw conflict(
    context.type,
    context.name,
    `StorageError: invalid object, Code: 4, Key: ${etcdKey(context)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${requested}, UID in object meta: ${actual}`,
  );
}

function etcdKey({ type, namespace, name, request }: Context): string {
  const root =
    type.strategy === 'builtin' ? (etcdRoots[type.storage] ?? type.plural) : `${type.group}/${type.plural}`;
  const parts = [root.replace(/^\//, ''), type.namespaced ? namespace : '', name];
  // A dry run reaches the storage without the prefix of its keys.
  const prefix = request.query.has('dryRun') ? '' : '/registry';
  return [prefix, ...parts.filter((part) => part !== '')].join('/');
}

/** Paths of kinds that are stored under another name. */
const etcdRoots: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/**
 * Writes `value` over `current`. An unchanged value is not written, so that its resourceVersion stays. A
 * terminating object is removed with its last finalizer.
 * @throws {Error} `overtaken` if the object was changed while this function waited
 */
export function* replaceObject(
  context: Context,
  { found, value: current }: Current,
  value: JsonObject,
  options: WriteOptions,
  track: (next: JsonObject) => JsonObject = (next) => trackUpdate(context, current, next, options),
): Verb<JsonObject> {
  const { type, subresource, name } = context;
  const strategy = strategyOf(type);
  const cluster = clusterOf(context, options);
  const tracked = track(strategy.label?.(value) ?? value);
  const sent =
    subresource === ''
      ? (strategy.admit?.(keepSystemFields(tracked, current), current, type, cluster) ?? tracked)
      : tracked;
  const write: Write = {
    operation: 'UPDATE',
    object: sent,
    old: current,
    options: optionsObject('UpdateOptions', options),
    dryRun: options.dryRun,
  };
  // A scale is admitted as a Scale.
  const isAdmitted = subresource === 'scale';
  const admitted = isAdmitted ? sent : ((yield* mutate(context, write)) ?? sent);
  checkGrant(context, admitted, current);
  noteOwners(context, admitted, current);
  checkVersion(context, current, value);
  const prepared = strategy.prepareUpdate(
    keepSystemFields(admitted, current),
    current,
    type,
    subresource,
    cluster,
  );
  const errors = strategy.validate(prepared, current, type, subresource, cluster, (warning) =>
    context.warnings.add(warning),
  );
  if (errors.length > 0) throw invalid(validationGroup(type), type.kind, name, errors);
  if (subresource === '')
    for (const warning of strategy.warnings?.(prepared, current) ?? []) context.warnings.add(warning);
  const next = keepTimestamps(prepared, current);
  if (!isAdmitted) yield* validate(context, { ...write, object: next });
  if (subresource === '') strategy.checkQuotas?.(next, current, type, cluster);
  const written = yield* stored(next, type);
  if (foundObject(context) !== found) throw overtaken;
  if (equal(written, found)) return current;
  return options.dryRun ? yield* present(written, type) : yield* commit(context, current, next, written);
}

/** Writes an object, or removes it. Nothing waits between the check of its caller and the write. */
function* commit(
  { store, type, namespace, name }: Context,
  current: JsonObject,
  next: JsonObject,
  written: JsonObject,
): Verb<JsonObject> {
  const key = storageKey(type, namespace, name);
  if (!isReleased(type, next, current)) return yield* present(store.put(type.storage, key, written), type);
  // The response has the version before the removal.
  store.remove(type.storage, key);
  return next;
}

/** Returns whether nothing holds a terminating object any more: no finalizer and no grace period. */
function isReleased(type: Context['type'], next: JsonObject, current: JsonObject): boolean {
  const period = own(object(current, 'metadata'), 'deletionGracePeriodSeconds') ?? 0;
  return (
    text(current, 'metadata', 'deletionTimestamp') !== '' &&
    period === 0 &&
    strings(next, 'metadata', 'finalizers').length === 0 &&
    (type.strategy !== 'namespace' || strings(next, 'spec', 'finalizers').length === 0)
  );
}

function checkVersion(context: Context, current: JsonObject, value: JsonObject): void {
  const { type, name } = context;
  const [requested, actual] = [
    text(value, 'metadata', 'resourceVersion'),
    text(current, 'metadata', 'resourceVersion'),
  ];
  if (requested === actual) return;
  if (requested === '' || requested === '0') {
    if (strategyOf(type).unconditionalUpdate) return;
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid(type.group, type.plural, name, [error]);
  }
  if (!/^\d+$/.test(requested)) {
    // The server's response has no reason.
    throw new Failure({
      code: 500,
      message: `strconv.ParseUint: parsing ${JSON.stringify(requested)}: invalid syntax`,
    });
  }
  throw conflict(type, name, stale);
}

/** Restores fields that an update cannot change. */
function keepSystemFields(value: JsonObject, current: JsonObject): JsonObject {
  const [metadata, before] = [object(value, 'metadata'), object(current, 'metadata')];
  const kept = ['creationTimestamp', 'generation', 'resourceVersion', 'deletionTimestamp'].reduce(
    (result, key) => {
      const old = own(before, key);
      return old === undefined ? result : replace(result, key, old);
    },
    own(before, 'generation') === undefined
      ? omit(metadata, 'selfLink', 'generation')
      : omit(metadata, 'selfLink'),
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
