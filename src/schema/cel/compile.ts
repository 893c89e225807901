/** Compilation of expressions: parse, check, further checks of literals, and plan. */
import { type Checked, check } from './check/checker.ts';
import { validateLiterals } from './check/literals.ts';
import type { Environment } from './environment.ts';
import { compileProgram, type Program } from './eval/interpreter.ts';
import { CompileError } from './syntax/issues.ts';
import { parseExpression } from './syntax/parser.ts';
import { EvaluationError } from './values/value.ts';

/** A checked expression and its program. */
export interface Compiled {
  readonly checked: Checked;
  readonly program: Program;
}

/**
 * Compiles an expression.
 * @throws {CompileError} with the message of the API server
 */
export function compile(source: string, environment: Environment): Compiled {
  const checked = check(source, parseExpression(source), environment);
  validateLiterals(checked);
  return { checked, program: plan(checked, environment) };
}

/** Conversions of constants are evaluated here, and may fail. */
function plan(checked: Checked, { functions }: Environment): Program {
  try {
    return compileProgram(checked, functions);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new CompileError(checked.source, [], `program instantiation failed: ${error.message}`);
  }
}
