/**
 * Checks of constants after the check of types: durations, timestamps, patterns, and mixed lists and maps.
 */
import { matchesPattern } from '../../formats/pattern.ts';
import { parseDuration, parseTimestamp } from '../library/times.ts';
import { childrenOf, type Expr } from '../syntax/ast.ts';
import { CompileError, type Issue } from '../syntax/issues.ts';
import type { Checked } from './checker.ts';
import { formatIssues } from './format-literals.ts';
import { dyn, isSameType, printType, type Type, unwrapOptional } from './types.ts';

/** @throws {CompileError} with all violations */
export function validateLiterals(checked: Checked): void {
  const issues = issuesOf(checked.expr, false, checked);
  if (issues.length > 0) throw new CompileError(checked.source, issues);
}

/** @param isFormatted whether the node is part of the arguments of `format`, which may have several types */
function issuesOf(expr: Expr, isFormatted: boolean, checked: Checked): readonly Issue[] {
  const inner = isFormatted || (expr.kind === 'call' && expr.name === 'format');
  return [
    ...(expr.kind === 'call' ? [...callIssues(expr), ...formatIssues(expr, checked)] : []),
    ...(isFormatted ? [] : mixedIssues(expr, checked)),
    ...childrenOf(expr).flatMap((child) => issuesOf(child, inner, checked)),
  ];
}

const validators: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => !(matchesPattern(text, '') instanceof Error),
};

function callIssues(expr: Extract<Expr, { readonly kind: 'call' }>): readonly Issue[] {
  const validator = Object.hasOwn(validators, expr.name) ? validators[expr.name] : undefined;
  const [arg] = expr.args;
  if (validator === undefined || arg?.kind !== 'literal' || typeof arg.value !== 'string') return [];
  return validator(arg.value) ? [] : [{ at: arg.at, message: `invalid ${expr.name} argument` }];
}

function mixedIssues(expr: Expr, checked: Checked): readonly Issue[] {
  const typeOf = (node: Expr, isOptional: boolean): Type => {
    const type = checked.types.get(node) ?? dyn;
    return isOptional ? unwrapOptional(type) : type;
  };
  if (expr.kind === 'list') {
    const found = mixed(expr.elements.map((node, index) => [node, typeOf(node, expr.optionals.has(index))]));
    return found.slice(0, 1);
  }
  if (expr.kind !== 'map') return [];
  return [
    ...mixed(expr.entries.map(({ key }) => [key, typeOf(key, false)])),
    ...mixed(expr.entries.map(({ value, isOptional }) => [value, typeOf(value, isOptional)])),
  ];
}

function mixed(nodes: readonly (readonly [Expr, Type])[]): readonly Issue[] {
  const [first, ...rest] = nodes;
  if (first === undefined) return [];
  const [, expected] = first;
  return rest
    .filter(([, type]) => !isSameType(type, expected))
    .map(([node, type]) => ({
      at: node.at,
      message: `expected type '${printType(expected)}' but found '${printType(type)}'`,
    }));
}
