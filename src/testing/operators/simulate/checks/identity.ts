/** Objects that were deleted and created again: another uid is another object. */
import { text } from '@kgen/schema/values/json';
import { hasGeneratedName, keyOf, type Snapshot } from './compare/snapshot.ts';

/** The objects of a run at rest, and the keys of those that were removed before. */
export interface IdentityRun {
  readonly snapshot: Snapshot;
  /** Keys of objects that were removed, `resource namespace/name`; not because of another client. */
  readonly removed: ReadonlySet<string>;
}

/** Returns a line for each object that was replaced, and exists throughout the run without faults. */
export function replacedLines(ideal: IdentityRun, run: IdentityRun): readonly string[] {
  const expected = new Map(ideal.snapshot.map((each) => [keyOf(each), each]));
  return run.snapshot
    .filter((each) => {
      const key = keyOf(each);
      const isThere = each.isShown && expected.has(key) && !hasGeneratedName(each);
      return isThere && run.removed.has(key) && !ideal.removed.has(key);
    })
    .map(
      (each) => `${keyOf(each)} was deleted and created again: uid ${text(each.value, 'metadata', 'uid')}`,
    );
}
