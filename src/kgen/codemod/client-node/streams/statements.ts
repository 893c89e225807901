/** Statements around a call whose conversion needs several statements. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import { isAwaitable } from '../configs/loading.ts';
import { type Conversion, hasLongTemplate } from '../state/conversion.ts';

/** A call that is a whole statement, perhaps with a variable for its result. */
export interface StatementCall {
  readonly call: ts.CallExpression;
  /** Beginning of the statement before the result, such as `const request = `; empty without one. */
  readonly target: string;
  /** Expression of the result after the statement. */
  readonly result: string | undefined;
  /** Function that receives the result, of `.then(…)`. */
  readonly callback: ts.ArrowFunction | ts.FunctionExpression | undefined;
  /** Whether `await` may be used. */
  readonly isAwaitable: boolean;
}

/** Returns the call of a statement; `undefined` for other statements. */
export function statementCall(conversion: Conversion, node: ts.Node): StatementCall | undefined {
  const awaitable = isAwaitable(node);
  if (ts.isVariableStatement(node)) {
    const [only, ...more] = node.declarationList.declarations;
    const call = callOf(only?.initializer);
    if (only === undefined || more.length > 0 || call === undefined) return undefined;
    const keyword = node.declarationList.getFirstToken()?.getText() ?? 'const';
    const name = only.name.getText();
    return {
      call,
      target: `${keyword} ${name} = `,
      result: name,
      callback: undefined,
      isAwaitable: awaitable,
    };
  }
  if (!ts.isExpressionStatement(node)) return undefined;
  const { expression } = node;
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const call = callOf(expression.right);
    const left = conversion.render(expression.left);
    return call && { call, target: `${left} = `, result: left, callback: undefined, isAwaitable: awaitable };
  }
  const call = callOf(expression);
  if (call === undefined) return undefined;
  return (
    withCallback(call, awaitable) ?? {
      call,
      target: '',
      result: undefined,
      callback: undefined,
      isAwaitable: awaitable,
    }
  );
}

function callOf(node: ts.Expression | undefined): ts.CallExpression | undefined {
  if (node === undefined) return undefined;
  if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node) || ts.isVoidExpression(node))
    return callOf(node.expression);
  return ts.isCallExpression(node) ? node : undefined;
}

/** Splits `call.then((result) => { … })`. */
function withCallback(node: ts.CallExpression, awaitable: boolean): StatementCall | undefined {
  const { expression: callee, arguments: list } = node;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'then' || list.length !== 1)
    return undefined;
  const [callback] = list;
  if (callback === undefined || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)))
    return undefined;
  const call = callOf(callee.expression);
  const [parameter] = callback.parameters;
  const name = parameter?.name.getText();
  if (call === undefined || !isInlinable(callback)) return undefined;
  return {
    call,
    target: name === undefined ? '' : `const ${name} = `,
    result: name,
    callback,
    isAwaitable: awaitable,
  };
}

/** Returns whether the statements of a function can stand in place of a call of it. */
export function isInlinable(node: ts.ArrowFunction | ts.FunctionExpression): node is InlinableFunction {
  const isSimple = ts.isBlock(node.body) && returnsOf(node.body).length === 0;
  const isNamed = node.parameters.every(({ name }) => ts.isIdentifier(name));
  const hasThis = ts.isFunctionExpression(node) && /\bthis\b/.test(node.body.getText());
  return isSimple && isNamed && !hasThis && !hasLongTemplate(node.body);
}

/**
 * Returns whether the statements or the expression of a function can be the body of a loop: its `return` is
 * `continue`.
 */
export function isLoopBody(conversion: Conversion, node: ts.ArrowFunction | ts.FunctionExpression): boolean {
  const returns = returnsOf(node.body);
  const isNested = (each: ts.Node) =>
    ts.isIterationStatement(each, false) || ts.isSwitchStatement(each) || ts.isExpression(each);
  const areSimple = returns.every((each) => {
    const outer = ts.findAncestor(each.parent, (one) => one === node.body || isNested(one));
    return each.expression === undefined && outer === node.body;
  });
  const isFree = areSimple && !hasLongTemplate(node.body);
  if (!isFree || !node.parameters.every(({ name }) => ts.isIdentifier(name))) return false;
  if (ts.isFunctionExpression(node) && /\bthis\b/.test(node.body.getText())) return false;
  for (const each of returns) conversion.continued.add(each);
  return true;
}

