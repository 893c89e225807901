/** Building blocks of compiled expressions: constants, attributes and the logical operators. */
import { CostLimitError, EvaluationError, noSuchOverload, type Value } from '../values/value.ts';

/** Variables of an expression, innermost first. */
export interface Scope {
  readonly name: string;
  /** An error is thrown when the variable is read: `all` and `exists` may succeed in spite of it. */
  readonly value: Value | EvaluationError;
  readonly parent: Scope | undefined;
}

/** State of one evaluation. */
export interface Frame {
  readonly variables: (name: string) => Value | undefined;
  readonly limit: number;
  cost: number;
}

export type Code = (frame: Frame, scope: Scope | undefined) => Value;

/** Compiled node: constants are evaluated once, attributes have no cost inside of conditionals. */
export interface Plan {
  readonly run: Code;
  /** The value of a constant. */
  readonly constant?: { readonly value: Value };
  /** Evaluation of a variable or selection without the cost of the variable. */
  readonly attribute?: Code;
  /** Whether the attribute is a conditional, whose selections do not cost more than themselves. */
  readonly isConditional?: boolean;
}

export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.limit) throw new CostLimitError();
}

export function readScope({ value }: Scope): Value {
  if (value instanceof EvaluationError) throw value;
  return value;
}

export function attempt(run: () => Value): Value | EvaluationError {
  try {
    return run();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

export function bound(name: string, value: Value | EvaluationError, parent: Scope | undefined): Scope {
  return { name, value, parent };
}

export function constant(value: Value): Plan {
  return { run: () => value, constant: { value } };
}

/** A variable or selection: reading it costs 1 besides its selections, also if it fails. */
export function attribute(read: Code, isConditional = false): Plan {
  if (isConditional) return { run: read, attribute: read, isConditional };
  return {
    run: (frame, scope) => {
      charge(frame, 1);
      return read(frame, scope);
    },
    attribute: read,
  };
}

/** @param winner the operand that decides the result, even if another one fails */
export function logical(plans: readonly Plan[], winner: boolean): Plan {
  return {
    run: (frame, scope) => {
      let failure: EvaluationError | undefined;
      for (const plan of plans) {
        try {
          const value = plan.run(frame, scope);
          if (value === winner) return winner;
          if (typeof value !== 'boolean') failure ??= noSuchOverload();
        } catch (error) {
          if (!(error instanceof EvaluationError)) throw error;
          failure ??= error;
        }
      }
      if (failure !== undefined) throw failure;
      return !winner;
    },
  };
}

/** The condition of `all` and `exists`: an error does not end the loop. */
export function notStrictlyFalse([plan]: readonly Plan[]): Plan {
  return {
    run: (frame, scope) => {
      const value = plan === undefined ? true : attempt(() => plan.run(frame, scope));
      charge(frame, 1);
      return value !== false;
    },
  };
}
