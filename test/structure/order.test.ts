import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { parse, type Source, sources } from './sources.ts';

/** Folders whose modules name their constants alike. */
const folders = ['src', 'test', 'scripts', 'examples'];
const modules: readonly Source[] = folders
  .flatMap((folder) => filesBelow(join(repository, folder), '').map((path) => `${folder}/${path}`))
  .filter((path) => /\.(ts|mjs)$/.test(path))
  .filter((path) => !/\.d\.ts$|\/(dist|fixtures|expected|generated|node_modules)\//.test(path))
  .map((path) => ({ path, file: parse(path) }));

/** Returns the names of the functions that a file declares without exporting them; overloads once. */
function helpersOf(file: ts.SourceFile): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [index, statement] of file.statements.entries()) {
    if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) continue;
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported && !found.has(statement.name.text)) found.set(statement.name.text, index);
  }
  return found;
}

function isPropertyName(node: ts.Node): boolean {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
}

function uses(statement: ts.Node, name: string): boolean {
  const visit = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === name && !isPropertyName(node)) ||
    ts.forEachChild(node, visit) === true;
  return visit(statement);
}

/** Returns true if the first statement that uses the function, itself excluded, stands behind it. */
function standsBeforeUse(file: ts.SourceFile, name: string, index: number): boolean {
  const isItself = (statement: ts.Statement): boolean =>
    ts.isFunctionDeclaration(statement) && statement.name?.text === name;
  return file.statements.findIndex((other) => !isItself(other) && uses(other, name)) > index;
}

/** Returns the variables that are declared at the top level of a file. */
function variablesOf(file: ts.SourceFile): readonly string[] {
  return file.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

test('a function that is not exported stands behind the first statement that uses it', () => {
  const early = sources.flatMap(({ path, file }) =>
    [...helpersOf(file)]
      .filter(([name, index]) => standsBeforeUse(file, name, index))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(early).toEqual([]);
});

test('constants of modules are in camel case', () => {
  const isUpper = (name: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(name);
  const found = modules.flatMap(({ path, file }) =>
    variablesOf(file)
      .filter(isUpper)
      .map((name) => `${path}: ${name}`),
  );
  expect(modules.length).toBeGreaterThan(sources.length);
  expect(found).toEqual([]);
});
