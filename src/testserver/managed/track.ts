/** Changes of `metadata.managedFields` by the writes of a server. */
import {
  array,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  replace,
} from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import type { WriteOptions } from '../call/options.ts';
import { timestamp } from '../environment/environment.ts';
import { failure } from '../errors/failures.ts';
import { emptyObject } from '../resources/builtin/strategy.ts';
import { rulesOf } from '../resources/kinds/all.ts';
import { decodeManagers, encodeManagers, entryOf, type Managed, type Managers } from './entries.ts';
import { fieldSet, type Path, pathKey, printPath } from './fieldset.ts';
import { lastApplied, withLastApplied } from './last-applied.ts';
import { afterApply, afterUpdate, createdFields, type OwnershipConflict, type Write } from './ownership.ts';
import { ownershipSchema } from './shape.ts';
import { setOf } from './walk.ts';

/** Returns the object of a create, update or patch with its new managers. */
export function trackUpdate(
  context: Context,
  old: JsonObject | undefined,
  next: JsonObject,
  options: WriteOptions,
): JsonObject {
  // A subresource does not change the managers that a client sends.
  const sent = context.subresource === '' ? array(next, 'metadata', 'managedFields') : [];
  // A client sends a single empty entry to remove all managers.
  if (old !== undefined && isReset(sent)) return withManagers(next, new Map());
  const known = decodeManagers(sent.length > 0 ? sent : own(object(old, 'metadata'), 'managedFields'));
  if (old !== undefined && known.size === 0) return withManagers(next, known);
  const empty = emptyObject(context.type);
  const write = writeOf(context, options, 'Update');
  if (old === undefined && known.size === 0) return withCreator(next, empty, write);
  const managers = afterUpdate(bare(old) ?? empty, bare(next) ?? next, known, write);
  return withManagers(next, managers);
}

/** A write of the server itself. */
export interface ServerWrite extends Pick<Context, 'type' | 'subresource'> {
  readonly manager: string;
  readonly time: string;
}

/** Returns the object of an update by the server itself with its new managers. */
export function trackManager(old: JsonObject, next: JsonObject, by: ServerWrite): JsonObject {
  const { type, subresource, time } = by;
  const known = decodeManagers(own(object(old, 'metadata'), 'managedFields'));
  const write: Write = {
    manager: { manager: by.manager, operation: 'Update', apiVersion: type.apiVersion, subresource },
    schema: ownershipSchema(type.schema),
    ignored: ignoredPaths(by),
    time,
  };
  return withManagers(next, afterUpdate(bare(old) ?? {}, bare(next) ?? next, known, write));
}

function isReset(entries: readonly Json[]): boolean {
  return entries.length === 1 && Object.keys(object(entries[0])).length === 0;
}

/**
 * Applies a configuration to the live object ({} if there is none).
 * @throws {Failure} 409 with a cause for each field of another manager, unless it is forced
 */
export function trackApply(
  context: Context,
  live: JsonObject,
  config: JsonObject,
  options: WriteOptions,
): JsonObject {
  const write = writeOf(context, options, 'Apply');
  const recorded = decodeManagers(own(object(live, 'metadata'), 'managedFields'));
  const known = recorded.size > 0 ? recorded : firstManagers(context, bare(live) ?? {}, write);
  const { value, managers, conflicts } = afterApply(bare(live) ?? {}, config, known, write);
  const manager = options.fieldManager;
  const before = conflicts.length === 0 ? undefined : lastApplied(live, manager);
  const allowed = before === undefined ? fieldSet([]) : setOf(before, write.schema);
  const refused = conflicts.filter(({ path }) => !allowed.has(pathKey(path)));
  if (refused.length > 0 && options.force !== true) throw applyConflict(refused);
  return withLastApplied(withManagers(object(value), managers), config, manager);
}

/** Returns the manager of the fields that an object without managers has before its first apply. */
function firstManagers({ type }: Context, live: JsonObject, write: Write): Managers {
  const manager = { ...write.manager, manager: 'before-first-apply', operation: 'Update' } as const;
  const empty = emptyObject(type) ?? {};
  return afterUpdate(empty, live, new Map(), { ...write, manager });
}

/** Returns a new object with its creator, which owns all of its fields. */
function withCreator(next: JsonObject, empty: JsonObject | undefined, write: Write): JsonObject {
  const fields = createdFields(next, empty, write);
  if (fields === undefined) return next;
  const managedFields = [entryOf(write.manager, write.time, fields)];
  return replace(next, 'metadata', { ...object(next, 'metadata'), managedFields });
}

function bare(value: JsonObject | undefined): JsonObject | undefined {
  return value === undefined
    ? undefined
    : putAt(value, ['metadata'], omit(object(value, 'metadata'), 'managedFields'));
}

function withManagers(value: JsonObject, managers: Managers): JsonObject {
  const metadata = omit(object(value, 'metadata'), 'managedFields');
  const entries = encodeManagers(managers);
  return putAt(
    value,
    ['metadata'],
    entries.length === 0 ? metadata : { ...metadata, managedFields: entries },
  );
}

function writeOf(context: Context, options: WriteOptions, operation: 'Apply' | 'Update'): Write {
  const { type, subresource } = context;
  return {
    manager: { manager: options.fieldManager, operation, apiVersion: type.apiVersion, subresource },
    schema: ownershipSchema(type.schema),
    ignored: ignoredPaths(context),
    // As on a real server, a write of the scale of a built-in kind has no time.
    time: subresource === 'scale' ? '' : timestamp(context.environment),
  };
}

function ignoredPaths({ type, subresource }: Pick<Context, 'type' | 'subresource'>): readonly Path[] {
  const own = type.strategy === 'builtin' ? rulesOf(type.storage).resets?.(subresource) : undefined;
  if (own !== undefined) return own.map((path) => path.map((key) => `f:${key}`));
  if (subresource === 'status' && (type.strategy === 'builtin' || type.strategy === 'namespace')) {
    const kept = rulesOf(type.storage).statusKeeps ?? [];
    return [['f:spec'], ...kept.map((key) => ['f:metadata', `f:${key}`])];
  }
  if (subresource === 'status') return [['f:metadata'], ['f:spec']];
  return type.status ? [['f:status']] : [];
}

function applyConflict(conflicts: readonly OwnershipConflict[]): Error {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(manager)}`,
    field: printPath(path),
  }));
  return failure(409, 'Conflict', conflictMessage(conflicts), { details: { causes } });
}

function conflictMessage(conflicts: readonly OwnershipConflict[]): string {
  const [first, ...more] = conflicts.map(({ manager, path }) => ({
    manager: printManager(manager),
    path: printPath(path),
  }));
  if (first === undefined || more.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${first?.manager}: ${first?.path}`;
  }
  const all = [first, ...more];
  const names = [...new Set(all.map(({ manager }) => manager))].sort();
  const lines = names.flatMap((name) => [
    `conflicts with ${name}:`,
    ...all.filter(({ manager }) => manager === name).map(({ path }) => `- ${path}`),
  ]);
  return `Apply failed with ${all.length} conflicts: ${lines.join('\n')}`;
}

function printManager({ manager, operation, apiVersion, subresource }: Managed): string {
  const name =
    JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
