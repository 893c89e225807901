/** JSON patches, merge patches and strategic merge patches of one object. */
import { invalidValue } from '@kgen/runtime/objects';
import type { Schema } from '@kgen/schema/validation/structural';
import { goPrint } from '@kgen/schema/values/go-print';
import { isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { isTooDeep } from '@kgen/schema/values/nesting';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import type { Context } from '../call/context.ts';
import { type WriteOptions, writeOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { shape } from '../decoding/admit.ts';
import { checkSameKind, mediaType } from '../decoding/decode.ts';
import { findingsInPatch, reportStrict, unknownFields } from '../decoding/strict.ts';
import {
  badRequest,
  failure,
  invalid,
  misnamed,
  nameless,
  unsupportedMediaType,
} from '../errors/failures.ts';
import { goKind, jsonPatch } from '../patch/json.ts';
import { mergePatch } from '../patch/merge.ts';
import { strategicMerge } from '../patch/strategic.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { UndecodableFailure } from '../resources/builtin/go-decode.ts';
import type { ResourceType } from '../resources/type.ts';
import { apply } from './apply.ts';
import { checkNamespace } from './create.ts';
import { replaceObject, writeCurrent } from './update.ts';

const jsonPatchType = 'application/json-patch+json';
const strategicType = 'application/strategic-merge-patch+json';
/** Media type of configurations that are applied. */
export const applyType = 'application/apply-patch+yaml';

/** Handles PATCH of an object or of its status. */
export function* patch(context: Context): Verb<ApiResponse> {
  const type = mediaType(context.request.contentType);
  checkPatchType(context, type, applyType);
  const options = writeOptions(context, 'PatchOptions');
  if (type === applyType) return yield* apply(context, options);
  const next = yield* writeCurrent(context, (current) => {
    const { body } = context.request;
    const patched = patchObject(current.value, type, body, context.type.schema);
    const admitted = admitPatched(context, patched, options);
    return replaceObject(context, current, checkNamespace(context, admitted), options);
  });
  return json(200, next, [...context.warnings]);
}

/**
 * Checks the media type of a patch. Custom resources support no strategic merge patches.
 * @throws {Failure} 415
 */
export function checkPatchType({ type }: Context, mediaType: string, ...more: readonly string[]): void {
  const strategic = type.strategy === 'custom' ? [] : [strategicType];
  const accepted = [jsonPatchType, 'application/merge-patch+json', ...strategic, ...more];
  if (accepted.includes(mediaType)) return;
  if (type.strategy === 'custom') throw unsupportedMediaType(accepted);
  throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
}

/**
 * Returns `current` after the patch. Strategic merge patches follow `schema`.
 * @throws {Failure} 400, 413, 422 or 500
 */
export function patchObject(
  current: JsonObject,
  type: string,
  body: string,
  schema: Schema | undefined,
): Json {
  const parsed = parsePatch(body, type);
  if (type === jsonPatchType) return jsonPatch(current, parsed);
  if (isObject(parsed)) {
    return type === strategicType ? strategicMerge(current, parsed, schema) : mergePatch(current, parsed);
  }
  const problem = `json: cannot unmarshal ${goKind(parsed)} into Go value of type map[string]interface {}`;
  throw badRequest(type === strategicType ? problem : `error decoding patch: ${problem}`);
}

function parsePatch(body: string, type: string): Json {
  const prefix = type === strategicType ? '' : 'error decoding patch: ';
  if (isTooDeep(body)) throw badRequest(`${prefix}exceeded max depth`);
  try {
    return readJson(body);
  } catch (error) {
    throw badRequest(prefix + messageOf(error));
  }
}

function admitPatched(context: Context, patched: Json, options: WriteOptions): JsonObject {
  const { type, request } = context;
  const refuse = refusalOf(request, patched);
  if (!isObject(patched)) throw refuse('json: the patched object is not an object');
  if (type.strategy === 'custom') checkSameKind(patched, type);
  else checkRegistered(patched, type, refuse);
  const shaped = decodePatched(request, patched, () => shape(patched, type));
  reportPatched(context, patched, shaped.unknown, options);
  const name = text(patched, 'metadata', 'name');
  if (name !== '' && name !== context.name) throw misnamed(name, context.name);
  if (name === '') throw nameless(context.name);
  return shaped.value;
}

/** Returns the error of a patched object that cannot be decoded. */
function refusalOf({ contentType, body }: Context['request'], patched: Json): (message: string) => Error {
  return (message) => {
    const isStrategic = mediaType(contentType) === strategicType;
    const value = isStrategic ? goPrint(parsePatch(body, strategicType)) : writeJson(patched);
    return invalid('', '', '', [invalidValue('patch', value, message)]);
  };
}

/**
 * Reports duplicate fields of a patch, and unknown fields of the patched object.
 * @throws {Failure} 422 if `fieldValidation` is Strict
 */
export function reportPatched(
  context: Context,
  patched: Json,
  unknown: readonly string[],
  options: WriteOptions,
): void {
  const { request } = context;
  const found = findingsInPatch(request.body, parsePatch(request.body, mediaType(request.contentType)));
  // Go decodes the patched object with sorted keys.
  const fields = [...found, ...unknownFields(unknown.toSorted())];
  reportStrict(context, { yaml: [], fields }, options, refusalOf(request, patched));
}

/** @throws {Failure} 422 for another kind or version */
function checkRegistered(value: JsonObject, type: ResourceType, refuse: (message: string) => Error): void {
  const [kind, apiVersion] = [text(value, 'kind'), text(value, 'apiVersion')];
  if (kind === type.kind && apiVersion === type.apiVersion) return;
  const [quotedKind, quotedVersion] = [kind, apiVersion].map((name) => JSON.stringify(name));
  const where = 'in scheme "pkg/runtime/scheme.go:111"';
  throw refuse(`no kind ${quotedKind} is registered for version ${quotedVersion} ${where}`);
}

/**
 * Decodes a patched object.
 * @throws {Failure} 422 for a value of the wrong type
 */
export function decodePatched<T>(request: Context['request'], patched: Json, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof UndecodableFailure)) throw error;
    const isStrategic = mediaType(request.contentType) === strategicType;
    throw refusalOf(request, patched)(isStrategic ? error.found.converted : error.found.message);
  }
}
