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

/** Paths that nobody owns: the server's own. */
const UNOWNED: FieldSet = fieldSet([
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

/** A write, as far as ownership goes. */
export interface Write {
  readonly manager: Manager;
  readonly schema: Schema;
  /** Paths that the written endpoint resets, so that nobody gets to own them through it. */
  readonly ignored: readonly Path[];
  readonly time: string;
}

/** Fields of other managers that an apply would change. */
export interface OwnershipConflict {
  readonly manager: Managed;
  readonly path: Path;
}

/** What an update does to ownership: the writer owns what it changed, and nobody else does any more. */
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

/** The object and its managers after an apply, or the conflicts that stand against it. */
export interface Applied {
  readonly value: Json;
  readonly managers: Managers;
  readonly conflicts: readonly OwnershipConflict[];
}

/**
 * Merges `config` into `live`. What the applier set before and no longer sets goes, unless others own it too; what others
 * own and the configuration changes is a conflict, and changes hands when it is forced.
 */
export function afterApply(live: JsonObject, config: JsonObject, managers: Managers, write: Write): Applied {
  const id = identity(write.manager);
  const before = managers.get(id);
  const set = without(setOf(config, write.schema), write.ignored);
  const mine = withManager(managers, write, before, difference(set, UNOWNED));
  const merged = merge(live, config, write.schema);
  // While pruning, the applier also holds on to what nobody owns: the name in its configuration keeps the metadata.
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
  return difference(without(fields, write.ignored), UNOWNED);
}

/** The other managers without what was changed or removed. */
function taken(managers: Managers, id: string, changes: Comparison): Managers {
  const lost = union(changes.removed, union(changes.modified, changes.added));
  return new Map(
    [...managers]
      .filter(([key]) => key !== id)
      .map(([key, manager]) => [key, { ...manager, fields: difference(manager.fields, lost) }]),
  );
}

/** The managers with the writer's fields; its time changes only with them. */
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

/** Takes away what the last apply set and nobody owns any more. */
function prune(merged: Json, holders: readonly FieldSet[], last: Managed | undefined, schema: Schema): Json {
  if (last === undefined || last.fields.size === 0) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, schema);
  const all = named(setOf(merged, schema));
  const dropped = removeItems(merged, named(last.fields), schema, 'stays');
  const kept = holders.reduce(union, fieldSet([]));
  const wanted = union(named(setOf(dropped, schema)), named(kept));
  const pruned = removeItems(merged, difference(all, wanted), schema, 'stays');
  const gone = difference(all, named(setOf(pruned, schema)));
  // What hangs on to a removed item without having been applied comes back.
  return removeItems(merged, intersection(gone, named(last.fields)), schema, 'goes');
}
