/** Cache of the sources that all clients of this process share. */
import { createHash } from 'node:crypto';

/** Maximum number of cached sources. Clients continue to use an evicted one. */
const maxSources = 100;

/**
 * Sources by their configuration, the most recently used last: clients of equal configurations share one, and
 * with it the credential.
 */
export class SharedSources<T> {
  readonly #sources: Map<string, T> = new Map();

  /** @param parts key of the source; only a digest is kept, as it may contain secrets */
  get(parts: readonly unknown[], make: () => T): T {
    // A clone has no methods: those that hide secrets from logs would make different parts equal.
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
