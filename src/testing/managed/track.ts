import { failure } from '../api/failures.ts';
import { array, type JsonObject, object, omit, own, putAt } from '../values/json.ts';
import { now } from '../values/time.ts';
import type { Context } from '../verbs/context.ts';
import type { WriteOptions } from '../verbs/options.ts';
import { decodeManagers, encodeManagers, type Managed, type Managers } from './entries.ts';
import { type Path, printPath } from './fieldset.ts';
import { afterApply, afterUpdate, type OwnershipConflict, type Write } from './ownership.ts';
import { ownershipSchema } from './shape.ts';

/** Returns the object of a create, update or patch with its new managers. */
export function trackUpdate(
  context: Context,
  old: JsonObject | undefined,
  next: JsonObject,
  options: WriteOptions,
): JsonObject {
  const sent = array(next, 'metadata', 'managedFields');
  // A client sends a single empty entry to remove all managers.
  if (sent.length === 1 && Object.keys(object(sent[0])).length === 0) return withManagers(next, new Map());
  const known = decodeManagers(sent.length > 0 ? sent : own(object(old, 'metadata'), 'managedFields'));
  if (old !== undefined && known.size === 0) return withManagers(next, known);
  const managers = afterUpdate(bare(old), bare(next) ?? next, known, writeOf(context, options, 'Update'));
  return withManagers(next, managers);
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
  const known = decodeManagers(own(object(live, 'metadata'), 'managedFields'));
  const write = writeOf(context, options, 'Apply');
  const { value, managers, conflicts } = afterApply(bare(live) ?? {}, config, known, write);
  if (conflicts.length > 0 && options.force !== true) throw applyConflict(conflicts);
  return withManagers(object(value), managers);
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
    time: now(),
  };
}

function ignoredPaths({ type, subresource }: Context): readonly Path[] {
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
