/** Named imports and re-exports: renamed in place, or moved to a statement of another entry point. */
import { ts } from 'ts-morph';
import type { Destination } from './renames.ts';
import {
  insert,
  noteChange,
  quotedAs,
  type Rewriting,
  referencesOf,
  removeElements,
  replace,
  replaceModule,
} from './rewriting.ts';

type Specifier = ts.ImportSpecifier | ts.ExportSpecifier;

/** A statement with names of a module. */
interface NamedStatement {
  readonly node: ts.ImportDeclaration | ts.ExportDeclaration;
  readonly literal: ts.StringLiteral;
  readonly elements: readonly Specifier[];
  readonly isTypeOnly: boolean;
}

/** A name that leaves its statement. */
interface Moved {
  readonly text: string;
  readonly isTypeOnly: boolean;
  readonly entry: string;
  readonly from: NamedStatement;
}

/** Rewrites the named imports and re-exports of a file. */
export function rewriteNamed(rewriting: Rewriting): void {
  const { source, table } = rewriting;
  const statements = source.statements.flatMap(namedStatement);
  const changed = statements.filter(({ literal }) => table.hasEntry(literal.text));
  const moved = changed.flatMap((statement) => rewriteStatement(rewriting, statement, statements));
  // Statements that names have left may be removed: names are added to others only.
  const from = new Set(moved.map((name) => name.from));
  addMoved(
    rewriting,
    moved,
    statements.filter((statement) => !from.has(statement)),
  );
}

function namedStatement(node: ts.Statement): readonly NamedStatement[] {
  if (ts.isImportDeclaration(node)) {
    const { importClause, moduleSpecifier: literal } = node;
    const named = importClause?.namedBindings;
    if (named === undefined || !ts.isNamedImports(named) || !ts.isStringLiteral(literal)) return [];
    return [{ node, literal, elements: named.elements, isTypeOnly: importClause?.isTypeOnly ?? false }];
  }
  if (!ts.isExportDeclaration(node)) return [];
  const { exportClause, moduleSpecifier: literal, isTypeOnly } = node;
  if (literal === undefined || exportClause === undefined) return [];
  if (!ts.isNamedExports(exportClause) || !ts.isStringLiteral(literal)) return [];
  return [{ node, literal, elements: exportClause.elements, isTypeOnly }];
}

/** Renames names in place, and returns those that belong to other statements. */
function rewriteStatement(
  rewriting: Rewriting,
  statement: NamedStatement,
  all: readonly NamedStatement[],
): readonly Moved[] {
  const { literal, elements } = statement;
  const entry = literal.text;
  const targets = elements.map((element) => {
    const name = importedName(element);
    const target = rewriting.table.destinationOf(entry, name);
    if (target !== undefined) noteChange(rewriting, element, { entry, name }, target);
    return target;
  });
  const texts = elements.map((element, index) => specifierText(rewriting, element, targets[index]));
  const goal = commonEntry(statement, targets, all);
  const moved: Moved[] = [];
  for (const [index, element] of elements.entries()) {
    const [target, text] = [targets[index], texts[index]];
    if (target === undefined || text === undefined) continue;
    if (target.entry === (goal ?? entry)) replace(rewriting, element, `${typePrefix(element)}${text}`);
    else moved.push({ text, entry: target.entry, from: statement, isTypeOnly: isType(statement, element) });
  }
  if (goal !== undefined && goal !== entry) replaceModule(rewriting, literal, goal);
  if (moved.length > 0 && moved.length < elements.length)
    removeElements(rewriting, elements, (index) => (targets[index]?.entry ?? entry) !== entry);
  return moved;
}

/** Returns the entry point to which a whole statement moves, unless another statement imports from it. */
function commonEntry(
  { node, elements }: NamedStatement,
  targets: readonly (Destination | undefined)[],
  all: readonly NamedStatement[],
): string | undefined {
  const [first] = targets;
  if (first === undefined || elements.length === 0) return undefined;
  if (ts.isImportDeclaration(node) && node.importClause?.name !== undefined) return undefined;
  if (targets.some((target) => target?.entry !== first.entry)) return undefined;
  const isTaken = all.some(
    ({ node: other, literal }) => other.kind === node.kind && literal.text === first.entry,
  );
  return isTaken ? undefined : first.entry;
}

const importedName = ({ propertyName, name }: Specifier): string => (propertyName ?? name).text;
const typePrefix = ({ isTypeOnly }: Specifier): string => (isTypeOnly ? 'type ' : '');
const isType = (statement: NamedStatement, element: Specifier): boolean =>
  statement.isTypeOnly || element.isTypeOnly;

/**
 * Returns a specifier of the present name, without `type`. References to an imported name are renamed too,
 * unless the file uses the present name for something else.
 */
