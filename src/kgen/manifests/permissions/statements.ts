/** Permissions that a program states: `@permissions apps/deployments get list in shop named web`. */
import { ts } from 'ts-morph';
import {
  append,
  type Checked,
  error,
  type InputProblem,
  quote,
  type SourcePlace,
} from '../../common/problems.ts';
import { closestName } from '../../common/words.ts';
import type { Need, NeedScope } from './needs.ts';

const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'approve',
  'attest',
  'bind',
  'escalate',
  'impersonate',
  'sign',
  'use',
  '*',
];

const form =
  '`@permissions GROUP/RESOURCE VERBS [in NAMESPACE] [named NAMES]`, such as `apps/deployments get list`';
const resourceForm = /^[a-z0-9.-]+\/(?:[a-z0-9.-]+|\*)(?:\/[a-z0-9.-]+)?$/;
const nameForm = /^[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/;

/** A statement with its position, after `@permissions`. */
export interface Statement {
  readonly text: string;
  readonly place: SourcePlace;
}

/**
 * Reads a statement. `core` is the core group, `in .` the namespace of the operator, and `none` states that
 * nothing is needed.
 */
export function statedNeed({ text, place }: Statement): Checked<readonly Need[]> {
  const words = [...text.matchAll(/[^\s,]+/g)].map((match) => ({ text: match[0], at: match.index }));
  const [resource, ...rest] = words;
  const at = ({ at: offset }: { readonly at: number }): SourcePlace => ({
    ...place,
    ...(place.column !== undefined && { column: place.column + offset }),
  });
  const fails = (what: string, where = place): Checked<readonly Need[]> => ({
    value: [],
    problems: [error(what, where)],
  });
  if (resource === undefined) return fails(`@permissions is empty: write ${form}, or \`none\``);
  if (resource.text === 'none' && rest.length === 0) return { value: [], problems: [] };
  if (!resourceForm.test(resource.text)) {
    return fails(
      `${quote(resource.text)} must be GROUP/RESOURCE, with \`core\` as the core group: ${form}`,
      at(resource),
    );
  }
  const [given, restriction] = cut(rest);
  const unknown = given.find((word) => !verbs.includes(word.text));
  if (unknown !== undefined) return fails(unknownVerb(unknown.text), at(unknown));
  if (given.length === 0) return fails(`${quote(resource.text)} has no verbs: write ${form}`, at(resource));
  const { scope, names, wrong } = restrictionOf(restriction);
  if (wrong !== undefined) return fails(`${quote(wrong.text)} is misplaced: write ${form}`, at(wrong));
  const [group = '', ...path] = resource.text.split('/');
  const need: Need = {
    group: group === 'core' ? '' : group,
    resource: path.join('/'),
    verbs: [...new Set(given.map((word) => word.text))].sort(),
    scope,
    names,
    place,
    reason: 'stated by @permissions',
  };
  return { value: [need], problems: [] };
}

interface Word {
  readonly text: string;
  readonly at: number;
}

function cut(words: readonly Word[]): readonly [verbs: readonly Word[], restriction: readonly Word[]] {
  const index = words.findIndex(({ text }) => text === 'in' || text === 'named');
  return index === -1 ? [words, []] : [words.slice(0, index), words.slice(index)];
}

function unknownVerb(verb: string): string {
  const nearest = closestName(verb, verbs);
  const hint = nearest === undefined ? `the verbs are ${verbs.join(', ')}` : `did you mean \`${nearest}\`?`;
  return `${quote(verb)} is not a verb: ${hint}`;
}

function restrictionOf(words: readonly Word[]): {
  readonly scope: NeedScope;
  readonly names: readonly string[];
  readonly wrong?: Word | undefined;
} {
  const [first, second] = words;
  const hasPlace = first?.text === 'in';
  const namespace = hasPlace ? second : undefined;
  const scope: NeedScope =
    namespace === undefined
      ? { type: 'cluster' }
      : namespace.text === '.'
        ? { type: 'own' }
        : { type: 'namespace', name: namespace.text };
  const [keyword, ...names] = words.slice(hasPlace ? 2 : 0);
  const wrong =
    (hasPlace && (namespace === undefined || !/^(\.|[a-z0-9]([a-z0-9-]*[a-z0-9])?)$/.test(namespace.text))
      ? (namespace ?? first)
      : undefined) ??
    (keyword !== undefined && (keyword.text !== 'named' || names.length === 0) ? keyword : undefined) ??
    names.find(({ text }) => !nameForm.test(text));
  return { scope, names: names.map(({ text }) => text).sort(), wrong };
}

/** The statements of one file. */
export interface FileStatements {
  readonly needs: readonly Need[];
  readonly problems: readonly InputProblem[];
  /** Returns whether the permissions of a node are stated. */
  covers(node: ts.Node): boolean;
}

/** Finds the comments `@permissions` of statements and members. */
export function fileStatements(source: ts.SourceFile, file: string): FileStatements {
  const found: Checked<readonly Need[]>[] = [];
  const covered = new Set<ts.Node>();
  const seen = new Set<number>();
  const visit = (node: ts.Node): void => {
    const start = node.getFullStart();
    if (isStatement(node) && !seen.has(start)) {
      seen.add(start);
      const statements = statementsAbove(source, start, file);
      if (statements.length > 0) covered.add(node);
      append(found, statements.map(statedNeed));
    }
    ts.forEachChild(node, visit);
  };
  if (source.text.includes('@permissions')) ts.forEachChild(source, visit);
  return {
    needs: found.flatMap(({ value }) => value),
    problems: found.flatMap(({ problems }) => problems),
    covers: (node) => {
      for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
        if (covered.has(at)) return true;
      return false;
    },
  };
}

function isStatement(node: ts.Node): boolean {
  return ts.isStatement(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node);
}

function statementsAbove(source: ts.SourceFile, start: number, file: string): readonly Statement[] {
  return commentsAbove(source.text, start).flatMap(({ pos, end }) => {
    const text = source.text.slice(pos, end);
    if (!text.startsWith('/**')) return [];
    return [...text.matchAll(/(@permissions\b[ \t]*)((?:[^\n@*]|\*(?!\/))*)/g)].map((match) => {
      const [, tag = '', line = ''] = match;
      const stated = line.replace(/(?<![ \t])[ \t]+$/, '');
      const at = source.getLineAndCharacterOfPosition(pos + match.index + tag.length);
      return { text: stated, place: { file, line: at.line + 1, column: at.character + 1 } };
    });
  });
}

/** Comments before a statement, on its own line too. One behind another statement belongs to that line. */
function commentsAbove(text: string, start: number): readonly ts.CommentRange[] {
  const leading = ts.getLeadingCommentRanges(text, start) ?? [];
  const sameLine = (ts.getTrailingCommentRanges(text, start) ?? []).filter(
    ({ end }) => !/^[ \t]*(\r?\n|$)/.test(text.slice(end)),
  );
  return [...sameLine, ...leading];
}
