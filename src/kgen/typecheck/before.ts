import type { Plan } from '../write/plan.ts';

/** The output as it stands on the disk, for `typeChanges`: made from the new one and what is to change. */
export function outputBefore(
  files: ReadonlyMap<string, string>,
  { create, update, remove }: Pick<Plan, 'create' | 'update' | 'remove'>,
): ReadonlyMap<string, string> {
  const before = new Map(files);
  for (const { path } of create) before.delete(path);
  for (const change of [...update, ...remove]) before.set(change.path, change.before);
  return before;
}
