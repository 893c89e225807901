/** Declarations of the published @kgen/runtime: all that its entry points refer to, and nothing else. */
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { type InstalledPackages, installPacked, manifestOf } from '../support/packed-packages.ts';

const runtime = join(repository, 'src/runtime');
/** Declaration files of the entry points, relative to the package. */
const entries = Object.values(manifestOf(runtime).exports ?? {}).flatMap((entry) =>
  entry instanceof Object && 'types' in entry ? [String(entry.types)] : [],
);

let project: InstalledPackages;
beforeAll(() => {
  project = installPacked(['src/runtime'], ['undici', 'undici-types', '@types/node']);
});
afterAll(() => project.dispose());

/** Returns a program of the declaration files of a copy of the package. */
function programOf(folder: string): ts.Program {
  const files = entries.map((entry) => join(folder, entry));
  return ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  });
}

/** Returns the documentation of a symbol, as editors display it. */
function commentOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => name + ts.displayPartsToString(text));
  return [ts.displayPartsToString(symbol.getDocumentationComment(checker)), ...tags].join('\n');
}

/** Returns the exported names of each entry point, with their declarations, members and documentation. */
function exportsOf(folder: string): readonly (readonly string[])[] {
  const program = programOf(folder);
  const checker = program.getTypeChecker();
  return entries.map((entry) => {
    const source = program.getSourceFile(join(folder, entry));
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) return [];
    return checker.getExportsOfModule(module).map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const type = checker.getDeclaredTypeOfSymbol(target);
      const members = type.getProperties().flatMap(({ name }) => (name.startsWith('__') ? [] : [name]));
      const described = [target, ...type.getProperties()].filter(({ declarations = [] }) =>
        declarations.some((node) => node.getSourceFile().fileName.includes('runtime/dist')),
      );
      const comments = described.map((part) => commentOf(part, checker));
      return `${symbol.name}: ${target.declarations?.map(({ kind }) => ts.SyntaxKind[kind])} ${members} ${comments}`;
    });
  });
}

test('compile without skipLibCheck', () => {
  const found = ts.getPreEmitDiagnostics(programOf(join(project.folder, 'node_modules/@kgen/runtime')));
  expect(found.map(({ file, messageText }) => `${file?.fileName}: ${messageText}`)).toEqual([]);
});

test('declare all names and members of the built package, with their documentation', () => {
  const built = exportsOf(runtime);
  expect(exportsOf(join(project.folder, 'node_modules/@kgen/runtime'))).toEqual(built);
  expect(built.flat().length).toBeGreaterThan(300);
});

test('contain no declaration that nothing refers to', () => {
  const files = programOf(join(project.folder, 'node_modules/@kgen/runtime')).getSourceFiles();
  const texts = files.filter(({ fileName }) => fileName.includes('@kgen/runtime')).map(({ text }) => text);
  expect(texts.filter((text) => /\b(ReflectorState|ElectionEffect)\b/.test(text))).toEqual([]);
});
