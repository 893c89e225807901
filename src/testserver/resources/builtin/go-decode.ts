/**
 * JSON of built-in kinds as the API server reads and writes it: decoded into Go's structs, and encoded again.
 * Unknown members are dropped, absent ones have the form of their Go type.
 */

import { goType } from '@kgen/schema/values/go-print';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  unlessSame,
  unlessSameItems,
} from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import { badRequest } from '../../errors/failures.ts';
import { Failure } from '../../errors/status.ts';
import { withoutEmptyLists } from './go-empty.ts';
import { checkSpecial, zeroSpecial } from './go-special.ts';
import { type GoField, type GoScalar, type GoStruct, type GoType, goStruct, goTypeName } from './go-type.ts';

/** The error of a value that its Go type cannot hold. */
interface Problem {
  readonly message: string;
  /** The message of the conversion of a strategic merge patch, which has no JSON. */
  readonly converted: string;
}

/** Thrown for an object that its Go type cannot hold: 400, unless a patch caused it. */
export class UndecodableFailure extends Failure {
  readonly found: Problem;

  constructor(subject: string, found: Problem) {
    const kind = subject.split(' ', 1).join('');
    super(badRequest(`${subject} cannot be handled as a ${kind}: ${found.message}`).problem);
    this.found = found;
  }
}

/** State of one decoding. */
interface Decoding {
  readonly unknown: string[];
  /** The first error. */
  problem: Problem | undefined;
  /** The first error of a type with a JSON form of its own, after which Go decodes nothing further. */
  fatal: Problem | undefined;
}

/** Position of a value: with indices for unknown fields, and without them in errors of types. */
interface Place {
  readonly path: string;
  readonly plain: string;
  readonly struct: string;
}

