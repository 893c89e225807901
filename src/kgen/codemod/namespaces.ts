/** Names read from all exports of a module: namespace imports, `require`, `import()` and its type. */
import { ts } from 'ts-morph';
import type { Destination } from './renames.ts';
import {
  bindingName,
  insert,
  noteChange,
  quotedAs,
  type Rewriting,
  referencesOf,
  removeElements,
  replace,
  replaceModule,
  requiredModule,
  visitAll,
} from './rewriting.ts';

/** A name that is read from the exports of a module. */
interface Use {
  /** Identifier of the export. */
  readonly name: ts.Identifier;
  /** Present place; `undefined` if it has not changed. */
  readonly target: Destination | undefined;
}

/** A local name for all exports of a module. */
interface Binding {
  readonly local: ts.Identifier;
  readonly literal: ts.StringLiteralLike;
  /** Statement or declaration that is repeated for another module. */
  readonly declaration: ts.ImportDeclaration | ts.ImportEqualsDeclaration | ts.VariableDeclaration;
}

/** Rewrites the names of a file that are read from all exports of a module. */
export function rewriteNamespaces(rewriting: Rewriting): void {
  visitAll(rewriting.source, (node) => {
    const binding = bindingOf(node);
    if (binding !== undefined && rewriting.table.hasEntry(binding.literal.text))
      rewriteBinding(rewriting, binding);
    if (ts.isVariableDeclaration(node))
      rewriteDestructured(rewriting, node, requiredModule(node.initializer));
    if (ts.isPropertyAccessExpression(node)) rewriteAccess(rewriting, node);
    if (ts.isImportTypeNode(node)) rewriteType(rewriting, node);
    if (ts.isCallExpression(node)) rewriteThen(rewriting, node);
    if (ts.isExportDeclaration(node)) warnOfStar(rewriting, node);
  });
}

function bindingOf(node: ts.Node): Binding | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const named = node.importClause?.namedBindings;
    if (named === undefined || !ts.isNamespaceImport(named)) return undefined;
    return { local: named.name, literal: node.moduleSpecifier, declaration: node };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    const { expression } = node.moduleReference;
    return ts.isStringLiteral(expression)
      ? { local: node.name, literal: expression, declaration: node }
      : undefined;
  }
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return undefined;
  const literal = requiredModule(node.initializer);
  return literal && { local: node.name, literal, declaration: node };
}

/** Rewrites the uses of a local name: each name that has moved is read from a second local name. */
function rewriteBinding(rewriting: Rewriting, { local, literal, declaration }: Binding): void {
  const entry = literal.text;
  const references = referencesOf(rewriting, local);
  const uses = references.flatMap((reference) => usesOf(rewriting, reference, entry));
  for (const { name, target } of uses) {
    if (target === undefined) continue;
    noteChange(rewriting, name, { entry, name: name.text }, target);
    if (!ts.isBindingElement(name.parent)) replace(rewriting, name, target.name);
  }
  const goal = commonEntry(uses, entry, uses.length === references.length);
  if (goal !== undefined) {
    for (const reference of references) renameDestructured(rewriting, reference, entry);
    replaceModule(rewriting, literal, goal);
    return;
  }
  const locals = new Map<string, string>();
  const localOf = (target: string): string => {
    const found = locals.get(target) ?? bindingName(rewriting, local.text, target);
    locals.set(target, found);
    return found;
  };
  for (const reference of references) {
    const { parent } = reference;
    if (ts.isVariableDeclaration(parent)) rewriteDestructured(rewriting, parent, literal, localOf);
    const [use] = usesOf(rewriting, reference, entry);
    const target = use?.target;
    const isRead = ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent);
    if (isRead && target !== undefined && target.entry !== entry)
      replace(rewriting, reference, localOf(target.entry));
  }
  repeat(rewriting, { local, literal, declaration }, locals);
}

/** Returns the names that a reference to all exports reads: `all.Name`, or `const { Name } = all`. */
function usesOf({ table }: Rewriting, reference: ts.Identifier, entry: string): readonly Use[] {
  const { parent } = reference;
  const use = (name: ts.Identifier): Use => ({ name, target: table.destinationOf(entry, name.text) });
  if (ts.isPropertyAccessExpression(parent) && parent.expression === reference)
    return ts.isIdentifier(parent.name) ? [use(parent.name)] : [];
  if (ts.isQualifiedName(parent) && parent.left === reference) return [use(parent.right)];
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== reference) return [];
  return destructured(parent.name).flatMap(({ key }) => (key === undefined ? [] : [use(key)]));
}

