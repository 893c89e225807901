import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Complaint, complaints, programOf } from '../support/checker.ts';
import { crd } from '../support/crd.ts';
import { emitted, type Files } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { hostile, refused } from './tables/hostile.ts';

/** Names of files that contain a definition. */
const fileNames: readonly string[] = [
  'a\nprocess.exit(66);.json',
  'a\u2028process.exit(66);.json',
  'a\rprocess.exit(66);.json',
  '*⁄ process.exit(66) .json',
  '\u001b[2J.json',
];

const outputs: { readonly sources: Files; readonly scripts: Files }[] = [];
let found: readonly Complaint[] = [];
let project: Project | undefined;

beforeAll(async () => {
  project = createProject({ links: ['node', 'run'] });
  for (const [index, { crds }] of hostile.entries()) {
    const output = {
      sources: (await emitted(crds)).files,
      scripts: (await emitted(crds, { emit: 'js' })).files,
    };
    outputs.push(output);
    project.write(output.sources, `ts/${index}`);
    project.write(output.scripts, `js/${index}`);
  }
  const roots = outputs.flatMap(({ sources, scripts }, index) => [
    ...[...sources.keys()].map((path) => `ts/${index}/${path}`),
    ...[...scripts.keys()].filter((path) => path.endsWith('.d.ts')).map((path) => `js/${index}/${path}`),
  ]);
  found = complaints(programOf(project.folder, roots, { skipLibCheck: false }), project.folder);
}, 120_000);

afterAll(() => project?.dispose());

