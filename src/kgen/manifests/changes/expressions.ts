/** Rules of CEL that compare a value with the one that it replaces. */
import { isDeepStrictEqual } from 'node:util';
import { childrenOf, copyOf, type Expr } from '@kgen/schema/cel/syntax/ast';
import { CompileError } from '@kgen/schema/cel/syntax/issues';
import { parseExpression } from '@kgen/schema/cel/syntax/parser';

/** Returns whether a rule refers to the replaced value. */
export function usesOldSelf(rule: string): boolean {
  const expr = parsed(rule);
  return expr !== undefined && mentions(expr, 'oldSelf');
}

/**
 * Returns whether a rule is known to hold for a value that replaces an equal one. Comparisons of equal
 * operands are recognized, and their combinations.
 */
export function holdsUnchanged(rule: string): boolean {
  const expr = parsed(rule);
  if (expr === undefined) return false;
  const self: Expr = { kind: 'ident', at: 0, name: 'self' };
  return holds(copyOf(expr, (each) => (each.kind === 'ident' && each.name === 'oldSelf' ? self : undefined)));
}

function parsed(rule: string): Expr | undefined {
  try {
    return parseExpression(rule);
  } catch (error) {
    if (error instanceof CompileError) return undefined;
    throw error;
  }
}

function mentions(expr: Expr, name: string): boolean {
  return (
    (expr.kind === 'ident' && expr.name === name) || childrenOf(expr).some((each) => mentions(each, name))
  );
}

const reflexive: ReadonlySet<string> = new Set(['_==_', '_<=_', '_>=_']);

function holds(expr: Expr): boolean {
  if (expr.kind !== 'call') return expr.kind === 'literal' && expr.value === true;
  const [first, second, third] = expr.args;
  if (first === undefined || second === undefined) return false;
  switch (expr.name) {
    case '_&&_':
      return holds(first) && holds(second);
    case '_||_':
      return holds(first) || holds(second) || isNegation(first, second) || isNegation(second, first);
    case '_?_:_':
      return third !== undefined && holds(second) && holds(third);
    default:
      return reflexive.has(expr.name) && isSame(first, second);
  }
}

function isNegation(a: Expr, b: Expr): boolean {
  const [operand] = a.kind === 'call' && a.name === '!_' ? a.args : [];
  return operand !== undefined && isSame(operand, b);
}

/** Returns whether two expressions are equal, wherever they stand. Maps and constructed objects never are. */
function isSame(a: Expr, b: Expr): boolean {
  if (a.kind === 'map' || a.kind === 'struct') return false;
  const [left, right] = [childrenOf(a), childrenOf(b)];
  return (
    isDeepStrictEqual(ownParts(a), ownParts(b)) &&
    left.length === right.length &&
    left.every((each, index) => right[index] !== undefined && isSame(each, right[index]))
  );
}

/** Returns the parts of an expression that are no operands. */
function ownParts(expr: Expr): readonly unknown[] {
  if (expr.kind === 'literal') return [expr.kind, expr.value];
  const names = Object.values(expr).filter((part) => ['string', 'boolean'].includes(typeof part));
  return [...names, expr.kind === 'list' ? expr.optionals : undefined];
}
