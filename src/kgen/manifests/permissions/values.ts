/** Values of expressions that a program does not compute. */
import { ts } from 'ts-morph';

/** Returns the expression that a constant stands for. */
export function origin(checker: ts.TypeChecker, node: ts.Expression, depth = 0): ts.Expression {
  const inner = bare(node);
  if (depth > 20) return inner;
  if (ts.isPropertyAccessExpression(inner)) {
    const found = memberOf(checker, inner.expression, inner.name.text, depth + 1);
    if (found !== undefined) return origin(checker, found, depth + 1);
  }
  if (!ts.isIdentifier(inner) && !ts.isPropertyAccessExpression(inner)) return inner;
  const initializer = initializerOf(symbolAt(checker, inner)?.valueDeclaration);
  return initializer === undefined ? inner : origin(checker, initializer, depth + 1);
}

/** Returns an expression without parentheses, `await` and assertions. */
export function bare(node: ts.Expression): ts.Expression {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAwaitExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isNonNullExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

/** Returns the symbol of a name, which is not that of an import. */
export function symbolAt(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const symbol =
    ts.isIdentifier(node) && ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  return checker.getAliasedSymbol(symbol);
}

function initializerOf(declaration: ts.Declaration | undefined): ts.Expression | undefined {
  if (declaration === undefined) return undefined;
  if (
    ts.isVariableDeclaration(declaration) &&
    (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
  )
    return declaration.initializer;
  const isProperty = ts.isPropertyDeclaration(declaration) || ts.isPropertyAssignment(declaration);
  return isProperty ? declaration.initializer : undefined;
}

/** Returns the member of a literal, which may stand in a constant or in a spread. */
export function memberOf(
  checker: ts.TypeChecker,
  node: ts.Expression | undefined,
  name: string,
  depth = 0,
): ts.Expression | undefined {
  if (node === undefined || depth > 20) return undefined;
  const object = origin(checker, node, depth + 1);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  for (const property of object.properties.toReversed()) {
    if (ts.isSpreadAssignment(property)) {
      const found = spreadMembers(property.expression)
        .map((each) => memberOf(checker, each, name, depth + 1))
        .find((each) => each !== undefined);
      if (found !== undefined) return found;
    } else if (property.name !== undefined && nameText(property.name) === name) {
      if (ts.isShorthandPropertyAssignment(property)) return property.name;
      return ts.isPropertyAssignment(property) ? property.initializer : undefined;
    }
  }
  return undefined;
}

/** Returns the values of `...(isSet && { value })` and `...(isSet ? a : b)`. */
function spreadMembers(node: ts.Expression): readonly ts.Expression[] {
  const inner = bare(node);
  if (ts.isBinaryExpression(inner)) return [inner.right];
  return ts.isConditionalExpression(inner) ? [inner.whenTrue, inner.whenFalse] : [inner];
}

function nameText(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
}

/** Returns whether a literal has a member, also a method. */
export function hasMember(checker: ts.TypeChecker, node: ts.Expression | undefined, name: string): boolean {
  if (node === undefined) return false;
  if (memberOf(checker, node, name) !== undefined) return true;
  const object = origin(checker, node);
  return (
    ts.isObjectLiteralExpression(object) &&
    object.properties.some((each) => ts.isMethodDeclaration(each) && nameText(each.name) === name)
  );
}

/** Returns the strings that an expression can be; `undefined` if they are known at run time only. */
export function stringsOf(
  checker: ts.TypeChecker,
  node: ts.Expression | undefined,
): readonly string[] | undefined {
  if (node === undefined) return undefined;
  const { expression, name } = shorthandValue(checker, node);
  const type = name === undefined ? checker.getTypeAtLocation(expression) : checker.getTypeOfSymbol(name);
  const literal = literalsOf(type);
  if (literal !== undefined) return literal;
  const value = origin(checker, node);
  if (ts.isStringLiteralLike(value)) return [value.text];
  if (!ts.isArrayLiteralExpression(value)) return undefined;
  const items = value.elements.map((each) => stringsOf(checker, each));
  return items.every((each) => each !== undefined) ? items.flat() : undefined;
}

function shorthandValue(
  checker: ts.TypeChecker,
  node: ts.Expression,
): { readonly expression: ts.Expression; readonly name?: ts.Symbol } {
  const symbol = ts.isShorthandPropertyAssignment(node.parent) ? symbolAt(checker, node) : undefined;
  return symbol === undefined ? { expression: node } : { expression: node, name: symbol };
}

function literalsOf(type: ts.Type): readonly string[] | undefined {
  const members = type.isUnion() ? type.types : [type];
  const values = members
    .filter((each) => (each.flags & ts.TypeFlags.Undefined) === 0)
    .map((each) => (each.isStringLiteral() ? each.value : undefined));
  return values.length > 0 && values.every((each) => each !== undefined) ? values : undefined;
}

/** Returns the one string that an expression is. */
export function stringOf(checker: ts.TypeChecker, node: ts.Expression | undefined): string | undefined {
  const found = stringsOf(checker, node);
  return found?.length === 1 ? found[0] : undefined;
}
