/** Changes of the files of a project when its templates are filled in again. Pure. */
import { diff3Merge } from 'node-diff3';

/** A file of a project that changes. */
export interface ProjectChange {
  readonly path: string;
  /** `created`: absent before; `merged`: with changes of the author; `updated`: without any. */
  readonly kind: 'created' | 'updated' | 'merged';
  readonly text: string;
  /** Places that the author and the template have changed, which are marked as git marks them. */
  readonly conflicts: number;
}

/** Changes of the files of a project. */
export interface ProjectPlan {
  readonly changes: readonly ProjectChange[];
  /** Files that exist already and were not made from a template. They stay as they are. */
  readonly kept: readonly string[];
  /** Bases of the next merges. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Compares the files of a project with its templates. A file that the author has deleted is not written
 * again, and a file that existed before its template is never changed.
 * @param present texts of the existing files, by path
 * @param bases texts of the templates from which the files were made
 * @param templates texts of the templates now
 */
export function planProject(
  present: ReadonlyMap<string, string>,
  bases: ReadonlyMap<string, string>,
  templates: ReadonlyMap<string, string>,
): ProjectPlan {
  const changes: ProjectChange[] = [];
  const kept: string[] = [];
  const files = new Map<string, string>();
  for (const [path, next] of templates) {
    const [own, base] = [present.get(path), bases.get(path)];
    if (base === undefined && own !== undefined) {
      kept.push(path);
      continue;
    }
    files.set(path, next);
    if (base === undefined) changes.push({ path, kind: 'created', text: next, conflicts: 0 });
    else if (own !== undefined) {
      const change = changed(path, own, base, next);
      if (change !== undefined) changes.push(change);
    }
  }
  return { changes, kept, files };
}

function changed(path: string, own: string, base: string, next: string): ProjectChange | undefined {
  // Version control may have converted line ends.
  const lines = own.replaceAll('\r\n', '\n');
  if (next === base || lines === next) return undefined;
  if (lines === base) return { path, kind: 'updated', text: next, conflicts: 0 };
  const { text, conflicts } = mergeTexts(lines, base, next);
  return text === lines ? undefined : { path, kind: 'merged', text, conflicts };
}

/** Result of a merge. */
interface Merged {
  readonly text: string;
  /** Number of places that both sides have changed, which are marked as git marks them. */
  readonly conflicts: number;
}

/** Merges the changes from `base` to `own` with those from `base` to `next`. */
function mergeTexts(own: string, base: string, next: string): Merged {
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
