/** Ownership of fields after updates and server-side apply, without requests and storage. */
import type { Schema } from '@kgen/schema/validation/structural';
import { equal, isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import { identity, type Managed, type Manager, type Managers } from './entries.ts';
import {
  comparePaths,
  difference,
  encodeSet,
  type FieldSet,
  fieldSet,
  intersection,
  type Path,
  pathKey,
  sameSet,
  union,
  without,
} from './fieldset.ts';
import { type Part, partsOf, sameParts } from './shape.ts';
import { type Comparison, compare, merge, removeItems, setOf, withNamedFields } from './walk.ts';

/** Paths without an owner, which the server sets. */
const unowned: FieldSet = fieldSet([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'resourceVersion',
    'generation',
    'managedFields',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);

/** The ownership part of a write. */
export interface Write {
  readonly manager: Manager;
  readonly schema: Schema;
  /** Paths that the written endpoint resets, so that its writers do not own them. */
  readonly ignored: readonly Path[];
  readonly time: string;
}

/** Fields of other managers that an apply would change. */
export interface OwnershipConflict {
  readonly manager: Managed;
  readonly path: Path;
}

/** Updates ownership after an update: the writer becomes the only owner of the fields that it changed. */
export function afterUpdate(
  old: JsonObject | undefined,
  next: JsonObject,
  managers: Managers,
  write: Write,
): Managers {
  const changes = changesOf(old, next, write);
  const id = identity(write.manager);
  const others = taken(managers, id, changes);
  const before = managers.get(id);
  const mine = difference(before?.fields ?? new Map(), changes.removed);
  const fields = owned(union(mine, union(changes.modified, changes.added)), write);
  return withManager(others, write, before, fields);
}

/**
 * Returns `fieldsV1` of the creator of an object without managers: those of `afterUpdate`. `undefined` if the
 * creator owns nothing. `empty` has the fields of a new object before a client sets anything.
 */
export function createdFields(
  next: JsonObject,
  empty: JsonObject | undefined,
  write: Write,
): JsonObject | undefined {
  const { schema, ignored } = write;
  const roots = ignored.map(pathKey).join();
  const known = recent.get(schema);
  if (
    known?.roots === roots &&
    known.empty === empty &&
    sameParts(known.object, next, schema) &&
    sameAt(empty, known.object, next)
  )
    return known.fields;
  const encoded = empty === undefined ? encodeOwned(next, write) : encodeUpdated(next, empty, write);
  const fields = Object.keys(encoded).length === 0 ? undefined : encoded;
  recent.set(schema, { roots, empty, object: next, fields });
  return fields;
}

/**
 * The latest object of each schema: many objects of a kind set the same fields, and share their `fieldsV1`.
 */
const recent = new WeakMap<
  Schema,
  {
    readonly roots: string;
    readonly empty: JsonObject | undefined;
    readonly object: JsonObject;
    readonly fields: JsonObject | undefined;
  }
>();

/** Returns whether two objects with the same parts differ from `empty` in the same fields. */
function sameAt(empty: Json | undefined, a: Json | undefined, b: Json | undefined): boolean {
  if (empty === undefined) return true;
  // A null has no parts that it changes.
  if ((a === null) !== (b === null)) return false;
  if (!isObject(empty)) return isArray(a) === isArray(b) && equal(empty, a) === equal(empty, b);
  return Object.keys(empty).every((key) => sameAt(empty[key], own(a, key), own(b, key)));
}

function encodeUpdated(next: JsonObject, empty: JsonObject, write: Write): JsonObject {
  const [creator] = afterUpdate(empty, next, new Map(), write).values();
  return creator === undefined ? {} : encodeSet(creator.fields);
}

/** Encodes all paths of an object. */
function encodeOwned(next: JsonObject, { schema, ignored }: Write): JsonObject {
  const roots = new Set(ignored.map(pathKey));
  return encodeAll(
    Object.fromEntries(Object.entries(next).filter(([name]) => !roots.has(`f:${name}`))),
    schema,
    '',
  );
}

/**
 * Encodes all paths below a node, in the order of their steps. `at` is the key of a node that has unowned
 * parts.
 */
function encodeAll(value: Json, schema: Schema | undefined, at: string | undefined): JsonObject {
  const entries = [...partsOf(value, schema)].sort(byStep).flatMap((part): [string, JsonObject][] => {
    const key = at === undefined ? undefined : at + part.step;
    const isUnowned = key !== undefined && unowned.has(key);
    const below = encodeAll(part.value, part.schema, key === 'f:metadata' ? `${key}\u0000` : undefined);
    const isEmpty = Object.keys(below).length === 0;
    if (isUnowned) return isEmpty ? [] : [[part.step, below]];
    return [[part.step, isEmpty ? below : { '.': {}, ...below }]];
  });
  return Object.fromEntries(entries);
}

function byStep(a: Part, b: Part): number {
  return a.step < b.step ? -1 : 1;
}

/** The object and its managers after an apply, or the conflicts. */
export interface Applied {
  readonly value: Json;
  readonly managers: Managers;
  readonly conflicts: readonly OwnershipConflict[];
}

/**
 * Merges `config` into `live`. Fields that the applier set before and no longer sets are removed, unless
 * others own them too. A change of a field of another owner is a conflict, and changes the owner if it is
 * forced.
 */
export function afterApply(live: JsonObject, config: JsonObject, managers: Managers, write: Write): Applied {
  const id = identity(write.manager);
  const before = managers.get(id);
  const set = without(setOf(config, write.schema), write.ignored);
  const mine = withManager(managers, write, before, difference(set, unowned));
  const merged = merge(live, config, write.schema);
  // While pruning, the applier also holds fields without an owner: the name in its configuration keeps the
  // metadata.
  const holders = [...mine.values()].map((manager) => manager.fields);
  const value = prune(merged, [...holders, set], before, write.schema);
  const changes = changesOf(live, value, write);
  const changed = union(changes.modified, changes.added);
  const conflicts = [...mine]
    .filter(([key]) => key !== id)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, manager]) =>
      [...intersection(manager.fields, changed).values()]
        .sort(comparePaths)
        .map((path) => ({ manager, path })),
    );
  const isChanged = changed.size + changes.removed.size > 0;
  const applier = only(mine, id).map(([key, entry]): readonly [string, Managed] => [
    key,
    isChanged ? { ...entry, time: write.time } : { ...entry, time: before?.time ?? '' },
  ]);
  return { value, managers: new Map([...taken(mine, id, changes), ...applier]), conflicts };
}

