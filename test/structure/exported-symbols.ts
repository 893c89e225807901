/** Symbols of the exports of the packages, and their doc comments. */
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../support/emitted.ts';
import { entryPoints } from './entry-points.ts';

const program = programOver(entryPoints.map((door) => join(repository, door)));
const checker = program.getTypeChecker();

/** Creates a program with the configuration of the packages. */
function programOver(rootNames: readonly string[]): ts.Program {
  const config = ts.readConfigFile(join(repository, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, repository, {
    composite: false,
    incremental: false,
  });
  return ts.createProgram({ rootNames, options });
}

/** Returns the exports of an entry point, with aliases resolved. */
export function exportsOf(door: string): readonly ts.Symbol[] {
  return moduleExports(door).map(target);
}

/** Returns the export with this name of any entry point, resolved if it is an alias. */
export function exportNamed(name: string): ts.Symbol | undefined {
  const symbol = entryPoints.flatMap(moduleExports).find((candidate) => candidate.name === name);
  return symbol && target(symbol);
}

function moduleExports(door: string): readonly ts.Symbol[] {
  const file = program.getSourceFile(join(repository, door));
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${door} exports nothing`);
  return checker.getExportsOfModule(module);
}

function target(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns whether an export has a doc comment. */
export function isDocumented(symbol: ts.Symbol): boolean {
  return symbol.getDocumentationComment(checker).length > 0;
}

/**
 * Returns the methods that an exported interface declares itself and that have a signature without a doc
 * comment.
 */
export function silentMethods(symbol: ts.Symbol): readonly string[] {
  const declarations = (symbol.declarations ?? []).filter((declaration) =>
    ts.isInterfaceDeclaration(declaration),
  );
  return declarations
    .flatMap(({ members }) => [...members])
    .filter((member) => ts.isMethodSignature(member) && ts.getJSDocCommentsAndTags(member).length === 0)
    .map((member) => `${symbol.name}.${member.name?.getText() ?? '()'}`);
}

/** Returns the name of a function once for each of its signatures that callers see without a doc comment. */
export function silentOverloads(symbol: ts.Symbol): readonly string[] {
  const functions = (symbol.declarations ?? []).filter((declaration) =>
    ts.isFunctionDeclaration(declaration),
  );
  return functions
    .filter(({ body }) => body === undefined || functions.length === 1)
    .filter((declaration) => ts.getJSDocCommentsAndTags(declaration).length === 0)
    .map(() => symbol.name);
}

/** Returns whether the doc comment of an export, or of one of its methods, contains an example. */
export function hasExample(symbol: ts.Symbol, method?: string): boolean {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const documented = method === undefined ? symbol : type.getProperty(method);
  return documented?.getJsDocTags(checker).some(({ name }) => name === 'example') ?? false;
}

/** Returns the number of examples of an export: its own, and those of the methods that it declares itself. */
export function exampleCount(symbol: ts.Symbol): number {
  const members = [...(symbol.members?.values() ?? [])];
  return [symbol, ...members].filter((each) =>
    each.getJsDocTags(checker).some(({ name }) => name === 'example'),
  ).length;
}
