import type { ReaderOptions } from './errors/decode-context.ts';
import { Reader } from './wire/reader.ts';

const readers = new Map<string, Reader>();

/**
 * Returns a shared reader with these options; each `read` starts anew. It is kept forever, because the engine
 * discards the hidden class and all code that depends on it when there is no instance.
 */
export function readerFor({ unknown, omitManagedFields = false }: ReaderOptions): Reader {
  const key = `${unknown} ${omitManagedFields}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  const made = new Reader({ unknown, omitManagedFields });
  readers.set(key, made);
  return made;
}
