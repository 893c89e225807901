/**
 * The measures of the review of version 0.1, taken of the present sources. `node scripts/review.mjs` prints
 * them. Each measure has one implementation, which the tests of this folder use too.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import {
  type Comment,
  commentsOf,
  filesIn,
  frequency,
  longCommentLines,
  poorBeginning,
  sentenceLengths,
  terms,
  wordCount,
} from './comments.ts';
import { cyclesOf } from './cycles.ts';
import { entryPoints } from './entry-points.ts';
import { exampleCount, exportsOf, isDocumented } from './exported-symbols.ts';
import { placeOf } from './layers.ts';
import { entriesOf, files, functions, type Measure, quantile } from './lengths.ts';
import { hasModifier, helperOrder, isAny, isCast, isConstant, nodesWhere, type Place } from './nodes.ts';
import { type Edge, edgesOf, type Source, sources } from './sources.ts';

/** A measure of all packages and of each of them. */
export interface ReviewRow {
  readonly name: string;
  /** Figure of the review, of all packages of version 0.1; `–` if it has none. */
  readonly before: string;
  /** Figures in the order of `scopes`; one figure if packages have none of their own. */
  readonly now: readonly string[];
}

/** Paths below which the figures of a column are measured, by the title of the column. */
export const scopes: ReadonlyMap<string, string> = new Map([
  ['all', 'src/'],
  ['runtime', 'src/runtime/'],
  ['kgen', 'src/kgen/'],
  ['controller', 'src/controller/'],
  ['certificates', 'src/certificates/'],
  ['schema', 'src/schema/'],
  ['testserver', 'src/testserver/'],
  ['testing', 'src/testing/'],
]);

/** Returns the rows of the review: sources, exports, comments, tests and documents. */
export function reviewRows(): readonly ReviewRow[] {
  return [
    ...lengthRows(),
    ...codeRows(),
    ...importRows(),
    ...exportRows(),
    ...commentRows(),
    ...otherRows(),
    ...measuredRows(),
  ];
}

function perScope(name: string, before: string, figure: (below: string) => string): ReviewRow {
  return { name, before, now: [...scopes.values()].map(figure) };
}

const lines = (measures: readonly Measure[]): readonly number[] => measures.map(({ lines }) => lines);
const below = <T extends Measure>(measures: readonly T[], scope: string): readonly T[] =>
  measures.filter(({ name }) => name.startsWith(scope));
const sourcesBelow = (scope: string): readonly Source[] =>
  sources.filter(({ path }) => path.startsWith(scope));
const rounded = (value: number): string => (Number.isFinite(value) ? String(Number(value.toFixed(1))) : '–');
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : rounded((100 * part) / whole));
const spread = (numbers: readonly number[], share: number): string =>
  [quantile(numbers, 0.5), quantile(numbers, share), quantile(numbers, 1)].join(' / ');
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const longest = (numbers: readonly number[]): number =>
  numbers.reduce((most, each) => Math.max(most, each), 0);

function lengthRows(): readonly ReviewRow[] {
  const short = (scope: string, limit: number): number =>
    below(files, scope).filter(({ lines }) => lines <= limit).length;
  const entries = [...entriesOf(sources.map(({ path }) => path))];
  const largest = (scope: string): string =>
    rounded(longest(entries.filter(([at]) => `${at}/`.startsWith(scope)).map(([, { size }]) => size)));
  const top = (scope: string): string =>
    String(entriesOf(sources.map(({ path }) => path)).get(scope.slice(0, -1))?.size ?? '–');
  return [
    perScope('files', '659', (scope) => String(sourcesBelow(scope).length)),
    perScope('lines per file: median / p90 / max', '72 / 159 / 400', (scope) =>
      spread(lines(below(files, scope)), 0.9),
    ),
    perScope('lines per function: median / p95 / max', '6 / 19 / 97', (scope) =>
      spread(lines(below(functions, scope)), 0.95),
    ),
    perScope(
      'files of at most 40 / 25 lines',
      '146 / 69',
      (scope) => `${short(scope, 40)} / ${short(scope, 25)}`,
    ),
    perScope('most entries of a folder, tests excluded', '60', largest),
    perScope('top-level entries, tests excluded', '33 (runtime)', top),
  ];
}

