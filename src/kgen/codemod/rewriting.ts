/** State of the rewriting of one file: its edits, which keep all other text. */
import { ts } from 'ts-morph';
import type { Destination, RenameTable } from './renames.ts';

/** A replacement of a part of a file. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A message about a place of a file. */
export interface Remark {
  readonly position: number;
  readonly text: string;
}

/** A file that is being rewritten. */
export interface Rewriting {
  readonly source: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly table: RenameTable;
  /** All identifiers of the file, and those that were added. */
  readonly names: Set<string>;
  readonly edits: Edit[];
  readonly changes: Remark[];
  /** Places that must be changed by hand. */
  readonly warnings: Remark[];
}

/** Creates the state of a file. */
export function startRewriting(
  source: ts.SourceFile,
  checker: ts.TypeChecker,
  table: RenameTable,
): Rewriting {
  const names = new Set<string>();
  visitAll(source, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return { source, checker, table, names, edits: [], changes: [], warnings: [] };
}

/** Calls a function for each node below a node. */
export function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child);
    visitAll(child, visit);
  });
}

/** Returns the text of a file with its edits. */
export function editedText(text: string, edits: readonly Edit[]): string {
  const indexed = edits.map((edit, index) => ({ ...edit, index }));
  // Insertions at one place keep their order.
  indexed.sort((a, b) => b.start - a.start || b.end - a.end || b.index - a.index);
  return indexed.reduce(
    (result, { start, end, text: by }) => result.slice(0, start) + by + result.slice(end),
    text,
  );
}

/** Replaces the text of a node. */
export function replace({ edits, source }: Rewriting, node: ts.Node, text: string): void {
  if (node.getText(source) !== text) edits.push({ start: node.getStart(source), end: node.end, text });
}

/** Inserts a string. */
export function insert({ edits }: Rewriting, position: number, text: string): void {
  edits.push({ start: position, end: position, text });
}

/** Replaces the module that a string literal names, with the quotes of the literal. */
export function replaceModule(rewriting: Rewriting, literal: ts.StringLiteralLike, entry: string): void {
  replace(rewriting, literal, quotedAs(rewriting, literal, entry));
}

/** Returns a string literal with the quotes of another one. */
export function quotedAs({ source }: Rewriting, literal: ts.StringLiteralLike, text: string): string {
  const quote = literal.getText(source).charAt(0);
  return `${quote}${text}${quote}`;
}

/** Records a change of a name. */
export function noteChange({ changes }: Rewriting, node: ts.Node, from: Destination, to: Destination): void {
  const place = from.entry === to.entry ? '' : ` of ${to.entry}`;
  changes.push({ position: node.getStart(), text: `${from.name} of ${from.entry} is ${to.name}${place}` });
}

/** Returns a name that the file does not contain, and reserves it. */
export function freshName({ names }: Rewriting, requested: string): string {
  let name = requested;
  for (let count = 2; names.has(name); count += 1) name = `${requested}${count}`;
  names.add(name);
  return name;
}

/** Returns a name for the exports of an entry point beside the name of another one. */
export function bindingName(rewriting: Rewriting, beside: string, entry: string): string {
  const last = entry.split('/').at(-1) ?? '';
  return freshName(rewriting, beside + last.charAt(0).toUpperCase() + last.slice(1));
}

/** Removes elements of a list in braces, with the comments before them. At least one element remains. */
export function removeElements(
  { edits }: Rewriting,
  elements: readonly ts.Node[],
  isRemoved: (index: number) => boolean,
): void {
  const lastKept = elements.findLastIndex((_, index) => !isRemoved(index));
  for (const [index, element] of elements.entries()) {
    const next = elements[index + 1];
    if (!isRemoved(index) || index > lastKept || next === undefined) continue;
    edits.push({ start: element.getFullStart(), end: next.getFullStart(), text: '' });
  }
  const [kept, last] = [elements[lastKept], elements.at(-1)];
  if (kept !== undefined && last !== undefined && kept !== last)
    edits.push({ start: kept.end, end: last.end, text: '' });
}

/** Returns the string literal of `require('…')` or `import('…')`, also behind `await` and parentheses. */
export function requiredModule(node: ts.Expression | undefined): ts.StringLiteralLike | undefined {
  if (node === undefined) return undefined;
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node))
    return requiredModule(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: list } = node;
  const isRequire = ts.isIdentifier(expression) && expression.text === 'require';
  const [literal] = list;
  const isLoading = isRequire || expression.kind === ts.SyntaxKind.ImportKeyword;
  return isLoading && literal !== undefined && ts.isStringLiteralLike(literal) ? literal : undefined;
}

/** Returns the identifiers that refer to a local name, except its declaration. */
export function referencesOf(
  { source, checker }: Rewriting,
  declared: ts.Identifier,
): readonly ts.Identifier[] {
  const symbol = checker.getSymbolAtLocation(declared);
  const found: ts.Identifier[] = [];
  visitAll(source, (node) => {
    if (!ts.isIdentifier(node) || node === declared || node.text !== declared.text) return;
    if (symbol !== undefined && referredSymbol(checker, node) === symbol) found.push(node);
  });
  return found;
}

function referredSymbol(checker: ts.TypeChecker, node: ts.Identifier): ts.Symbol | undefined {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  if (!ts.isExportSpecifier(parent)) return checker.getSymbolAtLocation(node);
  const isLocal =
    parent.parent.parent.moduleSpecifier === undefined && (parent.propertyName ?? parent.name) === node;
  return isLocal ? checker.getExportSpecifierLocalTargetSymbol(parent) : undefined;
}
