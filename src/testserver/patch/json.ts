/**
 * JSON patches as the API server applies them. `applyJsonPatch` of `@kgen/runtime/patch` is not used: it
 * follows RFC 6902 strictly, names the failed operation, and changes a copy whose integers beyond 2^53 have
 * their digits beside them, while the server extends the RFC and shares values, whose integers are bigints.
 */
import {
  equal,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  own,
  put,
} from '@kgen/schema/values/json';
import { badRequest, failure } from '../errors/failures.ts';

/** Maximum number of operations, equal to that of a real API server. */
const operationsLimit = 10_000;

/**
 * Applies a JSON patch (RFC 6902) without modifying the target, with the extensions of the API server:
 * negative indices count from the end, `replace` may name a missing key, and the first part of a path is
 * ignored.
 * @throws {Failure} 400 if the patch is not a list of operations, 413 if there are too many of them, 422 if
 * an operation cannot be applied
 */
export function jsonPatch(target: Json, patch: Json): Json {
  const operations = decode(patch);
  if (operations.length > operationsLimit) {
    throw failure(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${operationsLimit}, got ${operations.length}`,
    );
  }
  try {
    return operations.reduce<Json>(run, target);
  } catch (error) {
    if (!(error instanceof Inapplicable)) throw error;
    // The server's message contains no details about the patch.
    throw failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {
      details: {},
    });
  }
}

/** An operation that cannot be applied. */
class Inapplicable extends Error {}

function decode(patch: Json): readonly JsonObject[] {
  if (!isArray(patch)) throw undecodable(patch, 'value of type []handlers.jsonPatchOp');
  return patch.map((operation) => {
    if (!isObject(operation)) throw undecodable(operation, 'value of type handlers.jsonPatchOp');
    for (const name of ['op', 'path', 'from']) {
      const value = own(operation, name);
      if (value === undefined || value === null || typeof value === 'string') continue;
      throw undecodable(value, `struct field jsonPatchOp.${name} of type string`);
    }
    return operation;
  });
}

function undecodable(value: Json, target: string): Error {
  return badRequest(`error decoding patch: json: cannot unmarshal ${goKind(value)} into Go ${target}`);
}

/** Returns the name of a JSON type in the messages of Go's decoder. */
export function goKind(value: Json): string {
  if (isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function run(document: Json, operation: JsonObject): Json {
  const value = own(operation, 'value') ?? null;
  switch (own(operation, 'op')) {
    case 'add':
      return changeAt(document, pathOf(operation, 'path'), (parent, key) => add(parent, key, value));
    case 'remove':
      return changeAt(document, pathOf(operation, 'path'), remove);
    case 'replace':
      return replaceAt(document, pathOf(operation, 'path'), value);
    case 'move': {
      const from = pathOf(operation, 'from');
      const moved = valueAt(document, from);
      const rest = changeAt(document, from, remove);
      return changeAt(rest, pathOf(operation, 'path'), (parent, key) => add(parent, key, moved));
    }
    case 'copy': {
      const copied = valueAt(document, pathOf(operation, 'from'));
      return changeAt(document, pathOf(operation, 'path'), (parent, key) => add(parent, key, copied));
    }
    case 'test':
      if (equal(testedValue(document, pathOf(operation, 'path')), value)) return document;
      throw new Inapplicable();
    default:
      throw new Inapplicable();
  }
}

/** A pointer as its parts. The part before the first slash is ignored. */
type Pointer = readonly string[];

function pathOf(operation: JsonObject, name: 'path' | 'from'): Pointer {
  const path = own(operation, name);
  if (typeof path !== 'string') throw new Inapplicable();
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the value at a path. A missing key of an object has the value null. */
function valueAt(document: Json, path: Pointer): Json {
  const key = path.at(-1);
  if (key === undefined) throw new Inapplicable();
  return child(path.slice(0, -1).reduce<Json>(child, document), key);
}

function testedValue(document: Json, path: Pointer): Json {
  return path.length === 0 ? document : valueAt(document, path);
}

function child(parent: Json, key: string): Json {
  if (isObject(parent)) return own(parent, key) ?? null;
  if (!isArray(parent)) throw new Inapplicable();
  return parent[indexOf(key, parent.length)] ?? null;
}

/** Returns the index of an element; a negative index counts from the end. */
function indexOf(key: string, length: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw new Inapplicable();
  const index = Number(key);
  if (index >= length || index < -length) throw new Inapplicable();
  return index < 0 ? index + length : index;
}

type Change = (parent: JsonObject | readonly Json[], key: string) => Json;

function changeAt(document: Json, [head, ...rest]: Pointer, change: Change): Json {
  if (head === undefined || (!isObject(document) && !isArray(document))) throw new Inapplicable();
  if (rest.length === 0) return change(document, head);
  return set(document, head, changeAt(child(document, head), rest, change));
}

function set(parent: JsonObject | readonly Json[], key: string, value: Json): Json {
  if (isObject(parent)) return put(parent, key, value);
  return parent.with(indexOf(key, parent.length), value);
}

function add(parent: JsonObject | readonly Json[], key: string, value: Json): Json {
  if (isObject(parent)) return put(parent, key, value);
  const index = key === '-' ? parent.length : indexOf(key, parent.length + 1);
  return parent.toSpliced(index, 0, value);
}

function remove(parent: JsonObject | readonly Json[], key: string): Json {
  if (!isObject(parent)) return parent.toSpliced(indexOf(key, parent.length), 1);
  if (!Object.hasOwn(parent, key)) throw new Inapplicable();
  return fromEntries(Object.entries(parent).filter(([name]) => name !== key));
}

function replaceAt(document: Json, path: Pointer, value: Json): Json {
  if (path.length > 0) {
    return changeAt(document, path, (parent, key) => {
      child(parent, key);
      return set(parent, key, value);
    });
  }
  if (isObject(value) || isArray(value)) return value;
  throw new Inapplicable();
}
