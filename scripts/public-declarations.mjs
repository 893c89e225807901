// Reduces the declaration files of a package to the declarations that its entry points refer to.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Removes declarations, imports and files that no entry point of a package refers to, directly or not, and
 * the comments of modules, which editors do not display.
 *
 * @param {string} folder with the package.json
 * @param {readonly string[]} files all declaration files of the package
 */
export function keepPublicDeclarations(folder, files) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ types }) =>
    types ? matching(folder, types, files) : [],
  );
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const sources = new Map(program.getSourceFiles().map((source) => [join(source.fileName), source]));
  const own = new Set(files.map((file) => sources.get(file)));
  const kept = reachable(
    { checker, own },
    entries.map((entry) => sources.get(entry)),
  );
  for (const file of files) {
    const source = sources.get(file);
    const text =
      source === undefined ? '' : reduced(source, { checker, own, kept, isEntry: entries.includes(file) });
    if (text === '') rmSync(file);
    else writeFileSync(file, text);
  }
}

/** Returns the declaration files of an entry point, which may be a pattern with one `*`. */
function matching(folder, types, files) {
  const [start, end] = join(folder, types).split('*');
  if (end === undefined) return [start];
  return files.filter((file) => file.startsWith(start) && file.endsWith(end));
}

/** Returns the statements of a package that declare what entry points export, and what these refer to. */
function reachable({ checker, own }, entries) {
  const found = new Set();
  const pending = [];
  const reach = (symbol) => {
    for (const statement of statementsOf(checker, own, symbol)) {
      if (found.has(statement)) continue;
      found.add(statement);
      pending.push(statement);
    }
  };
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(entry);
    if (module !== undefined) checker.getExportsOfModule(module).forEach(reach);
  }
  const visit = (node) => {
    if (ts.isIdentifier(node)) reach(checker.getSymbolAtLocation(node));
    ts.forEachChild(node, visit);
  };
  for (let statement = pending.pop(); statement !== undefined; statement = pending.pop()) visit(statement);
  return found;
}

/** Returns the statements of the package at the top level of modules that declare a symbol. */
function statementsOf(checker, own, symbol) {
  if (symbol === undefined) return [];
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.declarations ?? []).filter((node) => own.has(node.getSourceFile())).flatMap(topLevel);
}

function topLevel(node) {
  let statement = node;
  while (statement.parent !== undefined && !ts.isSourceFile(statement.parent)) statement = statement.parent;
  return ts.isSourceFile(statement) ? [] : [statement];
}

/** Returns the text of a declaration file with the declarations that are kept; empty if there are none. */
function reduced(source, { checker, own, kept, isEntry }) {
  const declared = source.statements.filter((statement) => kept.has(statement));
  const used = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  declared.forEach(visit);
  const isKept = ({ name, propertyName }) =>
    isEntry ||
    statementsOf(checker, own, checker.getSymbolAtLocation(propertyName ?? name)).some((at) => kept.has(at));
  const texts = source.statements.map((statement) => {
    if (kept.has(statement)) return withComment(source, statement);
    if (ts.isImportDeclaration(statement)) return importText(statement, used);
    if (ts.isExportDeclaration(statement)) return exportText(statement, isKept);
    return '';
  });
  const text = texts.filter((part) => part !== '').join('\n');
  if (text === '' && !isEntry) return '';
  return declared.some(isExported) || /^export /m.test(text)
    ? `${text}\n`
    : `${text}\nexport {};\n`.trimStart();
}

function isExported(statement) {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

/** Returns a statement with its own comment. */
function withComment(source, statement) {
  const comment = ts.getLeadingCommentRanges(source.text, statement.pos)?.at(-1);
  return source.text.slice(comment?.pos ?? statement.getStart(), statement.end);
}

/** Returns an import of the names that are used. */
function importText(statement, used) {
  const { importClause } = statement;
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) {
    const name = bindings?.name ?? importClause?.name;
    return name === undefined || used.has(name.text) ? statement.getText() : '';
  }
  const elements = bindings.elements.filter(({ name }) => used.has(name.text));
  if (elements.length === 0) return '';
  const names = elements.map((element) => element.getText()).join(', ');
  return `import ${importClause.isTypeOnly ? 'type ' : ''}{ ${names} } from ${statement.moduleSpecifier.getText()};`;
}

/** Returns a re-export of the names that are kept. */
function exportText(statement, isKept) {
  const { exportClause, isTypeOnly, moduleSpecifier } = statement;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return statement.getText();
  const elements = exportClause.elements.filter(isKept);
  if (elements.length === 0) return '';
  const names = elements.map((element) => element.getText()).join(', ');
  const from = moduleSpecifier === undefined ? '' : ` from ${moduleSpecifier.getText()}`;
  return `export ${isTypeOnly ? 'type ' : ''}{ ${names} }${from};`;
}
