// Finds the places of a source file where one token can be changed. Types, imports and messages are excluded:
// no test should depend on them.
import ts from 'typescript';

/**
 * @typedef {object} Candidate
 * @property {'expression' | 'statement'} kind
 * @property {string} operator rule of the change
 * @property {number} start of the expression or statement that is replaced
 * @property {number} end
 * @property {number} at the changed token
 * @property {string} mutated replacement of [start, end); '' removes a statement
 * @property {readonly [number, number, string]} token [start, end, replacement], for the report
 */

const swaps = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['+=', '-='],
  ['-=', '+='],
  ['&', '|'],
  ['|', '&'],
  ['<<', '>>'],
  ['>>', '<<'],
  ['>>>', '<<'],
]);

const messageCall = /(?:error|warn|warning|problem|remark|refuse|fail|message|say|note)\w*$/i;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Candidate[]} in the order of their tokens
 */
export function candidatesOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, inMessage) => {
    if (isLeftAlone(node)) return;
    for (const one of candidatesAt(node, file, inMessage)) found.push(one);
    const below = inMessage || isMessage(node);
    ts.forEachChild(node, (child) => visit(child, below));
  };
  visit(file, false);
  return found.sort((a, b) => a.at - b.at || a.operator.localeCompare(b.operator));
}

function isLeftAlone(node) {
  const isDeclared =
    ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
  return (
    isDeclared ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node))
  );
}

/** Returns true if strings below the node are for people: thrown values, arguments of errors and warnings. */
function isMessage(node) {
  if (ts.isThrowStatement(node)) return true;
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return messageCall.test(node.expression.getText());
}

function candidatesAt(node, file, inMessage) {
  const source = (part) => part.getText(file);
  const whole = { kind: 'expression', start: node.getStart(file), end: node.end };
  const token = (operator, part, replacement, mutated) => {
    const start = part.getStart(file);
    return { ...whole, operator, at: start, mutated, token: [start, part.end, replacement] };
  };
  if (ts.isBinaryExpression(node)) return binary(node, source, token, inMessage);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return unary(node, source, token, file);
  if (ts.isNumericLiteral(node)) return number(node, source, token);
  if (ts.isStringLiteralLike(node)) return string(node, token, inMessage);
  if (node.kind === ts.SyntaxKind.TrueKeyword && isValue(node))
    return [token('boolean', node, 'false', 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword && isValue(node))
    return [token('boolean', node, 'true', 'true')];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node)) {
    return [token('list', node, '[]', '[]')];
  }
  return [...condition(node, file), ...statement(node, file)];
}

function binary(node, source, token, inMessage) {
  const sign = source(node.operatorToken);
  const swapped = swaps.get(sign);
  if (swapped === undefined) return [];
  if (sign === '+' && (inMessage || hasString(node))) return [];
  const [left, right] = [source(node.left), source(node.right)];
  const mutated =
    sign.length > 1 && sign.endsWith('=') && !/^[=!<>]/.test(sign)
      ? `${left} ${swapped} (${right})`
      : `(${left}) ${swapped} (${right})`;
  return [token('operator', node.operatorToken, swapped, mutated)];
}

/** Returns true if an operand is a string: concatenation is not arithmetic. */
function hasString(node) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  return ts.isBinaryExpression(node) && (hasString(node.left) || hasString(node.right));
}

function unary(node, source, token, file) {
  const operand = source(node.operand);
  const start = node.getStart(file);
  const sign = (operator, from, length, replacement, mutated) => ({
    ...token(operator, node, replacement, mutated),
    at: from,
    token: [from, from + length, replacement],
  });
  if (node.operator === ts.SyntaxKind.ExclamationToken)
    return [sign('negation', start, 1, '', `(${operand})`)];
  if (node.operator === ts.SyntaxKind.MinusToken) return [sign('sign', start, 1, '', `(${operand})`)];
  const isUp = node.operator === ts.SyntaxKind.PlusPlusToken;
  if (!isUp && node.operator !== ts.SyntaxKind.MinusMinusToken) return [];
  const [from, to] = isUp ? ['++', '--'] : ['--', '++'];
  const isPrefix = ts.isPrefixUnaryExpression(node);
  const at = isPrefix ? start : node.end - from.length;
  return [sign('update', at, 2, to, isPrefix ? `${to}${operand}` : `${operand}${to}`)];
}

function number(node, source, token) {
  if (!isValue(node)) return [];
  const text = source(node);
  const value = Number(text.replaceAll('_', ''));
  const next = value >= Number.MAX_SAFE_INTEGER ? value - 1 : value + 1;
  return [token('number', node, String(next), String(next))];
}

function string(node, token, inMessage) {
  if (inMessage || /\s/.test(node.text.trim()) || !isValue(node)) return [];
  const other = node.text === '' ? "'mutated'" : "''";
  return [token('string', node, other, other)];
}

/** Returns false for names of members, directives, and parts of a type or tag. */
function isValue(node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) {
    return parent.name !== node;
  }
  return !(
    ts.isExpressionStatement(parent) ||
    ts.isEnumMember(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    ts.isAccessor(parent) ||
    (ts.isBindingElement(parent) && parent.propertyName === node)
  );
}

/** Returns true for patterns, such as `[a, b]` on the left of an assignment. */
function isTarget(node) {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  }
  return (ts.isForOfStatement(parent) && parent.initializer === node) || ts.isArrayLiteralExpression(parent);
}

/** Replaces a condition by true or false. */
function condition(node, file) {
  const test =
    ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : undefined;
  if (test === undefined || test.kind === ts.SyntaxKind.TrueKeyword) return [];
  const [start, end] = [test.getStart(file), test.end];
  const values = ts.isWhileStatement(node) ? ['false'] : ['true', 'false'];
  return values.map((value) => ({
    kind: 'expression',
    operator: `condition-${value}`,
    start,
    end,
    at: start,
    mutated: value,
    token: [start, end, value],
  }));
}

/** Removes a call for its effect, or an early exit. */
function statement(node, file) {
  const isCall = ts.isExpressionStatement(node) && ts.isCallExpression(unwrapped(node.expression));
  if (isCall && unwrapped(node.expression).expression.kind === ts.SyntaxKind.SuperKeyword) return [];
  if (!isCall && !isEarlyExit(node)) return [];
  const [start, end] = [node.getStart(file), node.end];
  const operator = isCall ? 'call' : 'exit';
  return [{ kind: 'statement', operator, start, end, at: start, mutated: '', token: [start, end, ';'] }];
}

const unwrapped = (node) =>
  ts.isAwaitExpression(node) || ts.isVoidExpression(node) ? unwrapped(node.expression) : node;

function isEarlyExit(node) {
  if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) return !ts.isCaseClause(node.parent);
  if (!ts.isReturnStatement(node)) return false;
  if (ts.isIfStatement(node.parent)) return true;
  return ts.isBlock(node.parent) && ts.isIfStatement(node.parent.parent);
}
