/** Difference between a folder and its desired content. Pure: nothing is read or written here. */
import { isSafePath, type Manifest, manifestName, parseManifest, printManifest } from './manifest.ts';

/** State of a path in the output folder before anything is written. */
export type Present =
  | { readonly kind: 'file'; readonly text: string }
  /** A folder, a symbolic link, a device, or a file in place of a folder: never written by kgen. */
  | { readonly kind: 'other'; readonly what: string };

/** Desired content of the output folder. */
export interface DesiredOutput {
  /** File contents by path, relative to the output folder, with `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly accessors: ReadonlyMap<string, string>;
  readonly definitions: Manifest['definitions'];
  /**
   * Whether the files are the complete output. With errors in the input they may be incomplete. Then files of
   * earlier runs are kept, also in the manifest, so that a typo in one CRD does not delete the code that was
   * generated from it.
   */
  readonly complete: boolean;
  /** Returns whether kgen wrote a file, judging by its first line or its whole content. */
  readonly isGenerated: (path: string, text: string) => boolean;
}

/** Difference between a folder and its desired content. All paths are sorted. */
export interface WritePlan {
  readonly create: readonly FileChange[];
  readonly update: readonly FileChange[];
  readonly remove: readonly FileChange[];
  readonly unchanged: readonly string[];
  /** Desired paths that are occupied by something that kgen did not write. */
  readonly clashes: readonly FileClash[];
}

/** The plan of a folder that is up to date. */
export const emptyPlan: WritePlan = { create: [], update: [], remove: [], unchanged: [], clashes: [] };

/** One file with its content before and after. `''` stands for an absent file. */
export interface FileChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A desired path, and the reason why it cannot be written. */
export interface FileClash {
  readonly path: string;
  readonly what: string;
}

/**
 * Compares the current and the desired content. Replaces or removes only files of kgen: the manifest, and
 * files that `isGenerated` accepts, whatever the manifest lists. Removes only files that the manifest lists.
 *
 * @throws {RangeError} a desired path is outside of the folder
 */
export function planChanges(
  present: ReadonlyMap<string, Present>,
  before: Manifest,
  requested: DesiredOutput,
): WritePlan {
  for (const path of requested.files.keys()) {
    if (!isSafePath(path) || path === manifestName)
      throw new RangeError(`unsafe output path ${JSON.stringify(path)}`);
  }
  const isOwn = (path: string, text: string): boolean =>
    path === manifestName ? parseManifest(text) !== undefined : requested.isGenerated(path, unix(text));
  const stale = staleFiles(present, before, requested, isOwn);
  const kept = requested.complete ? [] : stale;
  const files = [...requested.files.keys(), ...kept.map(({ path }) => path)];
  const both = <T>(old: ReadonlyMap<string, T>, own: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    requested.complete ? own : new Map([...old, ...own]);
  const accessors = both(before.accessors, requested.accessors);
  const definitions = both(before.definitions, requested.definitions);
  const targets = new Map([
    ...requested.files,
    [manifestName, printManifest({ accessors, files, definitions })],
  ]);
  return { ...compare(present, targets, isOwn), remove: requested.complete ? stale : [] };
}

/** Version control may have converted line ends, which does not count as a change. */
function unix(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Returns whether the folder already has the desired content. */
export function isUpToDate(plan: WritePlan): boolean {
  return [plan.create, plan.update, plan.remove, plan.clashes].every((list) => list.length === 0);
}

function compare(
  present: ReadonlyMap<string, Present>,
  targets: ReadonlyMap<string, string>,
  isOwn: (path: string, text: string) => boolean,
): Omit<WritePlan, 'remove'> {
  const create: FileChange[] = [];
  const update: FileChange[] = [];
  const unchanged: string[] = [];
  const clashes: FileClash[] = [];
  for (const path of [...targets.keys()].sort()) {
    const after = targets.get(path) ?? '';
    const found = present.get(path);
    if (found === undefined) create.push({ path, before: '', after });
    else if (found.kind === 'other') clashes.push({ path, what: found.what });
    else if (unix(found.text) === after) unchanged.push(path);
    else if (isOwn(path, found.text)) update.push({ path, before: found.text, after });
    else clashes.push({ path, what: 'a file that kgen did not write' });
  }
  return { create, update, unchanged, clashes };
}

/**
 * Returns files of the last run that are no longer part of the output. A file that replaced one of them is
 * kept.
 */
function staleFiles(
  present: ReadonlyMap<string, Present>,
  before: Manifest,
  requested: DesiredOutput,
  isOwn: (path: string, text: string) => boolean,
): readonly FileChange[] {
  const stale: FileChange[] = [];
  for (const path of [...before.files].sort()) {
    const found = present.get(path);
    if (requested.files.has(path) || found?.kind !== 'file') continue;
    if (isOwn(path, found.text)) stale.push({ path, before: found.text, after: '' });
  }
  return stale;
}