function specifierText(
  rewriting: Rewriting,
  element: Specifier,
  target: Destination | undefined,
): string | undefined {
  if (target === undefined) return undefined;
  const { name: present } = target;
  const { name, propertyName } = element;
  if (name.text === present) return present;
  const isRenamed =
    ts.isImportSpecifier(element) && propertyName === undefined && !rewriting.names.has(present);
  if (!isRenamed || !ts.isIdentifier(name)) return `${present} as ${name.text}`;
  rewriting.names.add(present);
  for (const reference of referencesOf(rewriting, name)) renameReference(rewriting, reference, present);
  return present;
}

function renameReference(rewriting: Rewriting, node: ts.Identifier, present: string): void {
  const { parent, text } = node;
  if (ts.isShorthandPropertyAssignment(parent)) insert(rewriting, node.end, `: ${present}`);
  else if (ts.isExportSpecifier(parent) && parent.propertyName === undefined)
    replace(rewriting, node, `${present} as ${text}`);
  else replace(rewriting, node, present);
}

/** Adds names to statements of their entry points, or adds such statements. */
function addMoved(rewriting: Rewriting, moved: readonly Moved[], others: readonly NamedStatement[]): void {
  const groups = new Map<string, Moved[]>();
  for (const name of moved) {
    const { node } = name.from;
    const target = ts.isImportDeclaration(node) ? others.find((other) => accepts(other, name)) : undefined;
    if (target !== undefined) appendTo(rewriting, target, name);
    // A re-export stays in the statement's place, imports of one entry point are combined.
    const place = ts.isImportDeclaration(node) ? 'import' : node.pos;
    const key = [place, name.entry, name.isTypeOnly].join(' ');
    if (target === undefined) groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  for (const statement of new Set(moved.map(({ from }) => from))) {
    const own = [...groups.values()].filter(([first]) => first?.from === statement);
    const isEmpty = statement.elements.length === moved.filter(({ from }) => from === statement).length;
    place(
      rewriting,
      statement,
      own.map((names) => statementText(rewriting, names)),
      isEmpty,
    );
  }
}

function accepts({ node, literal, elements, isTypeOnly }: NamedStatement, name: Moved): boolean {
  if (!ts.isImportDeclaration(node) || literal.text !== name.entry || elements.length === 0) return false;
  return !isTypeOnly || name.isTypeOnly;
}

function appendTo(rewriting: Rewriting, { elements, isTypeOnly }: NamedStatement, name: Moved): void {
  const last = elements.at(-1);
  if (last === undefined) return;
  const space = /^\s*/.exec(last.getFullText(rewriting.source))?.[0] ?? ' ';
  const prefix = name.isTypeOnly && !isTypeOnly ? 'type ' : '';
  insert(rewriting, last.end, `,${space.includes('\n') ? space : ' '}${prefix}${name.text}`);
}

const maximumColumns = 100;

function statementText(rewriting: Rewriting, names: readonly Moved[]): string {
  const [first] = names;
  if (first === undefined) return '';
  const { from, entry, isTypeOnly } = first;
  const keyword = ts.isImportDeclaration(from.node) ? 'import' : 'export';
  const texts = names.map(({ text }) => text);
  const end = from.node.getText(rewriting.source).endsWith(';') ? ';' : '';
  const print = (list: string): string =>
    `${keyword} ${isTypeOnly ? 'type ' : ''}{${list}} from ${quotedAs(rewriting, from.literal, entry)}${end}`;
  const line = print(` ${texts.join(', ')} `);
  return line.length <= maximumColumns ? line : print(`\n${texts.map((text) => `  ${text},\n`).join('')}`);
}

/** Puts statements behind a statement, or in its place if no name remains in it. */
function place(
  rewriting: Rewriting,
  { node, elements }: NamedStatement,
  texts: readonly string[],
  isEmpty: boolean,
): void {
  const { source, edits } = rewriting;
  const newline = source.text.includes('\r\n') ? '\r\n' : '\n';
  const added = texts.map((text) => text.replaceAll('\n', newline)).join(newline);
  const ownDefault = ts.isImportDeclaration(node) ? node.importClause?.name : undefined;
  if (!isEmpty || ownDefault !== undefined) {
    if (added !== '') insert(rewriting, node.end, newline + added);
    const list = elements[0]?.parent;
    if (isEmpty && ownDefault !== undefined && list !== undefined)
      edits.push({ start: ownDefault.end, end: list.end, text: '' });
    return;
  }
  const rest = added === '' ? (/^[ \t]*\r?\n/.exec(source.text.slice(node.end))?.[0].length ?? 0) : 0;
  edits.push({ start: node.getStart(source), end: node.end + rest, text: added });
}
