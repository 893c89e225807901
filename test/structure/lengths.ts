/** Lengths of files and functions, and entries of folders. */
import ts from 'typescript';
import { type Source, sources } from './sources.ts';

/** A file or function and its number of lines, first to last. */
export interface Measure {
  /** The path of a file, or `path: name` of a function. */
  readonly name: string;
  readonly lines: number;
}

/** Generated data, one entry per line. */
const data = [
  'src/kgen/codemod/client-node/tables/facts.ts',
  'src/schema/kubernetes/fields.ts',
  'src/testserver/resources/builtin/resources.ts',
  'src/testing/samples/built-in/limits.ts',
  'src/testing/samples/built-in/rules.ts',
];
const isData = (path: string): boolean => data.includes(path);

/** All sources but generated data. */
export const files: readonly Measure[] = sources
  .filter(({ path }) => !isData(path))
  .map(({ path, file }) => ({ name: path, lines: file.text.split('\n').length - 1 }));

/** Named functions, methods, accessors, constructors, and arrow functions with a name, of all sources. */
export const functions: readonly Measure[] = sources.flatMap(functionsOf);

function functionsOf({ path, file }: Source): readonly Measure[] {
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

function lineCount(node: ts.Node, file: ts.SourceFile): number {
  const start = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
  return file.getLineAndCharacterOfPosition(node.getEnd()).line - start + 1;
}

/** Returns the entries of each folder with sources. Manifests, licences and tests are not counted. */
export function entriesOf(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
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

/** Returns the value below which this share of the numbers is: 0.5 for the median. 0 without numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}