/** Returns the one other entry point that exports all names. */
function commonEntry(uses: readonly Use[], entry: string, isComplete: boolean): string | undefined {
  const goal = uses[0]?.target?.entry;
  if (!isComplete || goal === undefined || goal === entry) return undefined;
  return uses.every(({ target }) => target?.entry === goal) ? goal : undefined;
}

/** Declares the second local names behind the first one, in the same form. */
function repeat(
  rewriting: Rewriting,
  { local, literal, declaration }: Binding,
  locals: ReadonlyMap<string, string>,
): void {
  for (const [entry, name] of locals) {
    const again = (node: ts.Node): string =>
      withTexts(rewriting, node, [
        [local, name],
        [literal, quotedAs(rewriting, literal, entry)],
      ]);
    addBehind(rewriting, declaration, again);
  }
}

/** Adds a changed copy of a statement, or of a declaration among several, behind it. */
function addBehind(rewriting: Rewriting, node: ts.Node, copy: (node: ts.Node) => string): void {
  const list = node.parent;
  if (ts.isVariableDeclarationList(list) && list.declarations.length > 1) {
    insert(rewriting, node.end, `, ${copy(node)}`);
    return;
  }
  const statement = ts.isVariableDeclaration(node) ? list.parent : node;
  const { text } = rewriting.source;
  const indentation =
    /(?<![ \t])[ \t]*$/.exec(text.slice(0, statement.getStart(rewriting.source)))?.[0] ?? '';
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  insert(rewriting, statement.end, newline + indentation + copy(statement));
}

function withTexts(
  { source }: Rewriting,
  node: ts.Node,
  texts: readonly (readonly [ts.Node, string])[],
): string {
  const start = node.getStart(source);
  const inside = texts.filter(([part]) => part.pos >= node.pos && part.end <= node.end);
  const ordered = [...inside].sort(([a], [b]) => b.pos - a.pos);
  return ordered.reduce(
    (text, [part, by]) => text.slice(0, part.getStart(source) - start) + by + text.slice(part.end - start),
    node.getText(source),
  );
}

/** Returns the elements of a pattern with the names that they read. */
function destructured(
  pattern: ts.BindingName,
): readonly { readonly element: ts.BindingElement; readonly key: ts.Identifier | undefined }[] {
  if (!ts.isObjectBindingPattern(pattern)) return [];
  return pattern.elements.map((element) => {
    const key = element.propertyName ?? element.name;
    return { element, key: element.dotDotDotToken === undefined && ts.isIdentifier(key) ? key : undefined };
  });
}

function renameDestructured(rewriting: Rewriting, reference: ts.Identifier, entry: string): void {
  const { parent } = reference;
  if (!ts.isVariableDeclaration(parent)) return;
  for (const { element, key } of destructured(parent.name)) {
    const target = key && rewriting.table.destinationOf(entry, key.text);
    if (target !== undefined) renameElement(rewriting, element, target);
  }
}

/** Reads a name by its present name; the local name remains. */
function renameElement(rewriting: Rewriting, element: ts.BindingElement, target: Destination): void {
  const { propertyName, name } = element;
  if (propertyName !== undefined) replace(rewriting, propertyName, target.name);
  else if (name.getText(rewriting.source) !== target.name)
    insert(rewriting, name.getStart(rewriting.source), `${target.name}: `);
}

/** Rewrites `const { Name } = require('…')`, and the same for `await import('…')` and a local name. */
function rewriteDestructured(
  rewriting: Rewriting,
  declaration: ts.VariableDeclaration,
  literal: ts.StringLiteralLike | undefined,
  localOf?: (entry: string) => string,
): void {
  const { name: pattern, initializer } = declaration;
  if (literal === undefined || initializer === undefined || !ts.isObjectBindingPattern(pattern)) return;
  const entry = literal.text;
  const parts = destructured(pattern).map(({ element, key }) => {
    const target = key && rewriting.table.destinationOf(entry, key.text);
    if (localOf === undefined && key !== undefined && target !== undefined)
      noteChange(rewriting, key, { entry, name: key.text }, target);
    return { element, target };
  });
  const sourceFor = (other: string): readonly [ts.Node, string] =>
    localOf === undefined ? [literal, quotedAs(rewriting, literal, other)] : [initializer, localOf(other)];
  const entries = new Set(parts.map(({ target }) => target?.entry ?? entry));
  const [first = entry] = entries;
  const isWhole = entries.size === 1;
  for (const { element, target } of parts)
    if (target !== undefined && (isWhole || target.entry === entry))
      renameElement(rewriting, element, target);
  if (isWhole) {
    const [node, text] = sourceFor(first);
    if (first !== entry) replace(rewriting, node, text);
    return;
  }
  const copies = [...entries]
    .filter((other) => other !== entry)
    .map((other) => {
      const moved = parts.filter(({ target }) => target?.entry === other);
      const list = moved.map(({ element, target }) => elementText(rewriting, element, target)).join(', ');
      return [[pattern, `{ ${list} }`], sourceFor(other)] as const;
    });
  if (entries.has(entry))
    removeElements(rewriting, pattern.elements, (index) => (parts[index]?.target?.entry ?? entry) !== entry);
  // A declaration that all names leave becomes that of the first entry point.
  else for (const [node, text] of copies.shift() ?? []) replace(rewriting, node, text);
  for (const texts of copies) addBehind(rewriting, declaration, (node) => withTexts(rewriting, node, texts));
}

