/** Sets of fields, as `managedFields` contains them. */
import { isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';

/**
 * A step of a path, in the notation of `fieldsV1`: `f:name` for a field or map key, `k:{…}` for the keys of a
 * list element, `v:…` for the value of a set element.
 */
export type Step = string;

/** A path from the root of an object. */
export type Path = readonly Step[];

/** A set of paths, by their string form. */
export type FieldSet = ReadonlyMap<string, Path>;

/** Returns the string form of a path. No step contains the separator. */
export function pathKey(path: Path): string {
  return path.join('\u0000');
}

export function fieldSet(paths: Iterable<Path>): FieldSet {
  const set = new Map<string, Path>();
  for (const path of paths) set.set(pathKey(path), path);
  return set;
}

/** Returns `a` itself if `b` adds nothing to it. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0) return b;
  let result: Map<string, Path> | undefined;
  for (const [key, path] of b) {
    if (a.has(key)) continue;
    result ??= new Map(a);
    result.set(key, path);
  }
  return result ?? a;
}

/** Returns `a` itself if it has nothing of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return filtered(a, (key) => !b.has(key));
}

/** Returns the paths for which the predicate is true: the set itself if it is true for all. */
function filtered(set: FieldSet, isKept: (key: string, path: Path) => boolean): FieldSet {
  let result: Map<string, Path> | undefined;
  for (const [key, path] of set) {
    if (isKept(key, path)) continue;
    result ??= new Map(set);
    result.delete(key);
  }
  return result ?? set;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return filtered(a, (key) => b.has(key));
}

/** Returns `set` without the paths of `roots` and everything below them. */
export function without(set: FieldSet, roots: readonly Path[]): FieldSet {
  const isBelow = (path: Path, root: Path): boolean => root.every((step, index) => path[index] === step);
  return filtered(set, (_, path) => !roots.some((root) => isBelow(path, root)));
}

/** Compares paths in the order of conflict messages: at each level, paths that end there come first. */
export function comparePaths(a: Path, b: Path): number {
  const index = a.findIndex((step, i) => step !== b[i]);
  if (index < 0) return a.length - b.length;
  const [endsA, endsB] = [a.length === index + 1, b.length === index + 1];
  if (endsA !== endsB) return endsA ? -1 : 1;
  return (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
}

export function sameSet(a: FieldSet, b: FieldSet): boolean {
  return a === b || (a.size === b.size && [...a.keys()].every((key) => b.has(key)));
}

/** Returns the set as `fieldsV1` of a managed fields entry, with sorted keys. */
export function encodeSet(set: FieldSet): JsonObject {
  return encodeBelow([...set.values()], 0);
}

/** Encodes paths from a depth. A path that ends there means that the node itself is part of the set. */
function encodeBelow(paths: readonly Path[], depth: number): JsonObject {
  const groups = new Map<Step, Path[]>();
  for (const path of paths) {
    const step = path[depth];
    if (step === undefined) continue;
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [path]);
    else group.push(path);
  }
  // Each step has a prefix, or is a dot: none is `__proto__` or a number.
  const result: Record<string, Json> = {};
  if (groups.size > 0 && paths.some((path) => path.length === depth)) result['.'] = {};
  for (const step of [...groups.keys()].sort()) result[step] = encodeBelow(groups.get(step) ?? [], depth + 1);
  return result;
}

/** Parses `fieldsV1`. A value that is not an object counts as empty. */
export function decodeSet(value: Json | undefined): FieldSet {
  return fieldSet(isObject(value) ? decodeBelow(value, []) : []);
}

function decodeBelow(value: JsonObject, path: Path): readonly Path[] {
  const entries = Object.entries(value);
  if (entries.length === 0) return path.length === 0 ? [] : [path];
  return entries.flatMap(([step, below]) => {
    if (step === '.') return [path];
    if (!isStep(step)) return [];
    return decodeBelow(isObject(below) ? below : {}, [...path, step]);
  });
}

/** Clients may write managed fields, so invalid steps are dropped. */
function isStep(step: string): boolean {
  if (!step.startsWith('k:')) return /^[fvi]:/.test(step);
  try {
    return isObject(JSON.parse(step.slice(2)) as Json); // JSON.parse returns JSON values
  } catch {
    // Not the keys of a list element.
    return false;
  }
}

/** Returns the path in the notation of the API server: `.spec.ports[name="http"].port`. */
export function printPath(path: Path): string {
  return path.map(printStep).join('');
}

function printStep(step: Step): string {
  const rest = step.slice(2);
  if (step.startsWith('f:')) return `.${rest}`;
  if (step.startsWith('v:')) return `[=${rest}]`;
  // Steps of this kind were created by JSON.stringify, or validated on input.
  const keys = readJson(rest) as JsonObject;
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${writeJson(value)}`)
    .join(',')}]`;
}
