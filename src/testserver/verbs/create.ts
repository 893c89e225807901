/** Creation of objects, also by an apply or a PUT of an object that does not exist. */
import { equal, type JsonObject, object, omit, own, putAt, replace, text } from '@kgen/schema/values/json';
import { checkGrant } from '../access/grants.ts';
import { checkVerb } from '../access/guard.ts';
import { noteOwners } from '../access/owners.ts';
import { mutate, validate, type Write } from '../admission/admission.ts';
import type { Context } from '../call/context.ts';
import { clusterOf } from '../call/context.ts';
import { optionsObject, type WriteOptions, writeOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { admit, present, stored } from '../decoding/admit.ts';
import { decodeBody, withKind } from '../decoding/decode.ts';
import { randomSuffix, randomUid, timestamp } from '../environment/environment.ts';
import { alreadyExists, badRequest, forbidden, invalid, notFound } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { trackUpdate } from '../managed/track.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { namespaces } from '../resources/builtin.ts';
import { strategyOf } from '../resources/strategies.ts';
import { storageKey, validationGroup } from '../resources/type.ts';

/** Handles POST to a collection. */
export function* create(context: Context): Verb<ApiResponse> {
  const options = writeOptions(context, 'CreateOptions');
  const sent = decodeBody(context.request, context.type.kind);
  const body = withKind(sent, context.type);
  const value = checkNamespace(context, admit(context, body, options, sent));
  return json(201, yield* insert(context, value, options), [...context.warnings]);
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

/**
 * Creates a decoded object: mutates and completes it, validates it, and stores it unless it is a dry run.
 * Managers own what the client sent, not what admission changed.
 */
export function* insert(
  context: Context,
  value: JsonObject,
  options: WriteOptions,
  track: (created: JsonObject) => JsonObject = (created) => trackUpdate(context, undefined, created, options),
): Verb<JsonObject> {
  const { store, type } = context;
  const strategy = strategyOf(type);
  const cluster = clusterOf(context, options);
  // Managers own what the client sent and its defaults, but nothing that the server adds.
  const isTrackedFirst = type.strategy === 'builtin' || type.strategy === 'namespace';
  const wiped = withoutSystemFields(value);
  const sent = isTrackedFirst ? track(strategy.label?.(wiped) ?? wiped) : wiped;
  const object = strategy.admit?.(sent, undefined, type, cluster) ?? sent;
  const write: Write = {
    operation: 'CREATE',
    object,
    old: undefined,
    options: optionsObject('CreateOptions', options),
    dryRun: options.dryRun,
  };
  const admitted = named(context, (yield* mutate(context, write)) ?? object);
  const name = text(admitted, 'metadata', 'name');
  checkParent(context, name);
  checkGrant(context, admitted, undefined);
  noteOwners(context, admitted, undefined);
  const system = withSystemFields(context, admitted);
  const prepared = strategy.prepareCreate(system, type, cluster);
  const errors = strategy.validate(prepared, undefined, type, '', cluster, (warning) =>
    context.warnings.add(warning),
  );
  if (errors.length > 0) throw invalid(validationGroup(type), type.kind, name, errors);
  for (const warning of strategy.warnings?.(prepared, undefined) ?? []) context.warnings.add(warning);
  const tracked = isTrackedFirst
    ? prepared
    : equal(admitted, wiped)
      ? track(prepared)
      : withManagersOf(prepared, track(strategy.prepareCreate(wiped, type, cluster)));
  if (context.request.method !== 'POST') checkVerb(context, 'create');
  yield* validate(context, { ...write, object: tracked });
  strategy.checkQuotas?.(tracked, undefined, type, cluster);
  const next = yield* stored(tracked, type);
  const key = storageKey(type, context.namespace, name);
  // Nothing waits between this check and the write.
  checkVersion(context, admitted, options);
  const existing = store.get(type.storage, key);
  if (existing !== undefined) throw existsFailure(context, admitted, existing);
  if (options.dryRun) return yield* present(next, type);
  return yield* present(store.put(type.storage, key, next), type);
}

function named({ environment }: Context, value: JsonObject): JsonObject {
  const prefix = text(value, 'metadata', 'generateName');
  if (text(value, 'metadata', 'name') !== '' || prefix === '') return value;
  return putAt(value, ['metadata', 'name'], prefix.slice(0, 58) + randomSuffix(environment));
}

/** Returns an object with the managed fields of another one. */
function withManagersOf(value: JsonObject, other: JsonObject): JsonObject {
  return putAt(value, ['metadata', 'managedFields'], own(object(other, 'metadata'), 'managedFields') ?? []);
}

/** A server reports a generated name in another way, and adds whether the object is being deleted. */
function existsFailure({ type }: Context, value: JsonObject, existing: JsonObject): Failure {
  const isGenerated = text(value, 'metadata', 'generateName') !== '';
  const { problem } = alreadyExists(type, text(value, 'metadata', 'name'));
  const generated = isGenerated ? ', the server was not able to generate a unique name for the object' : '';
  const deleted = text(existing, 'metadata', 'deletionTimestamp') === '' ? '' : 'object is being deleted: ';
  const retry = isGenerated ? { retryAfterSeconds: 1 } : {};
  const message = `${deleted}${problem.message}${generated}`;
  return new Failure({ ...problem, message, details: { ...problem.details, ...retry } });
}

/** The server's response has no reason. */
function checkVersion({ request }: Context, value: JsonObject, { dryRun }: WriteOptions): void {
  const hasVersion = !['', '0'].includes(text(value, 'metadata', 'resourceVersion'));
  if (request.method === 'POST' && hasVersion && !dryRun)
    throw new Failure({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
}

/** Returns an object without the fields that a create ignores. */
function withoutSystemFields(value: JsonObject): JsonObject {
  const metadata = omit(
    object(value, 'metadata'),
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
  );
  return replace(value, 'metadata', metadata);
}

function withSystemFields({ environment }: Context, value: JsonObject): JsonObject {
  const created = { uid: randomUid(environment), creationTimestamp: timestamp(environment) };
  return replace(value, 'metadata', { ...object(value, 'metadata'), ...created });
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
