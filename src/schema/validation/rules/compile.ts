/** Compiled rules of schemas. */

import { bool, optionalOf, string, type Type } from '../../cel/check/types.ts';
import { type Compiled, compile } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost/estimate.ts';
import type { Program } from '../../cel/eval/interpreter.ts';
import { baseFunctions } from '../../cel/library/base.ts';
import { CompileError } from '../../cel/syntax/issues.ts';
import type { FieldReason } from '../../errors/field-error.ts';
import type { Rule, Schema } from '../structural.ts';
import { cardinalityOf, type Declaration, sizesOf, structsOf } from './declarations.ts';
import { normalizePath } from './field-path.ts';

/** A compiled expression of a rule, or the reason why it cannot be compiled. */
export interface RuleProgram {
  readonly program: Program | undefined;
  readonly problem: string | undefined;
  /** Largest cost of one evaluation. */
  readonly cost: number;
}

/** A rule with its programs. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly usesOldSelf: boolean;
  readonly expression: RuleProgram;
  readonly message: RuleProgram | undefined;
  readonly reason: FieldReason;
  /** Path below the node, such as `.replicas`. */
  readonly fieldPath: string;
}

const reasons: ReadonlyMap<string, FieldReason> = new Map(
  (['FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'] as const).map((name) => [name, name]),
);

/** Compiles the rules of one node. Empty rules are omitted. */
export function compileRules(schema: Schema, declaration: Declaration): readonly CompiledRule[] {
  const structs = structsOf(declaration);
  return schema.rules.map((rule) => {
    const oldType = rule.optionalOldSelf ? optionalOf(declaration.type) : declaration.type;
    const variables = new Map([
      ['self', declaration.type],
      ['oldSelf', oldType],
    ]);
    const run = (source: string, type: Type, name: string): CompiledPart =>
      part(source, type, name, variables, structs, declaration);
    const expression = run(rule.rule, bool, '');
    const message =
      rule.messageExpression === '' ? undefined : run(rule.messageExpression, string, 'messageExpression ');
    return {
      rule,
      usesOldSelf: [...(expression.compiled?.checked.references.values() ?? [])].includes('oldSelf'),
      expression: expression.result,
      message: expression.result.problem === undefined ? message?.result : undefined,
      reason: reasons.get(rule.reason) ?? 'FieldValueInvalid',
      fieldPath: normalizePath(rule.fieldPath, schema) ?? '',
    };
  });
}

interface CompiledPart {
  readonly compiled: Compiled | undefined;
  readonly result: RuleProgram;
}

/** @param name name of the expression in messages, with a space behind it */
function part(
  source: string,
  expected: Type,
  name: string,
  variables: ReadonlyMap<string, Type>,
  structs: ReturnType<typeof structsOf>,
  declaration: Declaration,
): CompiledPart {
  if (source.trim() === '')
    return { compiled: undefined, result: { program: undefined, problem: undefined, cost: 0 } };
  try {
    const compiled = compile(source, { functions: baseFunctions, variables, structs });
    const type = compiled.checked.types.get(compiled.checked.expr);
    const label = name === '' ? 'cel expression ' : name;
    if (type?.kind !== expected.kind) return failed(`${label}must evaluate to a ${expected.name}`);
    const cost = estimateCost(compiled.checked, sizesOf(declaration)).max;
    return { compiled, result: { program: compiled.program, problem: undefined, cost } };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return failed(`${name}${error.message}`);
  }
}

function failed(problem: string): CompiledPart {
  return { compiled: undefined, result: { program: undefined, problem, cost: 0 } };
}

/**
 * Returns the estimated cost of a rule for a whole object. @param count number of its nodes; `undefined` if
 * it is not limited
 */
export function ruleCost(cost: number, count: number | undefined, declaration: Declaration): number {
  return Math.min(cost * (count ?? cardinalityOf(declaration)), 2 ** 64);
}