function codeRows(): readonly ReviewRow[] {
  const thousandLines = (scope: string): number => sum(lines(below(files, scope))) / 1000;
  const perThousand =
    (places: readonly Place[]) =>
    (scope: string): string => {
      const count = places.filter(({ path }) => path.startsWith(scope)).length;
      return `${rounded(count / thousandLines(scope))} (${count})`;
    };
  const ratio =
    (first: readonly Place[], second: readonly Place[]) =>
    (scope: string): string =>
      [first, second].map((places) => places.filter(({ path }) => path.startsWith(scope)).length).join(' : ');
  const screaming = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
  const isScreaming = (node: ts.Node): boolean => isConstant(node) && screaming.test(node.name.text);
  const isReadonly = (node: ts.Node): boolean => hasModifier(node, ts.SyntaxKind.ReadonlyKeyword);
  const members = nodesWhere(ts.isPropertySignature);
  const readonlyMembers = nodesWhere((node) => ts.isPropertySignature(node) && isReadonly(node));
  const helpers = (scope: string): string => {
    const orders = sourcesBelow(scope).map(helperOrder);
    return `${sum(orders.map(({ before }) => before))} : ${sum(orders.map(({ after }) => after))}`;
  };
  return [
    perScope('parameters of a function: max', '5', (scope) => String(mostParameters(sourcesBelow(scope)))),
    perScope('`any` per 1,000 lines', '0', perThousand(nodesWhere(isAny))),
    perScope('casts per 1,000 lines', '1.9 (84)', perThousand(nodesWhere(isCast))),
    perScope('`!` per 1,000 lines', '0', perThousand(nodesWhere(ts.isNonNullExpression))),
    perScope('helpers before : after their first use', 'mixed by folder', helpers),
    perScope(
      'constants camelCase : SCREAMING',
      'mixed by folder',
      ratio(
        nodesWhere((node) => isConstant(node) && !isScreaming(node)),
        nodesWhere(isScreaming),
      ),
    ),
    perScope('members of interfaces that are readonly, %', 'mixed by folder', (scope) =>
      percent(...shares(readonlyMembers, members, scope)),
    ),
    perScope('base names that occur more than once: names / files', '87 / 227', duplicates),
  ];
}

function shares(part: readonly Place[], whole: readonly Place[], scope: string): [number, number] {
  const [first, second] = [part, whole].map(
    (places) => places.filter(({ path }) => path.startsWith(scope)).length,
  );
  return [first ?? 0, second ?? 0];
}

function mostParameters(all: readonly Source[]): number {
  let most = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) most = Math.max(most, node.parameters.length);
    ts.forEachChild(node, visit);
  };
  for (const { file } of all) visit(file);
  return most;
}

