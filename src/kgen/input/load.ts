import { append, error, hasErrors, type InputProblem, ProblemLog } from '../common/problems.ts';
import type { CrdDefinition } from './crd/crd.ts';
import { readDefinition } from './crd/definition.ts';
import { readSource } from './reading/documents.ts';
import { findEntries, type InputOptions } from './reading/entries.ts';
import { decode } from './reading/source.ts';
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
  let sources = 0;
  let skipped = 0;
  for (const entry of entries.value) {
    const bytes = await entry.read();
    append(problems, bytes.problems);
    if (bytes.value === undefined) continue;
    sources += 1;
    const source = decode(bytes.value);
    append(problems, source.problems);
    if (source.value === undefined) continue;
    const content = readSource(source.value, parse);
    skipped += content.skipped;
    const log = new ProblemLog();
    for (const input of content.crds) {
      const definition = readDefinition(input);
      log.add(definition.problems);
      if (definition.value !== undefined) crds.push(definition.value);
    }
    append(problems, content.problems);
    append(problems, log.problems);
  }
  if (crds.length === 0 && !hasErrors(problems)) problems.push(nothingFound(sources, skipped));
  return { crds, sources, skipped, problems };
}

function nothingFound(sources: number, skipped: number): InputProblem {
  const others = skipped === 0 ? '' : ` (but ${skipped} other object${skipped === 1 ? '' : 's'})`;
  const read = `${sources} source${sources === 1 ? '' : 's'} read`;
  return error(`the input has no CustomResourceDefinition${others}, ${read}: give other files`);
}
