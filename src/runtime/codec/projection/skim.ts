/** Decides whether objects are skimmed before they are parsed. */
import { mayHoldLong } from '../integers/long-digits.ts';
import type { Projection } from './projection.ts';
import { JsonSkimmer } from './skim-json.ts';

/** A value with the JSON from which it was parsed. */
export interface Parsed {
  readonly text: string;
  readonly value: unknown;
}

export interface Skimmed extends Parsed {
  /** Whether the JSON may contain integers beyond 2^53. */
  readonly mayHoldLong: boolean;
}

/** Number of objects that are parsed as a whole after one that was not worth a pass. */
const caution = 100;

/**
 * A pass over the bytes takes about a third of the time of their parse. It is not made while the selected
 * members are more than half of the bytes.
 */
export class Skim {
  readonly #keepManagedFields: boolean;
  #projection: Projection | undefined;
  #skimmer: JsonSkimmer | undefined;
  /** Remaining number of objects that are parsed as a whole. */
  #left = 0;

  constructor(keepManagedFields: boolean) {
    this.#keepManagedFields = keepManagedFields;
  }

  /**
   * Returns an object with its selected members; `undefined` if the whole has to be parsed.
   * @throws {SyntaxError} malformed JSON
   */
  object(projection: Projection, bytes: Buffer, start: number, end: number): Skimmed | undefined {
    const skimmer = this.#skimmerFor(projection);
    return skimmer && this.#parsed(skimmer, skimmer.object(bytes, start, end), end - start);
  }

  /** Returns an event with the selected members of its object; `undefined` if the whole has to be parsed. */
  event(projection: Projection, line: Buffer): Skimmed | undefined {
    const skimmer = this.#skimmerFor(projection);
    if (skimmer === undefined) return undefined;
    try {
      return this.#parsed(skimmer, skimmer.event(line), line.length);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // The line is malformed, or a guess was wrong.
      this.#left = caution;
      return undefined;
    }
  }

  #skimmerFor(projection: Projection): JsonSkimmer | undefined {
    if (projection !== this.#projection) {
      this.#projection = projection;
      this.#skimmer = new JsonSkimmer(projection.branch, this.#keepManagedFields);
      this.#left = 0;
    }
    if (this.#left === 0) return this.#skimmer;
    this.#left -= 1;
    return undefined;
  }

  #parsed({ copy }: JsonSkimmer, text: string | undefined, length: number): Skimmed | undefined {
    if (2 * copy.length > length) this.#left = caution;
    return text === undefined ? undefined : { ...parsed(text), mayHoldLong: mayHoldLong(copy) };
  }
}

export function parsed(text: string): Parsed {
  return { text, value: JSON.parse(text) };
}
