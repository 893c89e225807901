import { parseSchema } from '@kgen/schema/validation/structural';
import {
  array,
  at,
  compact,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import { mutate, validate, type Write } from '../admission/admission.ts';
import type { Context } from '../call/context.ts';
import { optionsObject, type WriteOptions, writeOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { checkBody, unknownIn } from '../decoding/admit.ts';
import { checkKind, decodeBody, mediaType } from '../decoding/decode.ts';
import { badRequest, failure, misnamed } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { decodeManagers } from '../managed/entries.ts';
import { pathKey } from '../managed/fieldset.ts';
import { trackApply, trackUpdate } from '../managed/track.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { selectorText } from '../resources/label-selector.ts';
import type { ResourceType, ScalePaths } from '../resources/type.ts';
import { parseApplied } from './apply.ts';
import { applyType, checkPatchType, decodePatched, patchObject, reportPatched } from './patch.ts';
import { type Current, currentObject, replaceObject, writeCurrent } from './update.ts';

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

const scaleType = { kind: 'Scale', apiVersion: 'autoscaling/v1' } as const;

const scaleSchema = parseSchema({
  type: 'object',
  properties: {
    metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});

/** Marks unset replicas while a scale is written. */
const unset = -(2 ** 31);

/** Handles GET of the scale subresource: an autoscaling/v1 Scale from the paths of the definition. */
export function* getScale(context: Context): Verb<ApiResponse> {
  const paths = pathsOf(context.type);
  const current = yield* currentObject(context);
  if (at(current, ...paths.specReplicas) === undefined) {
    const message = `the spec replicas field ".${paths.specReplicas.join('.')}" does not exist`;
    throw failure(500, 'InternalError', `Internal error occurred: ${message}`, {
      details: { causes: [{ message }] },
    });
  }
  return json(200, scaleOf(current, paths), [...context.warnings]);
}

/** Handles PUT of the scale subresource. */
export function* updateScale(context: Context): Verb<ApiResponse> {
  const options = writeOptions(context, 'UpdateOptions');
  const body = decodeBody(context.request, scaleType.kind);
  checkKind(body, { ...scaleType, group: 'autoscaling' });
  checkBody(context, body, scaleKind, options);
  const next = yield* writeCurrent(context, (current) => writeScale(context, current, body, options));
  return json(200, next, [...context.warnings]);
}

/** Handles PATCH of the scale subresource. */
export function* patchScale(context: Context): Verb<ApiResponse> {
  const type = mediaType(context.request.contentType);
  checkPatchType(context, type, applyType);
  const options = writeOptions(context, 'PatchOptions');
  const paths = pathsOf(context.type);
  if (type === applyType) return yield* applyScale(context, options, paths);
  const next = yield* writeCurrent(context, (current) => {
    const isSet = at(current.value, ...paths.specReplicas) !== undefined;
    const scale = scaleOf(isSet ? current.value : putAt(current.value, paths.specReplicas, unset), paths);
    const patched = patchObject(scale, type, context.request.body, scaleSchema);
    if (!isObject(patched)) throw badRequest('the patched scale is not an object');
    const unknown = decodePatched(context.request, patched, () => unknownIn(patched, scaleKind));
    reportPatched(context, patched, unknown, options);
    return writeScale(context, current, patched, options);
  });
  return json(200, next, [...context.warnings]);
}

/** Merges an applied scale: its manager owns the replicas of the object. */
function* applyScale(context: Context, options: WriteOptions, paths: ScalePaths): Verb<ApiResponse> {
  const { type, name } = context;
  const scale = parseApplied(context.request.body);
  checkKind(scale, { ...scaleType, group: 'autoscaling' });
  const replicas = at(scale, 'spec', 'replicas');
  const config: JsonObject = { apiVersion: type.apiVersion, kind: type.kind, metadata: { name } };
  const next = yield* writeCurrent(context, function* (current) {
    const applied = replicas === undefined ? config : putAt(config, paths.specReplicas, replicas);
    const tracked = trackApply(context, current.value, applied, options);
    const version =
      text(scale, 'metadata', 'resourceVersion') || text(current.value, 'metadata', 'resourceVersion');
    const value = putAt(withoutScaleTimes(tracked), ['metadata', 'resourceVersion'], version);
    return scaleOf(yield* replaceObject(context, current, value, options, (each) => each), paths);
  });
  return json(200, next, [...context.warnings]);
}

/** The server records no time for applied scales. */
function withoutScaleTimes(value: JsonObject): JsonObject {
  const entries = array(value, 'metadata', 'managedFields').map((entry) => {
    const isApplied = text(entry, 'subresource') === 'scale' && text(entry, 'operation') === 'Apply';
    return isApplied ? omit(object(entry), 'time') : entry;
  });
  return putAt(value, ['metadata', 'managedFields'], entries);
}

function pathsOf(type: ResourceType): ScalePaths {
  if (type.scale !== undefined) return type.scale;
  throw failure(404, 'NotFound', 'the server could not find the requested resource');
}

function* writeScale(
  context: Context,
  current: Current,
  scale: JsonObject,
  options: WriteOptions,
): Verb<JsonObject> {
  const paths = pathsOf(context.type);
  const found = at(scale, 'spec', 'replicas');
  const replicas = typeof found === 'number' ? found : 0;
  if (replicas === unset)
    throw badRequest(`the spec replicas field ".${paths.specReplicas.join('.')}" cannot be empty`);
  const name = text(scale, 'metadata', 'name');
  if (name !== context.name) throw misnamed(name, context.name);
  const admitted = yield* admittedReplicas(context, current, replicas, options);
  const version = text(scale, 'metadata', 'resourceVersion');
  const changed = putAt(current.value, paths.specReplicas, admitted);
  // Without a resourceVersion the scale is written unconditionally.
  const value = version === '' ? changed : putAt(changed, ['metadata', 'resourceVersion'], version);
  const track = (next: JsonObject): JsonObject => trackScale(context, current, next, options);
  const replaced = replaceObject(context, current, value, options, track);
  return scaleOf(yield* asScale(replaced), paths);
}

/**
 * The managers of a scale are those of the replicas: without any, nobody becomes one. A scale of 0 has no
 * replicas, so that nobody owns them either.
 */
function trackScale(
  context: Context,
  { value }: Current,
  next: JsonObject,
  options: WriteOptions,
): JsonObject {
  const { specReplicas } = pathsOf(context.type);
  const path = pathKey(specReplicas.map((key) => `f:${key}`));
  const known = [...decodeManagers(own(object(value, 'metadata'), 'managedFields')).values()];
  if (!known.some(({ fields }) => fields.has(path))) return next;
  const tracked = trackUpdate(context, value, next, options);
  if (specReplicas.reduce<Json | undefined>(own, next) !== 0) return tracked;
  const entries = array(tracked, 'metadata', 'managedFields').filter(
    (entry) => text(entry, 'subresource') !== 'scale' || text(entry, 'operation') !== 'Update',
  );
  return putAt(tracked, ['metadata', 'managedFields'], entries);
}

/** @throws {Failure} 422 about the Scale, which built-in kinds validate */
function* asScale(replaced: Verb<JsonObject>): Verb<JsonObject> {
  try {
    return yield* replaced;
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.reason !== 'Invalid') throw error;
    const { details, message } = error.problem;
    const isReplicas = details?.causes?.every(({ field }) => field === 'spec.replicas') ?? false;
    if (!isReplicas) throw error;
    throw new Failure({
      ...error.problem,
      message: message.replace(/^\S+/, 'Scale.autoscaling'),
      details: { ...details, group: 'autoscaling', kind: 'Scale' },
    });
  }
}

/** Returns the replicas after admission, which receives the old and the new Scale. */
function* admittedReplicas(
  context: Context,
  { value }: Current,
  replicas: number,
  options: WriteOptions,
): Verb<number> {
  const paths = pathsOf(context.type);
  const write: Write = {
    operation: 'UPDATE',
    kind: scaleKind,
    object: scaleOf(putAt(value, paths.specReplicas, replicas), paths),
    old: scaleOf(value, paths),
    options: optionsObject('UpdateOptions', options),
    dryRun: options.dryRun,
  };
  const object = yield* mutate(context, write);
  yield* validate(context, { ...write, object });
  const admitted = at(object ?? {}, 'spec', 'replicas') ?? 0;
  return typeof admitted === 'number' ? admitted : replicas;
}

function scaleOf(value: JsonObject, paths: ScalePaths): JsonObject {
  const metadata = object(value, 'metadata');
  const replicas = at(value, ...paths.specReplicas);
  const status = at(value, ...paths.statusReplicas);
  const selector = paths.labelSelector === undefined ? undefined : at(value, ...paths.labelSelector);
  return {
    ...scaleType,
    metadata: compact({
      name: own(metadata, 'name'),
      namespace: own(metadata, 'namespace'),
      uid: own(metadata, 'uid'),
      resourceVersion: own(metadata, 'resourceVersion'),
      creationTimestamp: own(metadata, 'creationTimestamp'),
    }),
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: compact({
      replicas: typeof status === 'number' ? status : 0,
      selector: selectorOf(selector),
    }),
  };
}

/** Custom resources have a string, built-in kinds a label selector, or its labels. */
function selectorOf(value: Json | undefined): string | undefined {
  if (!isObject(value)) return typeof value === 'string' && value !== '' ? value : undefined;
  const isSelector = isObject(own(value, 'matchLabels')) || isArray(own(value, 'matchExpressions'));
  return selectorText(isSelector ? value : { matchLabels: value });
}
