/** The sources of the packages, parsed. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

/** A source file of a package; tests, fixtures and built files are excluded. */
export interface Source {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly file: ts.SourceFile;
}

/** An import, or a re-export, of one module by another. */
export interface Edge {
  readonly from: string;
  /** A path relative to the repository, or the name of a package or built-in module. */
  readonly to: string;
  /** False if the import is erased at run time. */
  readonly value: boolean;
  /** True for `import()`. */
  readonly lazy: boolean;
}

/** Every source below `src`, sorted by path. */
export const sources: readonly Source[] = filesBelow(join(repository, 'src'), '')
  .filter((path) => /\.tsx?$/.test(path))
  .filter((path) => !/\.(test|fixture|d)\.ts$|\/fixtures\//.test(path))
  .map((path) => ({ path: `src/${path}`, file: parse(`src/${path}`) }));

/** Parses a file of the repository. */
export function parse(path: string): ts.SourceFile {
  const text = readFileSync(join(repository, path), 'utf8');
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Returns every import, re-export and `import()` of a source. */
export function edgesOf({ path, file }: Source): readonly Edge[] {
  const edges: Edge[] = [];
  const add = (specifier: ts.Node, value: boolean, lazy = false): void => {
    if (ts.isStringLiteral(specifier))
      edges.push({ from: path, to: target(path, specifier.text), value, lazy });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly !== true);
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, !node.isTypeOnly);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, false);
    const [argument] = isDynamicImport(node) ? node.arguments : [];
    if (argument !== undefined) add(argument, true, true);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edges;
}

/**
 * Returns the names that a file imports from modules matching `from`; `*` and `default` for namespace and
 * default imports.
 */
export function importedNames(file: ts.SourceFile, from: RegExp): readonly string[] {
  const clauses = file.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .filter(({ moduleSpecifier }) => ts.isStringLiteral(moduleSpecifier) && from.test(moduleSpecifier.text))
    .flatMap(({ importClause }) => importClause ?? []);
  return clauses.flatMap(({ name, namedBindings }) => {
    const whole = name === undefined ? [] : ['*'];
    if (namedBindings === undefined || ts.isNamespaceImport(namedBindings)) return ['*'];
    return [
      ...whole,
      ...namedBindings.elements.map((element) => (element.propertyName ?? element.name).text),
    ];
  });
}

function isDynamicImport(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** Entry points through which the packages import each other's modules. */
const internal = /^@kgen\/(?:(certificates|schema)|(testserver)\/internal)\/(.+)$/;

function target(from: string, specifier: string): string {
  const [, schema, testserver, path] = internal.exec(specifier) ?? [];
  if (path !== undefined) return `src/${schema ?? testserver}/${path}.ts`;
  if (!specifier.startsWith('.')) return specifier;
  return relative(repository, resolve(repository, dirname(from), specifier))
    .split(sep)
    .join('/');
}
