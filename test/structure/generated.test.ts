import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { EmitOptions } from '../../src/kgen/emit/options.ts';
import { emitted, repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

const runtime = '@kgen/runtime/gen/v1';

/** An import, or a re-export, of a generated module. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly value: boolean;
  readonly names: readonly string[];
}

async function files(options: Partial<EmitOptions> = {}): Promise<readonly ts.SourceFile[]> {
  const { files } = await emitted(['crds/*.yaml'], options);
  return [...files]
    .filter(([path]) => path !== 'package.json')
    .map(([path, text]) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
}

function edges(file: ts.SourceFile): readonly Edge[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const typeOnly = ts.isImportDeclaration(statement)
      ? statement.importClause?.isTypeOnly
      : statement.isTypeOnly;
    const to = moduleSpecifier.text;
    return [{ from: file.fileName, to, value: typeOnly !== true, names: namesOf(statement) }];
  });
}

function namesOf(statement: ts.ImportDeclaration | ts.ExportDeclaration): readonly string[] {
  const bindings = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return ['*'];
  return bindings.elements.map((element) => (element.propertyName ?? element.name).text);
}

/** Returns the module of the output that a relative import refers to. */
function target({ from, to }: Edge): string {
  return posix.join(posix.dirname(from), to).replace(/\.js$/, '.ts');
}

function kindsIn(file: ts.SourceFile): ReadonlySet<ts.SyntaxKind> {
  const kinds = new Set<ts.SyntaxKind>();
  const visit = (node: ts.Node): void => {
    kinds.add(node.kind);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return kinds;
}

const values: readonly string[] = [
  'ClientsetBase',
  'InformerFactoryBase',
  'crud',
  'defineResource',
  'groupClient',
  'groupInformers',
  'watchResource',
];

describe.each([{}, { emit: 'js' }] as const)('generated modules %o', (options) => {
  test("import only the runtime's entry point and each other", async () => {
    const all = (await files(options)).flatMap(edges);
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter(({ to }) => to !== runtime && !to.startsWith('.'))).toEqual([]);
  });

  test('import only the values of the table', async () => {
    const used = (await files(options)).flatMap(edges).filter(({ to, value }) => value && to === runtime);
    expect([...new Set(used.flatMap(({ names }) => names))].sort()).toEqual(values);
  });

  test('contain no any, no cast and no enum', async () => {
    const shunned = [ts.SyntaxKind.AnyKeyword, ts.SyntaxKind.AsExpression, ts.SyntaxKind.EnumDeclaration];
    for (const file of await files(options))
      expect(shunned.filter((kind) => kindsIn(file).has(kind))).toEqual([]);
  });
});

test('have no cycles through type modules', async () => {
  const all = (await files()).flatMap(edges).filter(({ to }) => to.startsWith('.'));
  const below = (path: string): readonly string[] => all.filter(({ from }) => from === path).map(target);
  const reaches = (from: string, to: string): boolean =>
    below(from).some((next) => next === to || reaches(next, to));
  expect(all.filter(({ from }) => reaches(from, from))).toEqual([]);
  expect(all.filter(({ from }) => from.endsWith('/types.ts'))).toEqual([]);
});

test('describe clients, descriptors, informers and roots', async () => {
  for (const file of (await files()).filter(({ fileName }) => !fileName.endsWith('/types.ts'))) {
    const silent = file.statements
      .filter((statement) => !ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement))
      .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0);
    expect(silent.map((statement) => `${file.fileName}: ${statement.getText(file).slice(0, 60)}`)).toEqual(
      [],
    );
  }
});

/**
 * Committed outputs: what kgen writes for Kubernetes, the samples, and the expected files of the golden
 * tests.
 */
const outputs: readonly string[] = ['generated/kubernetes', 'generated/crds', 'test/golden/expected'];

/**
 * Longest part of a comment that is not broken: a word, an address, code in backticks, or JSON of a
 * constraint.
 */
function isUnbreakable(line: string): boolean {
  if (/^ *(\/\*\*|\*) @(constraint|validation|pattern|default) /.test(line)) return true;
  const isComment = /^ *(\/\*\*|\*|\/\/) /.test(line);
  const [, text = ''] = /^ *(?:\/\*\*|\*|\/\/)? *(.*)$/.exec(line) ?? [];
  const words = text.split(isComment ? ' ' : /(?<=[,;]) | [|=?:] /);
  return Math.max(...words.map(({ length }) => length)) > 80;
}

test.each(outputs)('have lines of at most 110 columns: %s', (folder) => {
  const files = filesBelow(join(repository, folder)).filter((path) => /\.[jt]s$/.test(path));
  expect(files.length).toBeGreaterThan(10);
  const long = files.flatMap((path) =>
    readFileSync(join(repository, folder, path), 'utf8')
      .split('\n')
      .filter((line) => line.length > 110 && !isUnbreakable(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(long).toEqual([]);
});
