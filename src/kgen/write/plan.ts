import { isSafePath, type Manifest, manifestName, parseManifest, printManifest } from './manifest.ts';

/** What stands at a path of the output folder before anything is written. */
export type Present =
  | { readonly kind: 'file'; readonly text: string }
  /** A folder, a symbolic link, a device, or a file where a folder is needed: nothing that kgen writes. */
  | { readonly kind: 'other'; readonly what: string };

/** What a run would like the folder to hold. */
export interface Wanted {
  /** Texts by path, relative to the output folder, with `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly accessors: ReadonlyMap<string, string>;
  /**
   * Whether the files are all there is. With problems in the input they may not be: then files of an earlier run
   * stay, and stay in the manifest, so that a typo in one CRD does not delete the code made from it.
   */
  readonly complete: boolean;
  /** Whether a text at a path is one that kgen wrote, by its first line or as a whole. */
  readonly isGenerated: (path: string, text: string) => boolean;
}

/** The difference between a folder and what it should hold. All paths are sorted. */
export interface Plan {
  readonly create: readonly Change[];
  readonly update: readonly Change[];
  readonly remove: readonly Change[];
  readonly unchanged: readonly string[];
  /** Paths that are wanted and hold something that kgen did not write. */
  readonly clashes: readonly Clash[];
}

/** The plan of a folder that needs nothing. */
export const emptyPlan: Plan = { create: [], update: [], remove: [], unchanged: [], clashes: [] };

/** One file and its text before and after; `''` stands for absent. */
export interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A path that is wanted, and what stands in the way there. */
export interface Clash {
  readonly path: string;
  readonly what: string;
}

/**
 * Compares what is there with what is wanted. Only files that are kgen's own are ever replaced or removed: the
 * manifest, and what `isGenerated` knows, whatever the manifest says of it. Only files that the manifest lists are removed.
 *
 * @throws {RangeError} when a wanted path leaves the folder
 */
export function planChanges(present: ReadonlyMap<string, Present>, before: Manifest, wanted: Wanted): Plan {
  for (const path of wanted.files.keys()) {
    if (!isSafePath(path) || path === manifestName)
      throw new RangeError(`unsafe output path ${JSON.stringify(path)}`);
  }
  const isOwn = (path: string, text: string): boolean =>
    path === manifestName ? parseManifest(text) !== undefined : wanted.isGenerated(path, unix(text));
  const stale = staleFiles(present, before, wanted, isOwn);
  const kept = wanted.complete ? [] : stale;
  const files = [...wanted.files.keys(), ...kept.map(({ path }) => path)];
  const accessors = wanted.complete ? wanted.accessors : new Map([...before.accessors, ...wanted.accessors]);
  const targets = new Map([...wanted.files, [manifestName, printManifest({ accessors, files })]]);
  return { ...compare(present, targets, isOwn), remove: wanted.complete ? stale : [] };
}

/** Version control may have changed the ends of lines, which changes nothing. */
function unix(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** True when the folder already is what it should be. */
export function isUpToDate(plan: Plan): boolean {
  return [plan.create, plan.update, plan.remove, plan.clashes].every((list) => list.length === 0);
}

function compare(
  present: ReadonlyMap<string, Present>,
  targets: ReadonlyMap<string, string>,
  isOwn: (path: string, text: string) => boolean,
): Omit<Plan, 'remove'> {
  const create: Change[] = [];
  const update: Change[] = [];
  const unchanged: string[] = [];
  const clashes: Clash[] = [];
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

/** Files of the last run that are not wanted any more. What somebody put in their place is not touched. */
function staleFiles(
  present: ReadonlyMap<string, Present>,
  before: Manifest,
  wanted: Wanted,
  isOwn: (path: string, text: string) => boolean,
): readonly Change[] {
  const stale: Change[] = [];
  for (const path of [...before.files].sort()) {
    const found = present.get(path);
    if (wanted.files.has(path) || found?.kind !== 'file') continue;
    if (isOwn(path, found.text)) stale.push({ path, before: found.text, after: '' });
  }
  return stale;
}
