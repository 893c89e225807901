import { type Checked, error } from '../common/problems.ts';
import type { EmitOptions } from '../emit/options.ts';
import type { Model } from '../model/ir.ts';
import type { ApiDocument } from '../openapi/types.ts';
import { type Definitions, withCustomResources } from './definitions.ts';
import { customResources, requireKinds } from './kinds.ts';
import { mergePaths, usedDefinitions, widenDeletions } from './merge.ts';
import type { Paths } from './openapi.ts';
import { printPaths } from './openapi-typescript.ts';
import { printable } from './printable.ts';
import { openApi3, readPaths } from './read.ts';
import { type References, referencesTo } from './references.ts';
import { withUndocumented } from './undocumented.ts';

/** Input of `pathsText`. */
export interface PathsInput {
  /** The order decides: if two documents have the same operation, the first one is used. */
  readonly documents: readonly ApiDocument[];
  readonly model: Model;
  /** Types of definitions by full name. Custom resources may be absent. */
  readonly definitions: Definitions;
}

/**
 * Returns the content of `paths.ts` below its header, in the form of openapi-typescript: the interface
 * `paths` with every operation of the documents and undocumented paths of API servers, and the interface
 * `components`, whose schemas are the types of the output's other files. It contains only types, so it is
 * valid in a `.d.ts` too. Definitions without a type in the model are `unknown`. Descriptions are included if
 * `docs` is `full`.
 */
export async function pathsText(input: PathsInput, options: EmitOptions): Promise<Checked<string>> {
  const documents = input.documents.map(openApi3);
  const definitions = withCustomResources(input.definitions, documents, input.model);
  const known = (name: string): boolean => definitions.has(name);
  const reading = { known, descriptions: options.docs === 'full' };
  const merged = withUndocumented(
    mergePaths(documents.map((document) => readPaths(document, reading))),
    reading.descriptions,
  );
  const complete = requireKinds(widenDeletions(merged, known), customResources(documents, input.model));
  const { paths, problems } = printable(complete);
  const references = referencesTo(input.model, options);
  const types = new Map(
    usedDefinitions(paths).flatMap((name) => {
      const schema = definitions.get(name);
      return schema === undefined ? [] : [[name, references.typeText(schema)] as const];
    }),
  );
  const text = await printed(paths, types, references);
  return { value: text.value, problems: [...problems, ...text.problems] };
}

async function printed(
  paths: Paths,
  types: ReadonlyMap<string, string>,
  { module }: References,
): Promise<Checked<string>> {
  try {
    const declared = await printPaths(paths, types);
    module.declare(
      `/** Every operation of the server by path and method: for \`RESTClient<paths>\`. */\n${declared.paths}`,
    );
    module.declare(
      `/** The types of the operations, by their full names in OpenAPI. */\n${declared.components}`,
    );
    return { value: module.print('').ts, problems: [] };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return {
      value: '',
      problems: [error(`paths.ts cannot be written: openapi-typescript failed: ${reason}`)],
    };
  }
}
