import { byText } from '../common/words.ts';
import type { Source } from './ir.ts';

/**
 * Returns the sources without duplicates, sorted by name. Files in two folders may share a name, so their
 * content is compared too.
 */
export function distinctSources(sources: Iterable<Source>): readonly Source[] {
  const byKey = new Map<string, Source>();
  for (const source of sources) byKey.set(`${source.name}\n${source.hash}`, source);
  return [...byKey.values()].sort((a, b) => byText(a.name, b.name) || byText(a.hash, b.hash));
}
