import type { JsonPath } from '@kgen/schema/rules/places';
import type { SourcePlace } from '../../common/problems.ts';

/** Places of the author's code by the path of what it became. */
export class Places {
  readonly #byPath: Map<string, SourcePlace>;

  /** @param entries of other places */
  constructor(entries: readonly (readonly [path: string, place: SourcePlace])[] = []) {
    this.#byPath = new Map(entries);
  }

  /** Paths as JSON, and their places. */
  get entries(): readonly (readonly [path: string, place: SourcePlace])[] {
    return [...this.#byPath];
  }

  set(path: JsonPath, place: SourcePlace): void {
    this.#byPath.set(JSON.stringify(path), place);
  }

  /** Returns the place of the node at a path, or of its nearest ancestor that has one. */
  at(path: JsonPath): SourcePlace | undefined {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = this.#byPath.get(JSON.stringify(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return undefined;
  }
}