function only(managers: Managers, id: string): readonly (readonly [string, Managed])[] {
  const found = managers.get(id);
  return found === undefined ? [] : [[id, found]];
}

function changesOf(old: JsonObject | undefined, next: Json, write: Write): Comparison {
  const all = compare(old ?? {}, next, write.schema);
  return {
    added: without(all.added, write.ignored),
    modified: without(all.modified, write.ignored),
    removed: without(all.removed, write.ignored),
  };
}

function owned(fields: FieldSet, write: Write): FieldSet {
  return difference(without(fields, write.ignored), unowned);
}

/** Returns the other managers without the fields that were changed or removed. */
function taken(managers: Managers, id: string, changes: Comparison): Managers {
  const lost = union(changes.removed, union(changes.modified, changes.added));
  return new Map(
    [...managers]
      .filter(([key]) => key !== id)
      .map(([key, manager]) => [key, withFields(manager, difference(manager.fields, lost))]),
  );
}

function withFields(manager: Managed, fields: FieldSet): Managed {
  return fields === manager.fields ? manager : { ...manager, fields };
}

/** Returns the managers with the writer's fields. Its time changes only if they change. */
function withManager(
  managers: Managers,
  write: Write,
  before: Managed | undefined,
  fields: FieldSet,
): Managers {
  const same =
    before !== undefined && sameSet(before.fields, fields) && before.apiVersion === write.manager.apiVersion;
  const entry = same ? before : { ...write.manager, time: write.time, fields };
  return new Map([...managers, [identity(write.manager), entry]]);
}

/** Removes fields that the last apply set and that have no owner any more. */
function prune(merged: Json, holders: readonly FieldSet[], last: Managed | undefined, schema: Schema): Json {
  if (last === undefined || last.fields.size === 0) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, schema);
  const kept = named(holders.reduce(union, fieldSet([])));
  if (isWithin(last.fields, kept)) return merged;
  const all = named(setOf(merged, schema));
  const dropped = removeItems(merged, named(last.fields), schema, 'stays');
  const desired = union(named(setOf(dropped, schema)), kept);
  const pruned = removeItems(merged, difference(all, desired), schema, 'stays');
  const gone = difference(all, named(setOf(pruned, schema)));
  // Restores parts of a removed item that were not applied.
  return removeItems(merged, intersection(gone, named(last.fields)), schema, 'goes');
}

/** Returns whether a set has all paths of another one, and everything above them. */
function isWithin(paths: FieldSet, set: FieldSet): boolean {
  return [...paths.values()].every((path) =>
    path.every((_, depth) => set.has(pathKey(path.slice(0, depth + 1)))),
  );
}