/** An object in its normal form, and the paths of its unknown fields. */
export interface Decoded {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Decodes an object of a built-in kind.
 * @param subject kind and version in messages: `Pod in version "v1"`
 * @throws {Failure} 400 for a value of the wrong type
 */
export function decodeGo(value: JsonObject, struct: GoStruct, subject: string): Decoded {
  if (normal.get(value) === struct) return { value, unknown: [] };
  const decoding: Decoding = { unknown: [], problem: undefined, fatal: undefined };
  const { apiVersion, kind, ...rest } = value;
  const body = readStruct(rest, struct, { path: '', plain: '', struct: struct.name }, decoding);
  const { problem, fatal = problem } = decoding;
  // A strategic merge patch is converted, which ends with the first error of any kind.
  if (problem !== undefined && fatal !== undefined)
    throw new UndecodableFailure(subject, { message: fatal.message, converted: problem.converted });
  const typed = {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
  };
  const decoded = unlessSame(value, { ...typed, ...body });
  normal.set(decoded, struct);
  return { value: decoded, unknown: decoding.unknown };
}

/**
 * Objects in their normal form, with the struct by which they were decoded: parts of stored objects, which
 * most writes contain again.
 */
const normal = new WeakMap<JsonObject, GoStruct>();

/** Returns the normal form of an object that the server itself produces. */
export function normalizeGo(value: JsonObject, struct: GoStruct): JsonObject {
  return withoutEmptyLists(decodeGo(value, struct, struct.name).value, struct);
}

function readStruct(value: Json | undefined, struct: GoStruct, place: Place, decoding: Decoding): JsonObject {
  const given = isObject(value) ? value : nothing;
  if (normal.get(given) === struct) return given;
  if (given === nothing) return zeroOf(struct);
  return readMembers(given, struct, place, decoding);
}

const nothing: JsonObject = {};
const zeroStructs = new WeakMap<GoStruct, JsonObject>();

/** Returns a struct in which nothing is set. */
function zeroOf(struct: GoStruct): JsonObject {
  const known = zeroStructs.get(struct);
  if (known !== undefined) return known;
  const place = { path: '', plain: '', struct: struct.name };
  const zero = readMembers({}, struct, place, { unknown: [], problem: undefined, fatal: undefined });
  zeroStructs.set(struct, zero);
  return zero;
}

function readMembers(given: JsonObject, struct: GoStruct, place: Place, decoding: Decoding): JsonObject {
  const { unknown, problem, fatal } = decoding;
  const before = unknown.length;
  const found = new Map<string, Json | undefined>();
  // In the order of the document, because unknown fields and the first error are reported.
  for (const key of Object.keys(given)) {
    const field = struct.fields.get(key);
    if (field === undefined && !isClaimType(struct, key)) unknown.push(child(place.path, key));
    else if (field !== undefined) found.set(key, member(given[key], field, place, decoding, struct));
  }
  // No name of a field is `__proto__`.
  const result: Record<string, Json> = {};
  for (const [key, field] of struct.fields) {
    const item = found.has(key) ? found.get(key) : member(undefined, field, place, decoding, struct);
    const written = writeField(field, item);
    if (written !== undefined) result[key] = written;
  }
  const decoded = unlessSame(given, result);
  const isValid = decoding.problem === problem && decoding.fatal === fatal;
  if (unknown.length === before && isValid) normal.set(decoded, struct);
  return decoded;
}

/** The claims of a StatefulSet are the only objects in lists of others that have apiVersion and kind. */
function isClaimType(struct: GoStruct, key: string): boolean {
  return struct.name === 'PersistentVolumeClaim' && (key === 'apiVersion' || key === 'kind');
}

function member(
  value: Json | undefined,
  { json, embedded, type }: GoField,
  place: Place,
  decoding: Decoding,
  struct: GoStruct,
): Json | undefined {
  // An absent value has no errors, and needs no place.
  if (value === undefined) return read(value, type, place, decoding);
  const plain = [...embedded, json].reduce(child, place.plain);
  return read(value, type, { path: child(place.path, json), plain, struct: struct.name }, decoding);
}

function child(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Returns the value as its Go type holds it: `undefined` for nil, the zero value for an absent scalar. */
function read(value: Json | undefined, type: GoType, place: Place, decoding: Decoding): Json | undefined {
  const isAbsent = value === undefined || value === null;
  switch (type.form) {
    case 'pointer':
      return isAbsent ? undefined : read(value, type.element, place, decoding);
    case 'slice':
      return isAbsent ? undefined : readSlice(value, type, place, decoding);
    case 'map':
      return isAbsent ? undefined : readMap(value, type, place, decoding);
    case 'struct':
      return readNamed(value, type, place, decoding);
    case 'special':
      return isAbsent ? zeroSpecial(type.name) : readSpecial(value, type.name, place, decoding);
    default:
      return isAbsent ? zeros[type.name] : readScalar(value, type.name, type, place, decoding);
  }
}

const zeros: Readonly<Record<GoScalar, Json | undefined>> = {
  string: '',
  int32: 0,
  int64: 0,
  double: 0,
  bool: false,
  bytes: undefined,
};

function readSlice(
  value: Json,
  type: Extract<GoType, { readonly element: GoType }>,
  place: Place,
  decoding: Decoding,
): Json | undefined {
  if (!isArray(value)) return mismatch(value, type, place, decoding);
  const items = value.map(
    (item, index) =>
      read(item, type.element, { ...place, path: `${place.path}[${index}]` }, decoding) ?? null,
  );
  return unlessSameItems(value, items);
}

function readMap(
  value: Json,
  type: Extract<GoType, { readonly element: GoType }>,
  place: Place,
  decoding: Decoding,
): Json | undefined {
  if (!isObject(value)) return mismatch(value, type, place, decoding);
  if (Object.keys(value).length === 0) return undefined;
  // Protobuf has no null among the values of a map.
  const isBytes = type.element.form === 'scalar' && type.element.name === 'bytes';
  const decoded = mapped(value, (key, item) => {
    const at = { ...place, path: child(place.path, key) };
    return read(item, type.element, at, decoding) ?? (isBytes ? '' : null);
  });
  return unlessSame(value, decoded);
}

function readNamed(
  value: Json | undefined,
  type: Extract<GoType, { readonly form: 'struct' }>,
  place: Place,
  decoding: Decoding,
): Json | undefined {
  const struct = structOf(type);
  if (struct === undefined) return value;
  if (struct.list !== undefined) return read(value, struct.list, place, decoding);
  if (value !== undefined && value !== null && !isObject(value))
    return mismatch(value, type, place, decoding);
  return readStruct(value, struct, place, decoding);
}

const structs = new WeakMap<GoType, GoStruct | null>();

/** Returns the struct of a type; faster than by its name. */
function structOf(type: Extract<GoType, { readonly form: 'struct' }>): GoStruct | undefined {
  let found = structs.get(type);
  if (found === undefined) {
    found = goStruct(type.home, type.name) ?? null;
    structs.set(type, found);
  }
  return found ?? undefined;
}

function readSpecial(value: Json, name: string, place: Place, decoding: Decoding): Json | undefined {
  const { written, problem, expected } = checkSpecial(value, name);
  if (problem === undefined && expected === undefined) return written;
  const found =
    expected === undefined
      ? { message: problem ?? '', converted: problem ?? '' }
      : {
          message: mismatchOf(value, { form: 'scalar', name: expected }, place),
          converted: `json: cannot unmarshal ${jsonTypeOf(value, { form: 'scalar', name: expected })} into Go value of type ${expected}`,
        };
  decoding.problem ??= found;
  decoding.fatal ??= found;
  return expected === undefined ? written : undefined;
}

function readScalar(
  value: Json,
  name: GoScalar,
  type: GoType,
  place: Place,
  decoding: Decoding,
): Json | undefined {
  if (name === 'bytes') {
    if (typeof value !== 'string') return mismatch(value, type, place, decoding);
    const invalid = invalidBase64(value);
    const message = `illegal base64 data at input byte ${invalid}`;
    if (invalid >= 0) decoding.problem ??= { message, converted: `error decoding from json: ${message}` };
    return value;
  }
  return isScalar(value, name) ? value : mismatch(value, type, place, decoding);
}

function isScalar(value: Json, name: Exclude<GoScalar, 'bytes'>): boolean {
  if (name === 'string') return typeof value === 'string';
  if (name === 'bool') return typeof value === 'boolean';
  if (typeof value === 'bigint') return name !== 'int32';
  if (typeof value !== 'number') return false;
  if (name === 'double') return true;
  return Number.isInteger(value) && (name === 'int64' || Math.abs(value + 0.5) < 2 ** 31);
}

function invalidBase64(value: string): number {
  const clean = value.replace(/[\r\n]/g, '');
  const found = /[^A-Za-z0-9+/]/.exec(clean.replace(/={1,2}$/, ''));
  if (found !== null) return found.index;
  return clean.length % 4 === 0 ? -1 : clean.length - (clean.length % 4);
}

function mismatch(value: Json, type: GoType, place: Place, decoding: Decoding): undefined {
  decoding.problem ??= {
    message: mismatchOf(value, type, place),
    converted: conversionProblem(value, type),
  };
  return undefined;
}

function mismatchOf(value: Json, type: GoType, place: Place): string {
  const field = `${place.struct}.${place.plain}`;
  return `json: cannot unmarshal ${jsonTypeOf(value, type)} into Go struct field ${field} of type ${goTypeName(type)}`;
}

/** Kinds of Go types with other names. */
const kinds: Readonly<Record<string, string>> = { double: 'float64' };

function conversionProblem(value: Json, type: GoType): string {
  switch (type.form) {
    case 'struct':
      return `cannot restore struct from: ${goShape(value)}`;
    case 'scalar':
    case 'special':
      return type.name === 'bytes'
        ? `cannot restore slice from ${goShape(value)}`
        : scalarProblem(value, type.name);
    default:
      return elementProblem(value, type);
  }
}

function scalarProblem(value: Json, name: string): string {
  const given = goType(value);
  const kind = kinds[name] ?? name;
  const isNumber = given === 'int64' || given === 'float64';
  const isConvertible = isNumber && name !== 'bool' && !(given === 'float64' && name === 'string');
  return isConvertible ? `cannot convert ${given} to ${kind}` : `unrecognized type: ${kind}`;
}

function elementProblem(value: Json, type: Extract<GoType, { readonly element: GoType }>): string {
  if (type.form === 'pointer') return conversionProblem(value, type.element);
  return `cannot restore ${type.form} from ${goShape(value)}`;
}

function goShape(value: Json): string {
  if (isArray(value)) return 'slice';
  return isObject(value) ? 'map' : goType(value);
}

function jsonTypeOf(value: Json, type: GoType): string {
  if (isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value !== 'number' && typeof value !== 'bigint') return typeof value;
  return type.form === 'scalar' && type.name.startsWith('int') ? `number ${writeJson(value)}` : 'number';
}

/** Returns the JSON of a member, or `undefined` if it is omitted. */
function writeField({ type, omission }: GoField, value: Json | undefined): Json | undefined {
  if (omission === 'never') return value === undefined ? null : value;
  if (value === undefined) return type.form === 'special' && omission === 'omitempty' ? null : undefined;
  if (type.form === 'pointer') return value;
  if (type.form === 'struct' || type.form === 'special')
    return omission === 'omitzero' && isZero(value) ? undefined : value;
  return isEmpty(value) ? undefined : value;
}

function isEmpty(value: Json): boolean {
  if (isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

/** Returns whether a struct has only zero members. */
function isZero(value: Json): boolean {
  if (value === null) return true;
  return isObject(value) ? Object.values(value).every(isZero) : isEmpty(value);
}