function duplicates(scope: string): string {
  const counts = new Map<string, number>();
  for (const { path } of sourcesBelow(scope)) {
    const name = basename(path);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const repeated = [...counts.values()].filter((count) => count > 1);
  return `${repeated.length} / ${sum(repeated)}`;
}

function importRows(): readonly ReviewRow[] {
  const edges = sources.flatMap(edgesOf);
  const within = (scope: string): readonly Edge[] =>
    edges.filter(({ from, to }) => from.startsWith(scope) && to.startsWith(scope));
  const values = (scope: string): string =>
    String(cyclesOf(within(scope).filter(({ value }) => value)).length);
  const lazy = (scope: string): ReadonlySet<string> =>
    new Set(
      within(scope)
        .filter(({ lazy }) => lazy)
        .map(({ to }) => to),
    );
  const alone =
    (limit: number) =>
    (scope: string): string =>
      String(soleUserFiles(within(scope)).filter((path) => lengthOf(path) <= limit).length);
  return [
    perScope('cycles of value imports', '0', values),
    perScope('cycles of imports, types included', '10', (scope) =>
      String(cyclesOf(within(scope).filter(({ lazy }) => !lazy)).length),
    ),
    perScope('cycles of folders, types included', '–', (scope) => String(folderCycles(within(scope)))),
    perScope('modules behind `import()`', '49', (scope) => String(lazy(scope).size)),
    perScope('files with one importer, in their folder, not lazy', '199', alone(Number.POSITIVE_INFINITY)),
    perScope('the same, below 60 lines', '–', alone(59)),
  ];
}

/** Returns the number of cycles of the units of the layers: folders, and files of packages. */
function folderCycles(edges: readonly Edge[]): number {
  const unitOf = (path: string): string => `${path.split('/')[1]}/${placeOf(path)?.unit}`;
  const units = edges.map((edge): Edge => ({ ...edge, from: unitOf(edge.from), to: unitOf(edge.to) }));
  return cyclesOf(units.filter(({ from, to }) => from !== to)).length;
}

const lengthOf = (path: string): number => files.find(({ name }) => name === path)?.lines ?? 0;

/** Returns the files with one importer, in the same folder, that are never loaded by `import()`. */
function soleUserFiles(edges: readonly Edge[]): readonly string[] {
  const users = new Map<string, Set<string>>();
  for (const { from, to } of edges) users.set(to, (users.get(to) ?? new Set()).add(from));
  const lazy = new Set(edges.filter(({ lazy }) => lazy).map(({ to }) => to));
  return [...users]
    .filter(([path, [user = '', ...others]]) => others.length === 0 && dirname(user) === dirname(path))
    .map(([path]) => path)
    .filter((path) => !lazy.has(path));
}

function exportRows(): readonly ReviewRow[] {
  const before: Readonly<Record<string, string>> = {
    'src/runtime/exports/index.ts': '422',
    'src/runtime/exports/gen/v1.ts': '148',
    'src/runtime/exports/gen/v1-protobuf.ts': '57',
    'src/kgen/index.ts': '19',
    'src/testing/index.ts': '15',
  };
  const counts = entryPoints.map(
    (door): ReviewRow => ({
      name: `exports of \`${door.slice('src/'.length)}\``,
      before: before[door] ?? '–',
      now: [String(exportsOf(door).length)],
    }),
  );
  const all = [...new Set(entryPoints.flatMap(exportsOf))];
  const share = (holds: (symbol: ts.Symbol) => boolean): string =>
    `${percent(all.filter(holds).length, all.length)} (${all.filter(holds).length} of ${all.length})`;
  return [
    ...counts,
    {
      name: 'exports with a doc comment, %',
      before: '100; 36.8 of gen/v1/protobuf',
      now: [share(isDocumented)],
    },
    {
      name: 'examples of exports and of their methods',
      before: '3',
      now: [String(sum(all.map(exampleCount)))],
    },
  ];
}

function commentRows(): readonly ReviewRow[] {
  const comments = (scope: string): readonly Comment[] =>
    sourcesBelow(scope).flatMap(({ path, file }) => commentsOf({ path, text: file.text }));
  const often =
    (expression: RegExp) =>
    (scope: string): string =>
      rounded(frequency(comments(scope), expression));
  const poor = (scope: string): string =>
    percent(comments(scope).filter(({ words }) => poorBeginning.test(words)).length, comments(scope).length);
  const long = (scope: string): string =>
    String(longCommentLines(filesIn('src').filter(({ path }) => path.startsWith(scope))).length);
  return [
    perScope('words of doc comments', '–', (scope) => String(wordCount(comments(scope)))),
    perScope('lines of doc comments, %', '14.6', docShare),
    perScope('"what" per 1,000 words', '18.3', often(terms.what)),
    perScope('who, whom, whose, whatever', '4.1', often(terms.who)),
    perScope('where', '8.2', often(terms.where)),
    perScope('say, tell, hear, ask', '11.0', often(terms.speech)),
    perScope('answer', '3.6', often(terms.reply)),
    perScope('response', '0.1', often(terms.response)),
    perScope('return', '0.2', often(terms.return)),
    perScope('retry', '0.1', often(terms.retry)),
    perScope('comments that begin with What, Who, The same, %', '10.4', poor),
    perScope('words per sentence: median / p90 / max', '10 / 20 / –', (scope) =>
      spread(sentenceLengths(comments(scope)), 0.9),
    ),
    perScope('lines of comments beyond 110 columns, tests included', '145 beyond 122', long),
  ];
}

function docShare(scope: string): string {
  const all = sourcesBelow(scope).map(({ file }) => file.text);
  const inDocs = all.flatMap((text) => text.match(/\/\*\*[\s\S]*?\*\//g) ?? []);
  const count = (texts: readonly string[]): number => sum(texts.map((text) => text.split('\n').length));
  return percent(count(inDocs), count(all));
}

function otherRows(): readonly ReviewRow[] {
  const text = (path: string): string => readFileSync(join(repository, path), 'utf8');
  const lineCount = (path: string): number => text(path).split('\n').length - 1;
  const generated = filesBelow(join(repository, 'generated'), '.ts').map((path) => text(`generated/${path}`));
  const tests = [...filesIn('src'), ...filesIn('test')].filter(({ path }) =>
    /^test\/|\.(test|fixture)\.ts$/.test(path),
  );
  const titles = tests.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:it|test)\(\s*(['"`])(.+?)\1/g)].map(([, , title = '']) => title),
  );
  const like = (expression: RegExp): string =>
    String(titles.filter((title) => expression.test(title)).length);
  const row = (name: string, before: string, now: string | number): ReviewRow => ({
    name,
    before,
    now: [String(now)],
  });
  return [
    row(
      'lines of tests : of sources, in thousands',
      '83 : 58',
      `${rounded(sum(tests.map(({ text }) => text.split('\n').length)) / 1000)} : ${rounded(sum(lines(files)) / 1000)}`,
    ),
    row('plain test titles', '1,482', titles.length),
    row(
      'titles with returns, throws, rejects, retries, resumes, …',
      '22',
      like(/\b(returns?|throws?|rejects?|parses?|retries|resumes?|times out|emits?|sends?|calls?)\b/),
    ),
    row('titles with retry', '4', like(/\bretr(y|ies|ied)\b/)),
    row(
      'longest line of generated code',
      '803',
      longest(generated.flatMap((each) => each.split('\n')).map(({ length }) => length)),
    ),
    row(
      'README.md: lines / words',
      '456 / 3,744',
      `${lineCount('README.md')} / ${text('README.md').split(/\s+/).length}`,
    ),
    row('ARCHITECTURE.md: lines', '194', lineCount('ARCHITECTURE.md')),
    row(
      'pages of docs / of docs/design',
      '0 / 0',
      `${filesBelow(join(repository, 'docs'), '.md').filter((path) => !path.includes('/')).length} / ${filesBelow(join(repository, 'docs/design'), '.md').length}`,
    ),
    row('programs of examples', '1', filesBelow(join(repository, 'examples'), '.ts').length),
  ];
}

/** Returns the figures of `measurements.json`, which are measured by hand, and rewritten there each time. */
function measuredRows(): readonly ReviewRow[] {
  const path = join(repository, 'test/structure/measurements.json');
  // seam: a file of the repository
  const measured = JSON.parse(readFileSync(path, 'utf8')) as readonly {
    readonly name: string;
    readonly value: string;
  }[];
  return measured.map(({ name, value }) => ({ name, before: '–', now: [value] }));
}