/** Returns the `return` statements of a function, without those of functions in it. */
function returnsOf(body: ts.Node): readonly ts.ReturnStatement[] {
  const found: ts.ReturnStatement[] = [];
  const visit = (each: ts.Node): void => {
    if (ts.isReturnStatement(each)) found.push(each);
    if (!ts.isFunctionLike(each)) ts.forEachChild(each, visit);
  };
  visit(body);
  return found;
}

/** A function with statements and without `return`. */
export type InlinableFunction = (ts.ArrowFunction | ts.FunctionExpression) & { readonly body: ts.Block };

/**
 * Returns the text between the braces of a function, or its expression as a statement, as it is written
 * `depth` levels below a node.
 */
export function bodyLines(
  conversion: Conversion,
  node: ts.ArrowFunction | ts.FunctionExpression,
  place: ts.Node,
  depth: number,
): string {
  if (!ts.isBlock(node.body))
    return `${conversion.indentOf(place)}${conversion.unit.repeat(depth)}${conversion.moved(node.body, place)};`;
  const text = conversion.render(node.body).slice(1, -1);
  const inner = node.body.statements[0];
  const from = inner === undefined ? '' : conversion.indentOf(inner);
  const to = conversion.indentOf(place) + conversion.unit.repeat(depth);
  const lines = text
    .replace(/^[ \t]*(\n|(?=\S))/, '')
    .trimEnd()
    .split('\n');
  return lines
    .map((line) =>
      line.startsWith(from) ? to + line.slice(from.length) : line.trim() === '' ? '' : to + line.trimStart(),
    )
    .join('\n');
}

/** Converts a parameter whose type is left out. */
export function convertParameter(conversion: Conversion, node: ts.Node): string | undefined {
  return ts.isParameter(node) && conversion.untyped.has(node) ? conversion.render(node.name) : undefined;
}

/** Leaves out the type of the first parameter of a function. */
export function withoutType(conversion: Conversion, node: ts.Expression): void {
  const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  const [first] = isFunction ? node.parameters : [];
  if (first?.type !== undefined) conversion.untyped.add(first);
}

/** Returns the statements of the callback of `.then(…)`, which follow. */
export function callbackLines(
  conversion: Conversion,
  { callback }: StatementCall,
  place: ts.Node,
): readonly string[] {
  if (callback === undefined || !isInlinable(callback)) return [];
  return [bodyLines(conversion, callback, place, 0).trimStart()];
}

/** Returns whether all uses of a variable are at places that are left out. */
export function isUnused(
  conversion: Conversion,
  name: ts.Node,
  isLeftOut: (reference: ts.Identifier) => boolean,
): boolean {
  const symbol = conversion.symbolOf(name);
  let isFree = symbol !== undefined;
  visitAll(conversion.source, (node) => {
    if (!ts.isIdentifier(node) || node === name || conversion.symbolOf(node) !== symbol) return;
    if (!isLeftOut(node)) isFree = false;
  });
  return isFree;
}

/** Leaves out clients of API groups that only statements without a counterpart use. */
export function planUnused(conversion: Conversion): void {
  const isGone = (node: ts.Node) =>
    ts.findAncestor(node, (each) => conversion.dropped.has(each)) !== undefined;
  visitAll(conversion.source, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined)
      return;
    if (!/\.makeApiClient\(/.test(node.initializer.getText())) return;
    let uses = 0;
    const isUnneeded = isUnused(conversion, node.name, (each) => {
      uses += 1;
      return isGone(each);
    });
    if (isUnneeded && uses > 0) dropStatement(conversion, node);
  });
}

function dropStatement(conversion: Conversion, { parent }: ts.VariableDeclaration): void {
  const statement = parent.parent;
  if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length > 1) return;
  if ((statement.modifiers?.length ?? 0) === 0) conversion.dropped.add(statement);
}

/** Leaves out the statement of a variable that is used only at places that are left out. */
export function dropVariable(
  conversion: Conversion,
  node: ts.Expression | undefined,
  isLeftOut: (reference: ts.Identifier) => boolean,
): void {
  if (node === undefined || !ts.isIdentifier(node)) return;
  const declaration = conversion.symbolOf(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return;
  if (isUnused(conversion, declaration.name, isLeftOut)) dropStatement(conversion, declaration);
}
