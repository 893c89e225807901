/** Decides whether objects are skimmed before they are parsed. */
import type { Projection } from './projection.ts';
import { JsonSkimmer } from './skim-json.ts';

/** Number of objects that are parsed as a whole after one that was not worth a pass. */
const caution = 100;

/**
 * A pass over the bytes takes a quarter of the time of their parse. It is not made while the selected members
 * are more than half of the bytes of an object.
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

  /** Returns the JSON of an object with its selected members; `undefined` if the whole has to be parsed. */
  object(projection: Projection, bytes: Buffer, start: number, end: number): string | undefined {
    const skimmer = this.#skimmerFor(projection);
    const text = skimmer?.object(bytes, start, end);
    if (skimmer !== undefined && 2 * skimmer.length > end - start) this.#left = caution;
    return text;
  }

  /** Returns the JSON of an event with its object reduced; `undefined` if the whole has to be parsed. */
  event(projection: Projection, line: Buffer): string | undefined {
    const skimmer = this.#skimmerFor(projection);
    const text = skimmer?.event(line);
    if (skimmer !== undefined && 2 * skimmer.length > line.length) this.#left = caution;
    return text;
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
}
