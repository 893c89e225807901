/** Members of types that were renamed, in reads, patterns, object literals and indexed types. */
import { ts } from 'ts-morph';
import type { MemberRename } from './renames.ts';
import { insert, type Rewriting, replace, visitAll } from './rewriting.ts';

/** Rewrites the members of a file. */
export function rewriteMembers(rewriting: Rewriting): void {
  const names = new Set(rewriting.table.members.map(({ from }) => from));
  visitAll(rewriting.source, (node) => {
    const isName = ts.isIdentifier(node) || ts.isStringLiteral(node);
    if (!isName || !names.has(node.text)) return;
    const type = ownerType(rewriting.checker, node);
    const member = type && rewriting.table.members.find((row) => row.from === node.text && isOf(type, row));
    if (member !== undefined) rewriteMember(rewriting, node, member);
  });
}

/** Returns the type whose member a name is. */
function ownerType(checker: ts.TypeChecker, node: ts.Identifier | ts.StringLiteral): ts.Type | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return checker.getTypeAtLocation(parent.expression);
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
    return checker.getTypeAtLocation(parent.expression);
  if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node)
    return checker.getTypeAtLocation(parent.parent);
  if (ts.isLiteralTypeNode(parent) && ts.isIndexedAccessTypeNode(parent.parent))
    return checker.getTypeFromTypeNode(parent.parent.objectType);
  const isKey =
    (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) && parent.name === node;
  return isKey ? checker.getContextualType(parent.parent) : undefined;
}

/** Returns whether a type, or a part of it, is the one of a member, which has the present name only. */
function isOf(type: ts.Type, row: MemberRename): boolean {
  if (type.isUnionOrIntersection()) return type.types.some((part) => isOf(part, row));
  const named = [type, ...(type.aliasTypeArguments ?? [])];
  const isNamed = named.some((part) =>
    [part.symbol, part.aliasSymbol].some((symbol) => symbol?.name === row.type),
  );
  return isNamed && type.getProperty(row.from) === undefined && type.getProperty(row.to) !== undefined;
}

function rewriteMember(
  rewriting: Rewriting,
  node: ts.Identifier | ts.StringLiteral,
  { type, from, to }: MemberRename,
): void {
  const position = node.getStart();
  const isConverted = from.endsWith('Seconds') && to.endsWith('Ms');
  if (isConverted && !converts(rewriting, node)) {
    rewriting.warnings.push({ position, text: `${type}.${from} is ${to}, in milliseconds` });
    return;
  }
  rewriting.changes.push({
    position,
    text: `${type}.${from} is ${to}${isConverted ? ', in milliseconds' : ''}`,
  });
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent))
    replace(rewriting, node, isConverted ? `${to}: 1000 * ${node.text}` : `${to}: ${node.text}`);
  else if (ts.isBindingElement(parent) && parent.propertyName === undefined)
    insert(rewriting, position, `${to}: `);
  else replace(rewriting, node, ts.isStringLiteral(node) ? node.getText().replace(from, to) : to);
}

/** Converts the value of a member from seconds to milliseconds; returns whether that is possible. */
function converts(rewriting: Rewriting, { parent }: ts.Node): boolean {
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (!ts.isPropertyAssignment(parent)) return false;
  const { initializer } = parent;
  const text = initializer.getText();
  if (ts.isNumericLiteral(initializer))
    replace(rewriting, initializer, String(Number(initializer.text) * 1000));
  else replace(rewriting, initializer, `1000 * ${/^[\w.]+$/.test(text) ? text : `(${text})`}`);
  return true;
}
