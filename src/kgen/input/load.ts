/** Input of CRDs from files, addresses and stdin. */
import {
  append,
  type Checked,
  error,
  hasErrors,
  type InputProblem,
  ProblemLog,
  warning,
} from '../common/problems.ts';
import type { CrdDefinition } from './crd/crd.ts';
import type { CrdInput } from './crd/crd-input.ts';
import { readDefinition } from './crd/definition.ts';
import { mentionsDefinition, type PartialDocument, partialDefinition, settlePartial } from './crd/partial.ts';
import { readSource } from './reading/documents.ts';
import { findEntries, type InputOptions } from './reading/entries.ts';
import { EqualValues } from './reading/equal-values.ts';
import { decode, type SourceText } from './reading/source.ts';
import type { SourceBytes } from './reading/url.ts';
import { createParser } from './reading/yaml.ts';

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
  const crds: CrdDefinition[] = [];
  const parse = createParser();
  const values = new EqualValues();
  const partial: PartialDocument[] = [];
  let sources = 0;
  let skipped = 0;
  for (const entry of entries.value) {
    const read = await entry.read();
    append(problems, read.problems);
    sources += read.value.length;
    for (const bytes of read.value) {
      const isSearched = entry.isSearched || bytes.isMember === true;
      const source = decoded(bytes, isSearched);
      append(problems, source.problems);
      if (source.value === undefined) continue;
      const content = readSource(source.value, parse, isSearched);
      for (const { value } of content.crds) values.share(value);
      const definitions = defined(content.crds);
      append(crds, definitions.crds);
      append(partial, [...content.partial, ...definitions.partial]);
      append(problems, [...content.problems, ...definitions.problems]);
      skipped += content.skipped;
    }
  }
  const settled = settlePartial(partial, new Set(crds.map(({ name }) => name)));
  append(problems, settled.problems);
  skipped += settled.skipped;
  if (crds.length === 0 && !hasErrors(problems)) problems.push(nothingFound(sources, skipped));
  return { crds, sources, skipped, problems };
}

/**
 * Decodes a source. A file that was searched for and has no definition may be a file of any other content.
 */
function decoded(bytes: SourceBytes, isSearched: boolean): Checked<SourceText | undefined> {
  const source = decode(bytes);
  if (!isSearched || source.value !== undefined || mentionsDefinition(bytes.bytes)) return source;
  const what = 'this is not a text file: it is skipped';
  return { value: undefined, problems: [warning(what, source.problems[0]?.where)] };
}

interface Definitions {
  readonly crds: readonly CrdDefinition[];
  readonly partial: readonly PartialDocument[];
  readonly problems: readonly InputProblem[];
}

/** Validates the definitions of a source. */
function defined(inputs: readonly CrdInput[]): Definitions {
  const crds: CrdDefinition[] = [];
  const partial: PartialDocument[] = [];
  const log = new ProblemLog();
  for (const input of inputs) {
    const { value, problems } = readDefinition(input);
    const part = value === undefined ? partialDefinition(input, problems) : undefined;
    if (value !== undefined) crds.push(value);
    if (part === undefined) log.add(problems);
    else partial.push(part);
  }
  return { crds, partial, problems: log.problems };
}

function nothingFound(sources: number, skipped: number): InputProblem {
  const others = skipped === 0 ? '' : ` (but ${skipped} other object${skipped === 1 ? '' : 's'})`;
  const read = `${sources} source${sources === 1 ? '' : 's'} read`;
  return error(`the input has no CustomResourceDefinition${others}, ${read}: give other files`);
}
