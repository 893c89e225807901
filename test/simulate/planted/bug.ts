/** One bug of an operator, with the finding that shows it. */
import type { Operator, SimulateOptions } from '@kgen/testing';

export interface PlantedBug {
  /** The end of the sentence "finds an operator that …". */
  readonly bug: string;
  readonly operator: Operator;
  readonly options: SimulateOptions;
  /** Name of the violated rule. */
  readonly check: string;
  /** Matches the story: the object, field or writer that is wrong. */
  readonly story: RegExp;
  /** Text of the line that the story names; empty if the story has no such line. */
  readonly line: string;
  /** First of 200 seeds with which the simulation finds it so; `undefined` if there is none yet. */
  readonly foundBy: number | undefined;
}
