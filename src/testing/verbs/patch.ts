import { badRequest, invalid, unsupportedMediaType } from '../api/failures.ts';
import { invalidValue } from '../api/fielderror.ts';
import { type Answer, json } from '../api/request.ts';
import { jsonPatch } from '../patch/json.ts';
import { mergePatch } from '../patch/merge.ts';
import { isObject, type Json, type JsonObject, text } from '../values/json.ts';
import { readJson, writeJson } from '../values/wire.ts';
import { reportStrict, shape, unknownFields } from './admit.ts';
import { apply } from './apply.ts';
import type { Context } from './context.ts';
import { checkNamespace } from './create.ts';
import { checkSameKind, mediaType, messageOf } from './decode.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { currentObject, replaceObject } from './update.ts';

const accepted = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

/** Handles PATCH of an object or of its status. */
export function patch(context: Context): Answer {
  const type = mediaType(context.request.contentType);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  const options = writeOptions(context, 'PatchOptions');
  if (type === 'application/apply-patch+yaml') return apply(context, options);
  const current = currentObject(context);
  const patched = patchObject(current, type, context.request.body);
  const value = checkNamespace(context, admitPatched(context, patched, options));
  return json(200, replaceObject(context, current, value, options), [...context.warnings]);
}

/**
 * Returns `current` after the patch.
 * @throws {Failure} 400 or 422
 */
export function patchObject(current: JsonObject, type: string, body: string): Json {
  const parsed = parsePatch(body);
  if (type === 'application/json-patch+json') return jsonPatch(current, parsed);
  if (!isObject(parsed)) {
    const given = Array.isArray(parsed) ? 'array' : typeof parsed;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${given} into Go value of type map[string]interface {}`,
    );
  }
  return mergePatch(current, parsed);
}

function parsePatch(body: string): Json {
  try {
    return readJson(body);
  } catch (error) {
    throw badRequest(`error decoding patch: ${messageOf(error)}`);
  }
}

function admitPatched(context: Context, patched: Json, options: WriteOptions): JsonObject {
  const refuse = (message: string): Error =>
    invalid('', '', '', [invalidValue('patch', writeJson(patched), message)]);
  if (!isObject(patched)) throw refuse('json: the patched object is not an object');
  checkSameKind(patched, context.type);
  if (text(patched, 'metadata', 'name') !== context.name) {
    throw badRequest(
      `the name of the object (${text(patched, 'metadata', 'name')}) does not match the name on the URL (${context.name})`,
    );
  }
  const shaped = shape(patched, context.type);
  reportStrict(context, unknownFields(shaped.unknown), options, refuse);
  return shaped.value;
}
