/** Three-way merge of texts, line by line. */
import { diff3Merge } from 'node-diff3';

/** Result of a merge. */
export interface Merged {
  readonly text: string;
  /** Number of places that both sides have changed, which are marked as git marks them. */
  readonly conflicts: number;
}

/** Merges the changes from `base` to `own` with those from `base` to `next`. */
export function mergeTexts(own: string, base: string, next: string): Merged {
  const [ownLines, baseLines, nextLines] = [own, base, next].map((text) => text.split('\n'));
  const regions = diff3Merge(ownLines ?? [], baseLines ?? [], nextLines ?? [], {
    excludeFalseConflicts: true,
  });
  const lines = regions.flatMap(({ ok, conflict }) =>
    conflict === undefined
      ? (ok ?? [])
      : ['<<<<<<< yours', ...conflict.a, '=======', ...conflict.b, '>>>>>>> kgen'],
  );
  return {
    text: lines.join('\n'),
    conflicts: regions.filter(({ conflict }) => conflict !== undefined).length,
  };
}
