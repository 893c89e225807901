import type { WritePlan } from '../../write/plan.ts';

/**
 * Returns the output as it is on disk, for `typeChanges`: derived from the new output and the planned
 * changes.
 */
export function outputBefore(
  files: ReadonlyMap<string, string>,
  { create, update, remove }: Pick<WritePlan, 'create' | 'update' | 'remove'>,
): ReadonlyMap<string, string> {
  const before = new Map(files);
  for (const { path } of create) before.delete(path);
  for (const change of [...update, ...remove]) before.set(change.path, change.before);
  return before;
}