function elementText(
  { source }: Rewriting,
  { propertyName, name, initializer }: ts.BindingElement,
  target: Destination | undefined,
): string {
  const key = target?.name ?? (propertyName ?? name).getText(source);
  const local = name.getText(source);
  const value = initializer === undefined ? '' : ` = ${initializer.getText(source)}`;
  return (key === local ? local : `${key}: ${local}`) + value;
}

/** Rewrites `require('…').Name` and `(await import('…')).Name`. */
function rewriteAccess(rewriting: Rewriting, { expression, name }: ts.PropertyAccessExpression): void {
  const literal = requiredModule(expression);
  const isPromise =
    ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.ImportKeyword;
  if (literal === undefined || isPromise || !ts.isIdentifier(name)) return;
  const target = rewriting.table.destinationOf(literal.text, name.text);
  if (target === undefined) return;
  noteChange(rewriting, name, { entry: literal.text, name: name.text }, target);
  replaceModule(rewriting, literal, target.entry);
  replace(rewriting, name, target.name);
}

/** Rewrites the type `import('…').Name`. */
function rewriteType(rewriting: Rewriting, { argument, qualifier }: ts.ImportTypeNode): void {
  const literal = ts.isLiteralTypeNode(argument) ? argument.literal : undefined;
  if (literal === undefined || !ts.isStringLiteral(literal) || qualifier === undefined) return;
  let name: ts.EntityName = qualifier;
  while (ts.isQualifiedName(name)) name = name.left;
  const target = rewriting.table.destinationOf(literal.text, name.text);
  if (target === undefined) return;
  noteChange(rewriting, name, { entry: literal.text, name: name.text }, target);
  replaceModule(rewriting, literal, target.entry);
  replace(rewriting, name, target.name);
}

/** Rewrites `import('…').then(({ Name }) => …)` if all names belong to one entry point. */
function rewriteThen(
  rewriting: Rewriting,
  { expression: callee, arguments: [callback] }: ts.CallExpression,
): void {
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'then' || callback === undefined) return;
  const literal = requiredModule(callee.expression);
  if (literal === undefined || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))) return;
  const parameter = callback.parameters[0]?.name;
  if (parameter === undefined || !rewriting.table.hasEntry(literal.text)) return;
  const entry = literal.text;
  const references = ts.isIdentifier(parameter) ? referencesOf(rewriting, parameter) : [];
  const uses = ts.isIdentifier(parameter)
    ? references.flatMap((reference) => usesOf(rewriting, reference, entry))
    : destructured(parameter).flatMap(({ key }) =>
        key === undefined ? [] : [{ name: key, target: rewriting.table.destinationOf(entry, key.text) }],
      );
  const goal = commonEntry(uses, entry, !ts.isIdentifier(parameter) || uses.length === references.length);
  for (const { name, target } of uses) {
    if (target === undefined) continue;
    if (target.entry !== (goal ?? entry)) {
      rewriting.warnings.push({
        position: name.getStart(),
        text: `${name.text} of ${entry} is in ${target.entry}`,
      });
      continue;
    }
    noteChange(rewriting, name, { entry, name: name.text }, target);
    if (ts.isBindingElement(name.parent)) renameElement(rewriting, name.parent, target);
    else replace(rewriting, name, target.name);
  }
  if (goal !== undefined) replaceModule(rewriting, literal, goal);
}

/** Names of `export * from '…'` that have moved are not known. */
function warnOfStar({ table, warnings }: Rewriting, node: ts.ExportDeclaration): void {
  const { exportClause, moduleSpecifier } = node;
  const isStar = exportClause === undefined || ts.isNamespaceExport(exportClause);
  if (!isStar || moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return;
  const entry = moduleSpecifier.text;
  if (table.hasEntry(entry))
    warnings.push({ position: node.getStart(), text: `names of ${entry} have moved, which export * omits` });
}
