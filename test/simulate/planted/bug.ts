/** One bug of an operator, with the finding that shows it. */
import { readFileSync } from 'node:fs';
import type { Operator, SimulateOptions, SimulationError } from '@kgen/testing';

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

/** Returns the lines of the operators that a story names. */
export function namedLines(story: string): string {
  const lines = [...story.matchAll(/(\/\S+\/planted\/\w+\.ts|\bplanted\/\w+\.ts):(\d+)/g)].map(
    ([, path = '', line]) => {
      const file = new URL(path.split('/').at(-1) ?? '', import.meta.url);
      return readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
    },
  );
  return lines.join('\n');
}

/** Returns whether a failure has the rule, the object and the line of a bug. */
export function isRight({ check, story, line }: PlantedBug, failure: SimulationError): boolean {
  return failure.check === check && story.test(failure.message) && namedLines(failure.message).includes(line);
}
