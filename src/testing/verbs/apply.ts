import { badRequest, conflict, notFound } from '../api/failures.ts';
import { type Answer, json } from '../api/request.ts';
import { Failure } from '../api/status.ts';
import { trackApply } from '../managed/track.ts';
import { storageKey } from '../resources/type.ts';
import { array, isObject, type Json, type JsonObject, object, own, putAt, text } from '../values/json.ts';
import { readYaml } from '../values/wire.ts';
import { present, shape } from './admit.ts';
import type { Context } from './context.ts';
import { checkNamespace, insert } from './create.ts';
import { checkKind, messageOf } from './decode.ts';
import type { WriteOptions } from './options.ts';
import { replaceObject } from './update.ts';

/**
 * Handles PATCH with `application/apply-patch+yaml`: creates the object or merges the configuration into it.
 */
export function apply(context: Context, options: WriteOptions): Answer {
  const config = checkNamespace(context, readConfig(context));
  const { store, type, namespace, name } = context;
  const found = store.get(type.storage, storageKey(type, namespace, name));
  const warnings = (): readonly string[] => [...context.warnings];
  if (found === undefined) return json(201, createApplied(context, config, options), warnings());
  const current = present(found, type);
  const tracked = trackApply(context, current, config, options);
  const version = text(config, 'metadata', 'resourceVersion') || text(current, 'metadata', 'resourceVersion');
  const value = shape(putAt(tracked, ['metadata', 'resourceVersion'], version), type).value;
  return json(
    200,
    replaceObject(context, current, value, options, (next) => next),
    warnings(),
  );
}

function createApplied(context: Context, config: JsonObject, options: WriteOptions): JsonObject {
  if (context.subresource !== '') throw notFound(context.type, context.name);
  const uid = text(config, 'metadata', 'uid');
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(context.type, context.name, why);
  }
  const tracked = trackApply(context, {}, config, options);
  return insert(context, shape(tracked, context.type).value, options, (created) => created);
}

function readConfig(context: Context): JsonObject {
  const { request, type, name } = context;
  const config = parse(request.body);
  checkKind(config, type);
  const given = text(config, 'metadata', 'name');
  if (given !== '' && given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  if (array(config, 'metadata', 'managedFields').length > 0)
    throw badRequest('metadata.managedFields must be nil');
  const { value, unknown } = shapeWithoutDefaults(config, type);
  const [first] = unknown;
  if (first === undefined) return putAt(value, ['metadata', 'name'], name);
  const where = `${text(config, 'metadata', 'namespace')}/${given}; ${type.apiVersion}, Kind=${type.kind}`;
  // The server's response has no reason.
  const message = `failed to create typed patch object (${where}): .${first}: field not declared in schema`;
  throw new Failure({ code: 500, message });
}

/** An applier owns the fields that it writes, but not defaults, which are applied after the merge. */
function shapeWithoutDefaults(config: JsonObject, type: Context['type']): ReturnType<typeof shape> {
  const shaped = shape(config, type);
  return { value: intersect(shaped.value, config), unknown: shaped.unknown };
}

/** Returns the parts of `value` that `config` has too. */
function intersect(value: JsonObject, config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const given = own(config, key);
      if (given === undefined) return [];
      return [[key, common(item, given)]];
    }),
  );
}

function common(item: Json, given: Json): Json {
  if (isObject(item) && isObject(given)) return intersect(item, given);
  if (!Array.isArray(item) || !Array.isArray(given)) return item;
  return item.map((element: Json, index) => common(element, given[index] ?? null));
}

function parse(body: string): JsonObject {
  try {
    const value = readYaml(body);
    if (isObject(value)) return { ...value, metadata: object(value, 'metadata') };
  } catch (error) {
    throw badRequest(`error decoding YAML: ${messageOf(error)}`);
  }
  throw badRequest('error decoding YAML: the configuration must be an object');
}
