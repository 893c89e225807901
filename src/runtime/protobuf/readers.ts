import { Reader } from './reader.ts';
import type { ReaderOptions } from './subject.ts';

const readers = new Map<string, Reader>();

/**
 * The reader with these options, which everybody shares: each `read` begins anew. It is kept for ever, as the engine forgets
 * how instances of a class are laid out once there are none, and with that all code that it has compiled for them.
 */
export function readerFor({ unknown, omitManagedFields = false }: ReaderOptions): Reader {
  const key = `${unknown} ${omitManagedFields}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  const made = new Reader({ unknown, omitManagedFields });
  readers.set(key, made);
  return made;
}
