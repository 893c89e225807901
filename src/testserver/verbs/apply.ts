import {
  equal,
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
import { isTooDeep, yamlProblem } from '@kgen/schema/values/nesting';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, readYaml } from '@kgen/schema/values/wire';
import { duplicateYamlKeys } from '@kgen/schema/values/yaml-keys';
import type { Context } from '../call/context.ts';
import type { WriteOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { present, shape } from '../decoding/admit.ts';
import { duplicateFields, yamlErrors } from '../decoding/strict.ts';
import { badRequest, conflict, misnamed, nameless, notFound } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { trackApply } from '../managed/track.ts';
import { typedProblem } from '../managed/typed.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { UndecodableFailure } from '../resources/builtin/go-decode.ts';
import { checkNamespace, insert } from './create.ts';
import { foundObject, overtaken, replaceObject } from './update.ts';

/**
 * Handles PATCH with `application/apply-patch+yaml`: creates the object or merges the configuration into it.
 */
export function* apply(context: Context, options: WriteOptions): Verb<ApiResponse> {
  const parsed = parseApplied(context.request.body);
  const given = own(object(parsed, 'metadata'), 'name');
  if (context.subresource !== '' && foundObject(context) === undefined)
    throw notFound(context.type, context.name);
  const config = checkNamespace(context, readConfig(context, parsed));
  for (;;) {
    const found = foundObject(context);
    try {
      const value = yield* found === undefined
        ? createApplied(context, config, options, given)
        : mergeApplied(context, found, config, options, given);
      return json(found === undefined ? 201 : 200, value, [...context.warnings]);
    } catch (error) {
      const isCreated = found === undefined && foundObject(context) !== undefined;
      if (error !== overtaken && !isCreated) throw error;
    }
  }
}

function* mergeApplied(
  context: Context,
  found: JsonObject,
  config: JsonObject,
  options: WriteOptions,
  given: Json | undefined,
): Verb<JsonObject> {
  const current = yield* present(found, context.type);
  const tracked = trackApply(context, current, config, options);
  checkDuplicates(context, options);
  checkName(context, given);
  const version = text(config, 'metadata', 'resourceVersion') || text(current, 'metadata', 'resourceVersion');
  const next = putAt(tracked, ['metadata', 'resourceVersion'], version);
  // Without a change of a field nothing is defaulted.
  const value = isUnchanged(tracked, current) ? next : converted(context, next);
  return yield* replaceObject(context, { found, value: current }, value, options, (next) => next);
}

/**
 * Warns about duplicate keys of the configuration, whose last value counts.
 * @throws {Failure} 400 if they are refused
 */
function checkDuplicates({ request, warnings }: Context, { fieldValidation }: WriteOptions): void {
  if (fieldValidation === 'Ignore' || readPlainJson(request.body) !== undefined) return;
  const found = duplicateYamlKeys(request.body);
  if (found.length === 0) return;
  if (fieldValidation === 'Strict') {
    const problem = `error converting YAML to JSON: ${yamlErrors(found)}`;
    throw badRequest(`error strict decoding YAML: ${problem}`);
  }
  for (const message of found) warnings.add(message);
}

/** @throws {Failure} 400 for a name that the path does not have, or that is empty, after conflicts */
function checkName({ name }: Context, given: Json | undefined): void {
  if (given === undefined || given === name) return;
  if (given === '' || given === null) throw nameless(name);
  throw misnamed(String(given), name);
}

function isUnchanged(next: JsonObject, current: JsonObject): boolean {
  const [after, before] = [object(next, 'metadata'), object(current, 'metadata')];
  return (
    equal(omit(next, 'metadata'), omit(current, 'metadata')) &&
    equal(omit(after, 'managedFields'), omit(before, 'managedFields'))
  );
}

function* createApplied(
  context: Context,
  config: JsonObject,
  options: WriteOptions,
  given: Json | undefined,
): Verb<JsonObject> {
  if (context.subresource !== '') throw notFound(context.type, context.name);
  const value = converted(context, trackApply(context, {}, config, options));
  if (given === undefined) throw nameless(context.name);
  checkName(context, given);
  const uid = text(config, 'metadata', 'uid');
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(context.type, context.name, why);
  }
  checkDuplicates(context, options);
  return yield* insert(context, value, options, (created) => created);
}

/**
 * Decodes the merged object.
 * @throws {Failure} 500 with the names of the configuration, as a real server responds
 */
