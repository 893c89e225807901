import type { Schema } from '../schema/structural.ts';
import type { Json, JsonObject } from '../values/json.ts';
import { identity, type Managed, type Manager, type Managers } from './entries.ts';
import {
  comparePaths,
  difference,
  type FieldSet,
  fieldSet,
  intersection,
  type Path,
  sameSet,
  union,
  without,
} from './fieldset.ts';
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
  return { value, managers: new Map([...taken(mine, id, changes), ...only(mine, id)]), conflicts };
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
      .map(([key, manager]) => [key, { ...manager, fields: difference(manager.fields, lost) }]),
  );
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
  const all = named(setOf(merged, schema));
  const dropped = removeItems(merged, named(last.fields), schema, 'stays');
  const kept = holders.reduce(union, fieldSet([]));
  const wanted = union(named(setOf(dropped, schema)), named(kept));
  const pruned = removeItems(merged, difference(all, wanted), schema, 'stays');
  const gone = difference(all, named(setOf(pruned, schema)));
  // Restores parts of a removed item that were not applied.
  return removeItems(merged, intersection(gone, named(last.fields)), schema, 'goes');
}
