/** Rules of the API server for the expressions of webhooks and admission policies. */
import { type FieldError, invalidValue } from '@kgen/runtime/objects';
import { isSameType, printType, type Type } from '@kgen/schema/cel/check/types';
import { compile } from '@kgen/schema/cel/compile';
import type { Environment } from '@kgen/schema/cel/environment';
import { admissionEnvironment, type ExpressionScope } from '@kgen/schema/cel/library/kubernetes/admission';
import { CompileError } from '@kgen/schema/cel/syntax/issues';

/** An expression that was compiled: its type, or the errors that a write of it has. */
export interface CheckedExpression {
  readonly type: Type | undefined;
  readonly errors: readonly FieldError[];
}

/** Compiles an expression, whose value must have one of these types. Default: any type. */
export function checkExpression(
  source: string,
  path: string,
  scope: ExpressionScope,
  types: readonly Type[] = [],
): CheckedExpression {
  const found = checkIn(admissionEnvironment(scope), source, path);
  const { type } = found;
  if (type === undefined || types.length === 0 || types.some((each) => isSameType(each, type))) return found;
  const names = types.map((each) => (each.kind === 'null' ? 'null_type' : printType(each))).join(' ');
  const expected = types.length === 1 ? names : `one of [${names}]`;
  const detail = `must evaluate to ${expected} but got ${printType(type)}`;
  return { type, errors: [invalidValue(path, source, detail)] };
}

/** Compiles an expression of an environment. */
export function checkIn(environment: Environment, source: string, path: string): CheckedExpression {
  try {
    const { checked } = compile(source, environment);
    return { type: checked.types.get(checked.expr), errors: [] };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { type: undefined, errors: [invalidValue(path, source, error.message)] };
  }
}
