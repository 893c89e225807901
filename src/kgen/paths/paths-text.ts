import { type Checked, error, type InputProblem, quote, warning } from '../common/problems.ts';
import { capitalise } from '../common/words.ts';
import type { Scope } from '../emit/clients/scope.ts';
import type { EmitOptions } from '../emit/options.ts';
import { Module } from '../emit/text/module.ts';
import { extension, folder, runtimeSpecifier } from '../emit/text/paths.ts';
import { typeText } from '../emit/text/schema-text.ts';
import type { Model, Schema } from '../model/ir.ts';
import type { ApiDocument } from '../openapi/types.ts';
import { type Definitions, withCustomResources } from './definitions.ts';
import { customResources, requireKinds } from './kinds.ts';
import { mergePaths, usedDefinitions, widenDeletions } from './merge.ts';
import { type PathItem, type PathSchema, type Paths, partsOf, schemasOf } from './openapi.ts';
import { printPaths } from './openapi-typescript.ts';
import { openApi3, readPaths } from './read.ts';
import { withUndocumented } from './undocumented.ts';

/** `paths.ts` while it is being filled, with its types. */
interface References {
  readonly module: Module;
  /** Returns the type of a schema as an expression, and adds the imports that it needs. */
  readonly typeText: (schema: Schema) => string;
}

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

/** Returns the paths that can be printed, and a warning for each other path. */
function printable(paths: Paths): {
  readonly paths: Paths;
  readonly problems: readonly InputProblem[];
} {
  const problems: InputProblem[] = [];
  const kept = [...paths].filter(([path, item]) => {
    const bad = [path, ...namesIn(item)].find((name) => !isDecodable(name));
    if (bad !== undefined) {
      problems.push(
        warning(
          `the path ${quote(path)} is left out of paths.ts: ${quote(bad)} has a % that escapes nothing`,
        ),
      );
    }
    return bad === undefined;
  });
  return { paths: new Map(kept), problems };
}

function namesIn(item: PathItem): readonly string[] {
  return [...item.values()].flatMap((operation) => [
    ...operation.parameters.map(({ name }) => name),
    ...schemasOf(operation).flatMap(propertiesIn),
  ]);
}

function propertiesIn(schema: PathSchema): readonly string[] {
  const own = 'type' in schema && schema.type === 'object' ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...partsOf(schema).flatMap(propertiesIn)];
}

function isDecodable(name: string): boolean {
  try {
    decodeURIComponent(name);
    return true;
  } catch (cause) {
    if (cause instanceof URIError) return false;
    throw cause;
  }
}

/**
 * Returns references from the root of the output folder. A definition without a file in the model is
 * `unknown`.
 */
function referencesTo(model: Model, options: EmitOptions): References {
  const module = new Module(runtimeSpecifier(options, 0), ['paths', 'components']);
  const homes = new Map(model.groupVersions.map((one) => [folder(one), one.accessor]));
  const refer: Scope['refer'] = ({ name, from }) => {
    const where = from === undefined ? '' : folder(from);
    const accessor = homes.get(where);
    if (accessor === undefined) return 'unknown';
    return module.type(`./${where}/types${extension(options)}`, name, capitalise(accessor) + name);
  };
  // Only `refer` is used, because the root is not the folder of any group version.
  const scope: Scope = { module, refer, own: (name) => name };
  return { module, typeText: (schema) => typeText(schema, scope) };
}
