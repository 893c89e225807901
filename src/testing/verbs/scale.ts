import { badRequest, failure, invalid, notImplemented, unsupportedMediaType } from '../api/failures.ts';
import { invalidValue } from '../api/fielderror.ts';
import { type Answer, json } from '../api/request.ts';
import type { ResourceType, ScalePaths } from '../resources/type.ts';
import { at, compact, isObject, type JsonObject, object, own, putAt, text } from '../values/json.ts';
import type { Context } from './context.ts';
import { checkKind, decodeBody, mediaType } from './decode.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { patchObject } from './patch.ts';
import { currentObject, replaceObject } from './update.ts';

const scaleType = { kind: 'Scale', apiVersion: 'autoscaling/v1' } as const;

/** Marks unset replicas while a scale is written. */
const unset = -(2 ** 31);

/** Handles GET of the scale subresource: an autoscaling/v1 Scale from the paths of the definition. */
export function getScale(context: Context): Answer {
  const paths = pathsOf(context.type);
  const current = currentObject(context);
  if (at(current, ...paths.specReplicas) === undefined) {
    const message = `the spec replicas field ".${paths.specReplicas.join('.')}" does not exist`;
    throw failure(500, 'InternalError', `Internal error occurred: ${message}`, {
      details: { causes: [{ message }] },
    });
  }
  return json(200, scaleOf(current, paths), [...context.warnings]);
}

/** Handles PUT of the scale subresource. */
export function updateScale(context: Context): Answer {
  const options = writeOptions(context, 'UpdateOptions');
  const body = decodeBody(context.request, scaleType.kind);
  checkKind(body, { ...scaleType, group: 'autoscaling' });
  return json(200, writeScale(context, body, options), [...context.warnings]);
}

/** Handles PATCH of the scale subresource. */
export function patchScale(context: Context): Answer {
  const type = mediaType(context.request.contentType);
  if (type === 'application/apply-patch+yaml')
    throw notImplemented('server-side apply on the scale subresource');
  if (type !== 'application/json-patch+json' && type !== 'application/merge-patch+json') {
    throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json']);
  }
  const options = writeOptions(context, 'PatchOptions');
  const paths = pathsOf(context.type);
  const current = currentObject(context);
  const isSet = at(current, ...paths.specReplicas) !== undefined;
  const scale = scaleOf(isSet ? current : putAt(current, paths.specReplicas, unset), paths);
  const patched = patchObject(scale, type, context.request.body);
  if (!isObject(patched)) throw badRequest('the patched scale is not an object');
  return json(200, writeScale(context, patched, options), [...context.warnings]);
}

function pathsOf(type: ResourceType): ScalePaths {
  if (type.scale !== undefined) return type.scale;
  throw failure(404, 'NotFound', 'the server could not find the requested resource');
}

function writeScale(context: Context, scale: JsonObject, options: WriteOptions): JsonObject {
  const current = currentObject(context);
  const paths = pathsOf(context.type);
  const replicas = at(scale, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    const problem = `json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`;
    if (context.request.method !== 'PATCH')
      throw badRequest(`Scale in version "v1" cannot be handled as a Scale: ${problem}`);
    throw invalid('', '', '', [invalidValue('patch', JSON.stringify(scale), problem)]);
  }
  if (replicas === unset)
    throw badRequest(`the spec replicas field ".${paths.specReplicas.join('.')}" cannot be empty`);
  if (text(scale, 'metadata', 'name') !== context.name) {
    throw badRequest(
      `the name of the object (${text(scale, 'metadata', 'name')}) does not match the name on the URL (${context.name})`,
    );
  }
  const version = text(scale, 'metadata', 'resourceVersion');
  const changed = putAt(current, paths.specReplicas, replicas);
  // Without a resourceVersion the scale is written unconditionally.
  const value = version === '' ? changed : putAt(changed, ['metadata', 'resourceVersion'], version);
  return scaleOf(replaceObject(context, current, value, options), paths);
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
      selector: typeof selector === 'string' && selector !== '' ? selector : undefined,
    }),
  };
}
