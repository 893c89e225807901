import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { sources } from './sources.ts';

/** A function and its number of lines, first to last. */
interface Measure {
  readonly name: string;
  readonly lines: number;
}

/** Budgets of CONTRIBUTING.md, in lines and in entries of a folder. */
const budgets = {
  file: 400,
  medianFile: 150,
  function: 50,
  medianFunction: 12,
  folder: 15,
  packageFolder: 20,
};
/** Three lines for each of its fields, as in generated functions. */
const perField = 'src/runtime/protobuf/meta/object-meta.ts: readObjectMeta';

function lineCount(node: ts.Node, file: ts.SourceFile): number {
  const start = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
  return file.getLineAndCharacterOfPosition(node.getEnd()).line - start + 1;
}

/** Returns named functions, methods, accessors, constructors, and arrow functions with a name. */
function functionsOf(path: string, file: ts.SourceFile): readonly Measure[] {
  const found: Measure[] = [];
  const visit = (node: ts.Node): void => {
    const name = functionName(node);
    if (name !== undefined) found.push({ name: `${path}: ${name}`, lines: lineCount(node, file) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function functionName(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return node.body === undefined ? undefined : 'constructor';
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
    return node.body === undefined ? undefined : (node.name?.getText() ?? 'function');
  }
  const isArrow = ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer);
  return isArrow ? node.name.getText() : undefined;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Generated data, one entry per line. */
const isData = (path: string): boolean => path === 'src/kgen/protobuf/fields.ts';

const files = sources
  .filter(({ path }) => !isData(path))
  .map(({ path, file }) => ({ name: path, lines: file.text.split('\n').length - 1 }));
const functions = sources.flatMap(({ path, file }) => functionsOf(path, file));

/**
 * Returns the number of entries of each folder with sources. Manifests, licences and tests are not counted.
 */
function entriesOf(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 2; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      const entries = found.get(folder) ?? new Set();
      found.set(folder, entries.add(parts[depth] ?? ''));
    }
  }
  return found;
}

test('limits the entries of folders', () => {
  const folders = [...entriesOf(sources.map(({ path }) => path))];
  const limitOf = (folder: string): number =>
    folder.split('/').length === 2 ? budgets.packageFolder : budgets.folder;
  const above = folders.filter(([folder, entries]) => entries.size > limitOf(folder));
  expect(folders.length).toBeGreaterThan(50);
  expect(above.map(([folder, entries]) => `${folder}: ${entries.size}`)).toEqual([]);
});

describe.each(['src/kgen/', 'src/runtime/', 'src/controller/', 'src/testing/'])('%s', (folder) => {
  const inFolder = ({ name }: Measure): boolean => name.startsWith(folder);

  test('limits the length of files', () => {
    const own = files.filter(inFolder);
    expect(median(own.map(({ lines }) => lines))).toBeLessThanOrEqual(budgets.medianFile);
    expect(own.filter(({ lines }) => lines > budgets.file)).toEqual([]);
  });

  test('limits the length of functions', () => {
    const own = functions.filter(inFolder);
    expect(own.length).toBeGreaterThan(20);
    expect(median(own.map(({ lines }) => lines))).toBeLessThanOrEqual(budgets.medianFunction);
    expect(own.filter(({ name, lines }) => lines > budgets.function && name !== perField)).toEqual([]);
  });
});