/** Statements of generated files; a description that became code would add others. */
const expected: readonly RegExp[] = [
  /^import (type )?\{[^}'"`]*\} from '[^'\n]*';$/,
  /^export (type )?(\*|\* as \w+|\{[^}'"`]*\}) from '[^'\n]*';$/,
];

function isExpected(statement: ts.Statement, file: ts.SourceFile): boolean {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return true;
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.every(formOf(file.fileName));
  }
  if (ts.isClassDeclaration(statement)) {
    return (
      ['Clientset', 'InformerFactory'].includes(statement.name?.text ?? '') &&
      statement.members.every(isPlain)
    );
  }
  return expected.some((form) => form.test(statement.getText(file)));
}

function formOf(path: string): (declaration: ts.VariableDeclaration) => boolean {
  if (path.startsWith('catalog.')) return isCatalog;
  return /(^|\/)schemas\.(js|d\.ts|ts)$/.test(path) ? isSchemas : isDescriptor;
}

const loadsSchemas =
  /^\(\) => import\('(\.{1,2}\/)[a-z0-9_./-]*schemas\.js'\)\.then\(\(module\) => module\.schemas\)$/;

/** Returns true for a function that imports the schemas of a group version of the output. */
function isSchemaLoader(node: ts.Expression): boolean {
  return loadsSchemas.test(node.getText().replaceAll(/\s+/g, ' '));
}

/** Returns true for schemas: plain data, and functions that import other schemas. */
function isSchemas({ initializer }: ts.VariableDeclaration): boolean {
  if (initializer === undefined) return true;
  return (
    ts.isObjectLiteralExpression(initializer) &&
    initializer.properties.every((member) => {
      if (!ts.isPropertyAssignment(member)) return false;
      if (member.name.getText() !== 'imports') return isData(member.initializer);
      return (
        ts.isObjectLiteralExpression(member.initializer) &&
        member.initializer.properties.every(
          (each) => ts.isPropertyAssignment(each) && isSchemaLoader(each.initializer),
        )
      );
    })
  );
}

/**
 * Returns true for a constant that is a call of the runtime with plain data, loads schemas, or is only
 * declared.
 */
function isDescriptor({ name, initializer }: ts.VariableDeclaration): boolean {
  if (initializer === undefined) return true;
  if (name.getText() === 'schema') return isSchemaLoader(initializer);
  if (!ts.isCallExpression(initializer) || !ts.isIdentifier(initializer.expression)) return false;
  const calls = ['defineResource', 'watchResource'].map((name) => new RegExp(`^(Runtime)?${name}\\d*$`));
  return (
    calls.some((call) => call.test(initializer.expression.getText())) && initializer.arguments.every(isData)
  );
}

/** Returns true for the catalog, whose members import modules of the output, and for its predicate. */
function isCatalog({ name, initializer }: ts.VariableDeclaration): boolean {
  if (initializer === undefined) return true;
  if (name.getText() === 'isCatalogKey') {
    return /^\(key\)(: key is CatalogKey)? => Object\.keys\(catalog\)\.includes\(key\)$/.test(
      initializer.getText(),
    );
  }
  const lazy =
    /^\(\) => import\('\.\/[a-z0-9_./-]+\/index\.js'\)\.then\(\(module\) => module\.[\p{ID_Start}_$][\p{ID_Continue}$]*\)$/u;
  return (
    ts.isObjectLiteralExpression(initializer) &&
    initializer.properties.every(
      (member) =>
        ts.isPropertyAssignment(member) && lazy.test(member.initializer.getText().replaceAll(/\s+/g, ' ')),
    )
  );
}

function isData(node: ts.Node): boolean {
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every(
      (member) =>
        (ts.isPropertyAssignment(member) &&
          member.name.getText() !== '__proto__' &&
          isData(member.initializer)) ||
        (ts.isShorthandPropertyAssignment(member) && member.name.getText() === 'schema'),
    );
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isData);
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  return ts.isLiteralExpression(node) || ts.isIdentifier(node) || keywords.includes(node.kind);
}

const keywords: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
];

function isPlain(member: ts.ClassElement): boolean {
  return ts.isConstructorDeclaration(member) || (ts.isPropertyDeclaration(member) && !member.initializer);
}

describe.each(hostile.map(({ attempt }, index) => [attempt, index] as const))('%s', (_, index) => {
  test('compiles', () => {
    const own = found.filter(({ file }) => file.split('/')[1] === String(index));
    expect(own.map(({ file, line, text }) => `${file}:${line + 1} ${text}`)).toEqual([]);
  });

  test('consists of declarations only', () => {
    const { sources, scripts } = outputs[index] ?? { sources: new Map(), scripts: new Map() };
    expect(sources.size).toBeGreaterThan(0);
    for (const [path, text] of [...sources, ...scripts]) {
      if (path === 'package.json') continue;
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const odd = file.statements.filter((statement) => !isExpected(statement, file));
      expect(odd.map((statement) => `${path}: ${statement.getText(file)}`)).toEqual([]);
      expect(file.referencedFiles).toEqual([]);
    }
  });

  test('is written inside of its folder', () => {
    const { sources, scripts } = outputs[index] ?? { sources: new Map(), scripts: new Map() };
    for (const path of [...sources.keys(), ...scripts.keys()]) {
      expect(path).toMatch(/^(_?[a-z0-9][a-z0-9.-]*\/)*[a-z]+(\.d)?\.(ts|js|json)$/);
    }
    const folded = [...sources.keys()].map((path) => path.toLowerCase());
    expect(folded).toEqual([...new Set(folded)]);
  });
});

/**
 * Loads every module of every output, creates a clientset and informers, and prints changes of global state.
 */
const visitor = `
const before = [Object.keys(globalThis), Reflect.ownKeys(Object.prototype)];
let resources = 0;
for (const url of process.argv.slice(2)) {
  const { Clientset, InformerFactory } = await import(url);
  const clientset = new Clientset({ server: 'https://127.0.0.1:1' });
  const informers = new InformerFactory(clientset);
  for (const member of Object.keys(clientset)) {
    if (member === 'rest') continue;
    for (const [name, accessor] of Object.entries(clientset[member])) {
      if (typeof accessor !== 'function' || typeof informers[member][name] !== 'function') throw new Error(name);
      resources += 1;
    }
  }
  await clientset.close();
}
const after = [Object.keys(globalThis), Reflect.ownKeys(Object.prototype)];
console.log(JSON.stringify({ resources, same: JSON.stringify(before.map(String)) === JSON.stringify(after.map(String)), attacked: globalThis.attacked }));
`;

test('only defines resources when the output runs', () => {
  const folder = project?.folder ?? '';
  project?.write({ 'visitor.mjs': visitor });
  const urls = hostile.map((_, index) => pathToFileURL(join(folder, `js/${index}/index.js`)).href);
  const printed = execFileSync(process.execPath, [join(folder, 'visitor.mjs'), ...urls], {
    encoding: 'utf8',
  });
  const resources = hostile.flatMap(({ crds }) => crds).length;
  expect(JSON.parse(printed)).toEqual({ resources, same: true });
});

test('keeps names of files inside of their comment', async () => {
  const input = Object.fromEntries(
    fileNames.map((name, index) => [
      name,
      JSON.stringify(crd({ kind: `Kind${index}`, group: `g${index}.example.com` })),
    ]),
  );
  project?.write(input, 'input');
  const { files } = await emitted(fileNames.map((name) => join(project?.folder ?? '', 'input', name)));
  expect(files.size).toBeGreaterThan(fileNames.length);
  for (const [path, text] of files) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    expect(file.statements.filter((statement) => !isExpected(statement, file))).toEqual([]);
    expect(text.split('\n', 1)[0]).toMatch(/^\/\/ Generated by kgen [^\p{Cc}\u2028\u2029]*DO NOT EDIT\.$/u);
  }
});

test.each(Object.entries(refused))('rejects %s', async (_, definition) => {
  await expect(emitted([definition])).rejects.toThrow(/error: /);
});
