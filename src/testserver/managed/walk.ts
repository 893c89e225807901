/** Operations on objects by field path: set, comparison, merge and removal. */
import type { Schema } from '@kgen/schema/validation/structural';
import { equal, fromEntries, isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { type FieldSet, fieldSet, type Path, pathKey } from './fieldset.ts';
import { fieldSchema, isDeclared, type Part, partsOf, shapeOf } from './shape.ts';

/** Returns the paths that an object sets, which its applier owns. */
export function setOf(value: Json, schema: Schema | undefined): FieldSet {
  return fieldSet(pathsOf(value, schema, []));
}

function pathsOf(value: Json, schema: Schema | undefined, path: Path): readonly Path[] {
  const shape = shapeOf(value, schema);
  if (shape === 'whole') return [path];
  return partsOf(value, schema).flatMap((part) => {
    const below = [...path, part.step];
    const isEmpty = part.value === null || (isObject(part.value) && Object.keys(part.value).length === 0);
    const isEntry = shape !== 'map' || !isDeclared(schema, part.step);
    const inner = pathsOf(part.value, part.schema, below);
    return isEmpty || isEntry ? [...inner, below] : inner;
  });
}

/** Differences between two objects. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Verdict = 'added' | 'modified' | 'removed';

/** Compares two objects path by path. A value that is added or removed counts with all its parts. */
export function compare(
  old: Json | undefined,
  next: Json | undefined,
  schema: Schema | undefined,
): Comparison {
  const found = differences(old, next, schema, []);
  const of = (verdict: Verdict): FieldSet =>
    fieldSet(found.filter(([kind]) => kind === verdict).map(([, path]) => path));
  return { added: of('added'), modified: of('modified'), removed: of('removed') };
}

function differences(
  old: Json | undefined,
  next: Json | undefined,
  schema: Schema | undefined,
  path: Path,
): readonly (readonly [Verdict, Path])[] {
  if (old === next) return [];
  if (isLeaf(old, next, schema)) {
    const verdict = leafVerdict(old, next);
    return verdict === undefined ? [] : [[verdict, path]];
  }
  const [before, after] = [index(partsOf(old, schema)), index(partsOf(next, schema))];
  const steps = new Set([...before.keys(), ...after.keys()]);
  const inner = [...steps].flatMap((step) => {
    const [a, b] = [before.get(step), after.get(step)];
    return differences(a?.value, b?.value, (b ?? a)?.schema, [...path, step]);
  });
  if (old === undefined && path.length > 0) return [...inner, ['added', path]];
  return next === undefined && path.length > 0 ? [...inner, ['removed', path]] : inner;
}

function leafVerdict(old: Json | undefined, next: Json | undefined): Verdict | undefined {
  if (old === undefined) return next === undefined ? undefined : 'added';
  if (next === undefined) return 'removed';
  return equal(old, next) ? undefined : 'modified';
}

function isLeaf(old: Json | undefined, next: Json | undefined, schema: Schema | undefined): boolean {
  // A null has no parts, as an empty list.
  const given = [old, next].filter((value) => value !== undefined && value !== null);
  const shapes = new Set(given.map((value) => shapeOf(value, schema)));
  if (shapes.has('whole') || shapes.size !== 1) return true;
  const isEmpty = partsOf(old, schema).length + partsOf(next, schema).length === 0;
  return isEmpty && (shapes.has('map') || old === null || next === null);
}

function index(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [part.step, part]));
}

/**
 * Returns `live` with all fields of `config`. Keyed lists and sets are merged by element. A null has no
 * parts: those of `live` remain.
 */
export function merge(live: Json | undefined, config: Json, schema: Schema | undefined): Json {
  if (live !== undefined && config === null && partsOf(live, schema).length > 0) return live;
  const shape = shapeOf(config, schema);
  if (live === undefined || shape === 'whole' || shapeOf(live, schema) !== shape) return config;
  if (shape === 'map' && isObject(live) && isObject(config)) return mergeMaps(live, config, schema);
  return mergeLists(partsOf(live, schema), partsOf(config, schema));
}

function mergeMaps(live: JsonObject, config: JsonObject, schema: Schema | undefined): JsonObject {
  const kept = Object.entries(live).filter(([key]) => !Object.hasOwn(config, key));
  const set = Object.entries(config).map(([key, item]): [string, Json] => {
    const before = Object.hasOwn(live, key) ? live[key] : undefined;
    return [key, merge(before, item, fieldSchema(schema, key))];
  });
  return fromEntries([...kept, ...set]);
}

/**
 * Returns the elements of the configuration in its order. Other live elements keep their position before
 * them.
 */
function mergeLists(live: readonly Part[], config: readonly Part[]): readonly Json[] {
  const [before, desired] = [index(live), index(config)];
  const placed = new Set<string>();
  const result: Json[] = [];
  let next = 0;
  const copyLive = (): void => {
    for (let part = live[next]; part !== undefined; part = live[next]) {
      if (desired.has(part.step) && !placed.has(part.step)) return;
      if (!desired.has(part.step)) result.push(part.value);
      next += 1;
    }
  };
  for (const part of config) {
    copyLive();
    result.push(merge(before.get(part.step)?.value, part.value, part.schema));
    placed.add(part.step);
  }
  copyLive();
  return result;
}

/**
 * Returns the set with the declared fields above its paths: removing the last of their parts removes them
 * too.
 */
export function withNamedFields(set: FieldSet, schema: Schema | undefined): FieldSet {
  const paths = [...set.values()];
  return fieldSet([...paths, ...paths.flatMap((path) => namedPrefixes(path, schema))]);
}

function namedPrefixes(path: Path, schema: Schema | undefined): readonly Path[] {
  const found: Path[] = [];
  let current = schema;
  for (const [index, step] of path.slice(0, -1).entries()) {
    if (isDeclared(current, step)) found.push(path.slice(0, index + 1));
    current = step.startsWith('f:') ? fieldSchema(current, step.slice(2)) : current?.items;
  }
  return found;
}

/** Whether a value that loses all its parts stays as an empty value. */
export type Emptied = 'stays' | 'goes';

/** Returns `value` without the parts whose paths are in the set. */
export function removeItems(
  value: Json,
  set: FieldSet,
  schema: Schema | undefined,
  emptied: Emptied,
  path: Path = [],
): Json {
  if (shapeOf(value, schema) === 'whole') return value;
  const kept = partsOf(value, schema).flatMap((part): [string, Json][] => {
    const below = [...path, part.step];
    if (set.has(pathKey(below))) return [];
    const rest = removeItems(part.value, set, part.schema, emptied, below);
    return emptied === 'goes' && isEmptied(part.value, rest) ? [] : [[part.step.slice(2), rest]];
  });
  return isArray(value) ? kept.map(([, item]) => item) : fromEntries(kept);
}

function isEmptied(before: Json, after: Json): boolean {
  const size = (value: Json): number =>
    typeof value === 'object' && value !== null ? Object.keys(value).length : -1;
  return size(before) > 0 && size(after) === 0;
}
