/** Compiled rules of schemas. */

import type { FieldReason } from '@kgen/runtime/objects';
import { bool, optionalOf, string, type Type } from '../../cel/check/types.ts';
import { type Compiled, compile } from '../../cel/compile.ts';
import type { EstimateSize } from '../../cel/cost/costs.ts';
import { estimateCost } from '../../cel/cost/estimate.ts';
import type { Program } from '../../cel/eval/interpreter.ts';
import { baseFunctions } from '../../cel/library/base.ts';
import { CompileError } from '../../cel/syntax/issues.ts';
import type { Rule, Schema } from '../structural.ts';
import { cardinalityOf, type Declaration, sizesOf, structsOf, typeOf } from './declarations.ts';
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
  return schema.rules.map((rule) => {
    const { optionalOldSelf, messageExpression } = rule;
    const expression = compiledPart(rule.rule, bool, declaration, optionalOldSelf);
    const message =
      messageExpression === '' || expression.result.problem !== undefined
        ? undefined
        : compiledPart(messageExpression, string, declaration, optionalOldSelf);
    return {
      rule,
      usesOldSelf: expression.usesOldSelf,
      expression: expression.result,
      message: message?.result,
      reason: reasons.get(rule.reason) ?? 'FieldValueInvalid',
      fieldPath: normalizePath(rule.fieldPath, schema) ?? '',
    };
  });
}

interface CompiledPart {
  readonly usesOldSelf: boolean;
  readonly result: RuleProgram;
}

const parts = new WeakMap<Declaration, Map<string, CompiledPart>>();

/** Returns an expression, which is compiled once for each type. */
function compiledPart(
  source: string,
  expected: Type,
  declaration: Declaration,
  isOptional: boolean,
): CompiledPart {
  const known = parts.get(declaration) ?? new Map<string, CompiledPart>();
  parts.set(declaration, known);
  const key = `${expected.name} ${isOptional} ${source}`;
  const part = known.get(key) ?? compilePart(source, expected, declaration, isOptional);
  known.set(key, part);
  return part;
}

/** Name of the type of `self`. A real server appends a number that differs at each start. */
const selfName = 'selfType0';

function compilePart(
  source: string,
  expected: Type,
  declaration: Declaration,
  isOptional: boolean,
): CompiledPart {
  if (source.trim() === '')
    return { usesOldSelf: false, result: { program: undefined, problem: undefined, cost: 0 } };
  const name = expected === bool ? '' : 'messageExpression ';
  try {
    const { checked, program } = compiled(source, declaration, isOptional);
    const type = checked.types.get(checked.expr);
    if (type?.kind !== expected.kind)
      return failed(`${name || 'cel expression '}must evaluate to a ${expected.name}`);
    const cost = estimateCost(checked, sizesOf(declaration)).max;
    const usesOldSelf = [...checked.references.values()].includes('oldSelf');
    return { usesOldSelf, result: { program, problem: undefined, cost } };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return failed(`${name}${error.message}`);
  }
}

function compiled(source: string, declaration: Declaration, isOptional: boolean): Compiled {
  const self = typeOf(declaration, selfName);
  const variables = new Map([
    ['self', self],
    ['oldSelf', isOptional ? optionalOf(self) : self],
  ]);
  return compile(source, { functions: baseFunctions, variables, structs: structsOf(declaration, selfName) });
}

/** Returns the estimated cost of a valid expression by the sizes of the values that it uses. */
export function costBySizes(
  source: string,
  declaration: Declaration,
  isOptional: boolean,
): (sizes: EstimateSize) => number {
  const { checked } = compiled(source, declaration, isOptional);
  return (sizes) => estimateCost(checked, sizes).max;
}

function failed(problem: string): CompiledPart {
  return { usesOldSelf: false, result: { program: undefined, problem, cost: 0 } };
}

/**
 * Returns the estimated cost of a rule for a whole object. @param count number of its nodes; `undefined` if
 * it is not limited
 */
export function ruleCost(cost: number, count: number | undefined, declaration: Declaration): number {
  return Math.min(cost * (count ?? cardinalityOf(declaration)), 2 ** 64);
}
