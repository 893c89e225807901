/** Configurations of one request, which set the content type of a patch: an option in kgen. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import type { Conversion } from '../state/conversion.ts';
import { bare, classOf, exportOf } from '../state/library.ts';
import { apiCallOf } from './calls.ts';
import { patchType } from './parameters.ts';

/** Leaves out the configurations that calls of `patch…` pass, with the statements that only they need. */
export function planMiddleware(conversion: Conversion): void {
  visitAll(conversion.source, (node) => {
    if (!ts.isCallExpression(node) || apiCallOf(conversion, node)?.method.verb !== 'patch') return;
    const options = node.arguments[1];
    if (options === undefined || !ts.isIdentifier(options)) return;
    const declaration = conversion.symbolOf(options)?.valueDeclaration;
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return;
    const made = declaration.initializer && bare(declaration.initializer);
    const isMade =
      made !== undefined &&
      ts.isCallExpression(made) &&
      exportOf(conversion, made.expression) === 'createConfiguration';
    if (!isMade || patchType(conversion, options) === undefined) return;
    for (const statement of neededOnly(conversion, declaration, options)) conversion.dropped.add(statement);
  });
}

/** Returns the statements of the variables on which one depends, if nothing else uses them. */
function neededOnly(
  conversion: Conversion,
  declaration: ts.VariableDeclaration,
  use: ts.Identifier,
): ReadonlySet<ts.Node> {
  const variables = dependencies(conversion, declaration);
  const statements = new Set<ts.Node>();
  for (const each of variables.values()) statements.add(each.parent.parent);
  const block = declaration.parent.parent.parent;
  visitAll(block, (node) => {
    if (ts.isIfStatement(node) && isCheckOf(conversion, node, variables)) statements.add(node);
  });
  const isGone = (node: ts.Node) =>
    node === use || ts.findAncestor(node, (each) => statements.has(each)) !== undefined;
  for (let size = -1; size !== statements.size; ) {
    size = statements.size;
    visitAll(block, (node) => {
      const symbol = ts.isIdentifier(node) ? conversion.symbolOf(node) : undefined;
      const variable = symbol && variables.get(symbol);
      if (variable !== undefined && !isGone(node)) statements.delete(variable.parent.parent);
    });
  }
  return statements;
}

type Variables = ReadonlyMap<ts.Symbol, ts.VariableDeclaration>;

function dependencies(conversion: Conversion, start: ts.VariableDeclaration): Variables {
  const found = new Map<ts.Symbol, ts.VariableDeclaration>();
  const add = (declaration: ts.VariableDeclaration): void => {
    const symbol = conversion.symbolOf(declaration.name);
    const isOther = declaration.parent.parent.parent !== start.parent.parent.parent;
    if (symbol === undefined || found.has(symbol) || isOther) return;
    found.set(symbol, declaration);
    visitAll(declaration, (node) => {
      if (!ts.isIdentifier(node) || classOf(conversion, node) === 'KubeConfig') return;
      const next = conversion.symbolOf(node)?.valueDeclaration;
      if (next !== undefined && ts.isVariableDeclaration(next)) add(next);
    });
  };
  add(start);
  return found;
}

/** Returns whether a statement only throws an error about the variables. */
function isCheckOf(conversion: Conversion, node: ts.IfStatement, variables: Variables): boolean {
  const { expression, thenStatement, elseStatement } = node;
  const [only, ...more] = ts.isBlock(thenStatement) ? thenStatement.statements : [thenStatement];
  if (elseStatement !== undefined || more.length > 0 || only === undefined || !ts.isThrowStatement(only))
    return false;
  let [isOwn, isOther] = [false, false];
  const visit = (each: ts.Node): void => {
    const symbol = ts.isIdentifier(each) && each.text !== 'undefined' ? conversion.symbolOf(each) : undefined;
    if (symbol !== undefined && variables.has(symbol)) isOwn = true;
    else if (symbol?.valueDeclaration !== undefined && ts.isVariableDeclaration(symbol.valueDeclaration))
      isOther = true;
    ts.forEachChild(each, visit);
  };
  visit(expression);
  return isOwn && !isOther;
}
