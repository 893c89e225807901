/** Sources that all clients of this process share. */
import { createHash } from 'node:crypto';

/** Sources that are kept. Whoever has one that is dropped here goes on with it. */
const maxSources = 100;

/**
 * Sources by what they were made of, the latest used last: clients of equal configurations share one, and with it the
 * credential.
 */
export class SharedSources<T> {
  readonly #sources: Map<string, T> = new Map();

  /** @param parts what tells sources apart; secrets may be among them, so that a digest is what is kept */
  get(parts: readonly unknown[], make: () => T): T {
    // A clone has no methods: what hides secrets from being printed would make different parts equal.
    const key = createHash('sha256')
      .update(JSON.stringify(structuredClone(parts)))
      .digest('base64');
    const source = this.#sources.get(key) ?? make();
    this.#sources.delete(key);
    this.#sources.set(key, source);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > maxSources && oldest !== undefined) this.#sources.delete(oldest);
    return source;
  }
}