function converted({ type, request }: Context, merged: JsonObject): JsonObject {
  try {
    return shape(merged, type, 'kept').value;
  } catch (error) {
    if (!(error instanceof UndecodableFailure)) throw error;
    const { namespace = '', name = '' } = object(parseApplied(request.body), 'metadata');
    const { apiVersion, kind } = type;
    const version = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`;
    const where = `failed to convert new object (${String(namespace)}/${String(name)}; ${version}) to proper version`;
    const why = `unable to convert unstructured object to ${version}: ${error.found.converted}`;
    throw new Failure({ code: 500, message: `${where}: ${why}` });
  }
}

function readConfig({ type, name }: Context, config: JsonObject): JsonObject {
  const managed = own(object(config, 'metadata'), 'managedFields');
  if (isArray(managed) && managed.every(isManagedEntry))
    throw badRequest('metadata.managedFields must be nil');
  checkAppliedKind(config, type);
  // Null is ignored, also in place of an entry.
  const metadata = omit(object(config, 'metadata'), 'managedFields');
  return putAt(shapeWithoutDefaults({ ...config, metadata }, type), ['metadata', 'name'], name);
}

/** Returns whether the server can read an entry: managed fields with any other entry are checked as types. */
function isManagedEntry(entry: Json): boolean {
  const names = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'];
  return isObject(entry) && names.every((name) => typeof (own(entry, name) ?? '') === 'string');
}

/** @throws {Failure} 400, or 500 without a reason for a value of the wrong type */
function checkAppliedKind(config: JsonObject, type: Context['type']): void {
  const [kind, apiVersion] = [text(config, 'kind'), text(config, 'apiVersion')];
  const version = apiVersion.includes('/') || apiVersion === '' ? apiVersion || '/' : `/${apiVersion}`;
  if (kind !== type.kind || apiVersion !== type.apiVersion)
    throw badRequest(`invalid object type: ${version}, Kind=${kind}`);
  const problem = typedProblem(config, type.schema);
  if (problem === undefined) return;
  const [namespace, name] = [text(config, 'metadata', 'namespace'), text(config, 'metadata', 'name')];
  const where = `${namespace}/${name}; ${version}, Kind=${kind}`;
  throw new Failure({ code: 500, message: `failed to create typed patch object (${where}): ${problem}` });
}

/**
 * An applier owns the fields that it writes, but not defaults, which are applied after the merge. Objects of
 * built-in kinds are decoded after it, too: an applier also owns zero values.
 */
function shapeWithoutDefaults(config: JsonObject, type: Context['type']): JsonObject {
  return type.goStruct === undefined ? intersect(shape(config, type, 'kept').value, config) : config;
}

/** Returns the parts of `value` that `config` has too. */
function intersect(value: JsonObject, config: JsonObject): JsonObject {
  const set = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const given = own(config, key);
    return given === undefined ? [] : [[key, common(item, given)]];
  });
  const nulls = Object.entries(config).filter(([key, item]) => item === null && !Object.hasOwn(value, key));
  return Object.fromEntries([...nulls, ...set]);
}

function common(item: Json, given: Json): Json {
  // Null is a value that an applier owns, also in place of a default: that conflicts with its owner.
  if (given === null) return given;
  // An empty list is none in the normal form, but not in a configuration.
  if (item === null && Array.isArray(given) && given.length === 0) return given;
  if (isObject(item) && isObject(given)) return intersect(item, given);
  if (!Array.isArray(item) || !Array.isArray(given)) return item;
  return item.map((element: Json, index) => common(element, given[index] ?? null));
}

/**
 * Parses an applied configuration.
 * @throws {Failure} 400
 */
export function parseApplied(body: string): JsonObject {
  try {
    const value = readPlainJson(body) ?? readYaml(body);
    const problem = yamlProblem(value);
    if (problem !== undefined) throw new Error(problem);
    if (isObject(value)) return { ...value, metadata: own(value, 'metadata') ?? {} };
  } catch (error) {
    throw badRequest(`error decoding YAML: ${messageOf(error)}`);
  }
  throw badRequest('error decoding YAML: the configuration must be an object');
}

/** Returns the object in a body that is JSON without duplicate keys, which YAML would report. */
function readPlainJson(body: string): JsonObject | undefined {
  if (!body.startsWith('{') || isTooDeep(body)) return undefined;
  try {
    const value = readJson(body);
    return isObject(value) && duplicateFields(body, value).length === 0 ? value : undefined;
  } catch {
    // YAML, or neither.
    return undefined;
  }
}
