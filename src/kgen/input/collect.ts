/** Definitions of decoded sources, without modules of Node.js: browsers run it, too. */
import { append, type InputProblem, ProblemLog } from '../common/problems.ts';
import type { CrdDefinition } from './crd/crd.ts';
import type { CrdInput } from './crd/crd-input.ts';
import { readDefinition } from './crd/definition.ts';
import { type PartialDocument, partialDefinition, settlePartial } from './crd/partial.ts';
import { readSource } from './reading/documents.ts';
import { EqualValues } from './reading/equal-values.ts';
import type { LoadYaml } from './reading/reread.ts';
import type { SourceText } from './reading/source.ts';
import { createParser } from './reading/yaml.ts';

/** Reads sources one by one, so that its caller need not hold all of them. */
export interface DefinitionCollector {
  /**
   * Reads a source and returns its problems.
   * @param isSearched whether the source was found in a folder or by a pattern. Default: false
   */
  readonly add: (source: SourceText, isSearched?: boolean) => readonly InputProblem[];
  /** Returns the definitions of all sources, with the problems that follow from the sources together. */
  readonly finish: () => CollectedDefinitions;
}

/** Definitions of several sources. */
export interface CollectedDefinitions {
  /** In the order of the sources. */
  readonly crds: readonly CrdDefinition[];
  /** Number of objects that are not CustomResourceDefinitions. */
  readonly skipped: number;
  readonly problems: readonly InputProblem[];
}

/** Returns a collector without definitions. */
export function createCollector(loadYaml: LoadYaml): DefinitionCollector {
  const crds: CrdDefinition[] = [];
  const partial: PartialDocument[] = [];
  const parsers = { parse: createParser(), loadYaml };
  const values = new EqualValues();
  let skipped = 0;
  return {
    add: (source, isSearched) => {
      const content = readSource(source, parsers, isSearched);
      for (const { value } of content.crds) values.share(value);
      const definitions = defined(content.crds);
      append(crds, definitions.crds);
      append(partial, [...content.partial, ...definitions.partial]);
      skipped += content.skipped;
      return [...content.problems, ...definitions.problems];
    },
    finish: () => {
      const settled = settlePartial(partial, new Set(crds.map(({ name }) => name)));
      return { crds, skipped: skipped + settled.skipped, problems: settled.problems };
    },
  };
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
