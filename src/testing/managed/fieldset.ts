import { isObject, type Json, type JsonObject, put } from '../values/json.ts';
import { readJson, writeJson } from '../values/wire.ts';

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
  return new Map([...paths].map((path) => [pathKey(path), path]));
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  return new Map([...a, ...b]);
}

export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return new Map([...a].filter(([key]) => !b.has(key)));
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return new Map([...a].filter(([key]) => b.has(key)));
}

/** Returns `set` without the paths of `roots` and everything below them. */
export function without(set: FieldSet, roots: readonly Path[]): FieldSet {
  const isBelow = (path: Path, root: Path): boolean => root.every((step, index) => path[index] === step);
  return new Map([...set].filter(([, path]) => !roots.some((root) => isBelow(path, root))));
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
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

/** Returns the set as `fieldsV1` of a managed fields entry, with sorted keys. */
export function encodeSet(set: FieldSet): JsonObject {
  return encodeBelow([...set.values()]);
}

/** Encodes the paths below one node. An empty path means that the node itself is part of the set. */
function encodeBelow(paths: readonly Path[]): JsonObject {
  const groups = new Map<Step, Path[]>();
  for (const [step, ...rest] of paths) {
    if (step !== undefined) groups.set(step, [...(groups.get(step) ?? []), rest]);
  }
  const isMember = paths.some((path) => path.length === 0);
  const start: JsonObject = isMember && groups.size > 0 ? { '.': {} } : {};
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce<JsonObject>((result, [step, rest]) => put(result, step, encodeBelow(rest)), start);
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
