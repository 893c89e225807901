/**
 * Equal parts of documents as one object: types of pods occur many times in some definitions. Work that
 * depends on a part only is done once for it.
 */

/** Shares the equal parts of documents. */
export class EqualValues {
  readonly #numbers = new Map<unknown, number>();
  readonly #objects = new Map<string, object>();

  /**
   * Replaces each object and list in a document by the first one that is equal, with its keys in the same
   * order. Changes the document in place, so that nothing else may refer to its parts.
   */
  share(document: object): void {
    // seam: any object has keys of type string
    const parts = document as Record<string, unknown>;
    for (const key of Object.keys(parts)) parts[key] = this.#shared(parts[key]);
  }

  #shared(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.#numbers.has(value)) return value;
    this.share(value);
    let text = Array.isArray(value) ? '[' : '{';
    for (const [key, part] of Object.entries(value)) text += `${this.#number(key)}:${this.#number(part)},`;
    const known = this.#objects.get(text);
    if (known !== undefined) return known;
    this.#objects.set(text, value);
    this.#number(value);
    return value;
  }

  /** Equal strings, numbers and shared objects have equal numbers. */
  #number(value: unknown): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
