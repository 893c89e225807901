/** Changes of the files of a project when its templates are filled in again. Pure. */
import { isSameText, mergeTexts } from './merge.ts';
import { findMoves } from './moves.ts';

/** A file of a project that changes. */
export interface ProjectChange {
  readonly path: string;
  /** Path before; absent for a file that stays where it is. */
  readonly from?: string;
  /**
   * `created`: absent before; `merged`: with changes of the author; `updated`: without any; `rewritten`: for
   * renamed exports and versions of packages only; `removed`: a template that no longer exists, without
   * changes of the author.
   */
  readonly kind: 'created' | 'updated' | 'merged' | 'rewritten' | 'removed';
  /** Empty for a removed file. */
  readonly text: string;
  /** Places that the author and the template have changed, which are marked as git marks them. */
  readonly conflicts: number;
}

/** Changes of the files of a project. */
export interface ProjectPlan {
  readonly changes: readonly ProjectChange[];
  /** Files that exist already and were not made from a template, or no longer are. They stay as they are. */
  readonly kept: readonly string[];
  /** Bases of the next merges. */
  readonly files: ReadonlyMap<string, string>;
}

/** Texts by path. */
export type Texts = ReadonlyMap<string, string>;

/** Files from which a plan follows. */
export interface ProjectTexts {
  /** Existing files. */
  readonly present: Texts;
  /** Templates from which they were made. */
  readonly bases: Texts;
  /** Templates now. */
  readonly templates: Texts;
  /** Files that may be renamed ones. */
  readonly candidates?: Texts;
}

/**
 * Compares the files of a project with its templates. A file that the author has deleted is not written
 * again, a file that the author has renamed is merged where it is now, and a file that existed before its
 * template is never changed.
 */
export function planProject(texts: ProjectTexts): ProjectPlan {
  const { present, bases, templates } = texts;
  const sources = sourcesOf(texts);
  const renamed = findMoves(
    without(bases, present),
    without(without(texts.candidates ?? new Map(), bases), templates),
  );
  const changes: ProjectChange[] = [];
  const kept: string[] = [];
  const files = new Map<string, string>();
  for (const [path, next] of templates) {
    const source = sources.get(path) ?? path;
    const base = bases.get(source);
    if (base === undefined && present.has(path)) {
      kept.push(path);
      continue;
    }
    files.set(path, next);
    if (base === undefined) {
      changes.push({ path, kind: 'created', text: next, conflicts: 0 });
      continue;
    }
    const from = renamed.get(source) ?? source;
    const own = present.get(from) ?? texts.candidates?.get(from);
    // The author's new path takes precedence over that of kgen.
    const to = from === source ? path : from;
    const change = own === undefined ? undefined : changed(to, from, { own, base, next });
    if (change !== undefined) changes.push(change);
  }
  const isUsed = new Set(sources.values());
  for (const [path, base] of bases) {
    const own = present.get(path);
    if (templates.has(path) || isUsed.has(path) || own === undefined) continue;
    if (isSameText(own, base)) changes.push({ path, kind: 'removed', text: '', conflicts: 0 });
    else kept.push(path);
  }
  return { changes, kept, files };
}

/** Returns the former paths of the templates that kgen has renamed. */
function sourcesOf({ present, bases, templates }: ProjectTexts): ReadonlyMap<string, string> {
  const fresh = without(without(templates, bases), present);
  const moves = findMoves(without(bases, templates), fresh);
  return new Map([...moves].map(([from, to]) => [to, from]));
}

function without(texts: Texts, others: Texts): Texts {
  return new Map([...texts].filter(([path]) => !others.has(path)));
}

function changed(
  path: string,
  from: string,
  sides: Parameters<typeof mergeTexts>[1],
): ProjectChange | undefined {
  const { own, base, next } = sides;
  const isUpdate = isSameText(own, base);
  const { text, conflicts } =
    next === base || isSameText(own, next) ? { text: own, conflicts: 0 } : mergeTexts(from, sides);
  if (text === own && path === from) return undefined;
  const kind = isUpdate ? 'updated' : 'merged';
  return { path, ...(path !== from && { from }), kind, text, conflicts };
}
