/** Input of CRDs from files, addresses and stdin. */
import { append, type Checked, error, hasErrors, type InputProblem, warning } from '../common/problems.ts';
import { createCollector } from './collect.ts';
import type { CrdDefinition } from './crd/crd.ts';
import { mentionsDefinition } from './crd/partial.ts';
import type { SourceText } from './reading/source.ts';
import { decode } from './sources/decode.ts';
import { findEntries, type InputOptions } from './sources/entries.ts';
import { loadYaml } from './sources/load-yaml.ts';
import type { SourceBytes } from './sources/url.ts';

/** Result of reading the input. */
export interface Input {
  /** In the order of the arguments; within a folder or a pattern, by file name. */
  readonly crds: readonly CrdDefinition[];
  /** Number of sources that were read: files, addresses, standard input. */
  readonly sources: number;
  /** Number of objects that are not CustomResourceDefinitions. */
  readonly skipped: number;
  readonly problems: readonly InputProblem[];
}

/**
 * Reads and validates all CRDs of the input. Errors in the input are returned in `problems` and never thrown.
 */
export async function loadCrds(options: InputOptions): Promise<Input> {
  const entries = await findEntries(options);
  const problems: InputProblem[] = [...entries.problems];
  const collector = createCollector(loadYaml);
  let sources = 0;
  for (const entry of entries.value) {
    const read = await entry.read();
    append(problems, read.problems);
    sources += read.value.length;
    for (const bytes of read.value) {
      const isSearched = entry.isSearched || bytes.isMember === true;
      const source = decoded(bytes, isSearched);
      append(problems, source.problems);
      if (source.value !== undefined) append(problems, collector.add(source.value, isSearched));
    }
  }
  const { crds, skipped, problems: others } = collector.finish();
  append(problems, others);
  if (crds.length === 0 && !hasErrors(problems)) problems.push(nothingFound(sources, skipped));
  return { crds, sources, skipped, problems };
}

/**
 * Decodes a source. A file that was searched for and has no definition may be a file of any other content.
 */
function decoded(bytes: SourceBytes, isSearched: boolean): Checked<SourceText | undefined> {
  const source = decode(bytes);
  if (!isSearched || source.value !== undefined || mentionsDefinition(latin1(bytes))) return source;
  const what = 'this is not a text file: it is skipped';
  return { value: undefined, problems: [warning(what, source.problems[0]?.where)] };
}

/** Returns the bytes as characters, which any file has. */
function latin1({ bytes }: SourceBytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function nothingFound(sources: number, skipped: number): InputProblem {
  const others = skipped === 0 ? '' : ` (but ${skipped} other object${skipped === 1 ? '' : 's'})`;
  const read = `${sources} source${sources === 1 ? '' : 's'} read`;
  return error(`the input has no CustomResourceDefinition${others}, ${read}: give other files`);
}
