import { readFile } from 'node:fs/promises';
import { JSON_SCHEMA, loadAll } from 'js-yaml';
import { array, isObject, type Json, type JsonObject, own, text } from './values/json.ts';

/**
 * Where CustomResourceDefinitions come from: the path of a YAML or JSON file (a string, or a `file:` URL) with any number
 * of documents, such a text itself as `{ yaml }`, or one definition as an object. Other kinds in between are skipped.
 */
export type CrdSource = string | URL | { readonly yaml: string } | { readonly kind: string };

/** The definitions of all sources, in order. @throws {Error} that names the source and what is wrong with it. */
export async function loadDefinitions(sources: readonly CrdSource[]): Promise<readonly JsonObject[]> {
  const loaded = await Promise.all(sources.map(loadSource));
  return loaded.flat();
}

async function loadSource(source: CrdSource, index: number): Promise<readonly JsonObject[]> {
  if (typeof source === 'string' || source instanceof URL) {
    return definitionsIn(parse(await textOf(source), String(source)), String(source));
  }
  const where = `crds[${index}]`;
  if ('yaml' in source) return definitionsIn(parse(source.yaml, where), where);
  // A copy through JSON: whatever the caller's object is, only JSON goes on.
  return definitionsIn([JSON.parse(JSON.stringify(source)) as Json], where);
}

async function textOf(source: string | URL): Promise<string> {
  try {
    return await readFile(source, 'utf8');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot read ${source}, give the path of a file with definitions: ${message}`, {
      cause: error,
    });
  }
}

function parse(content: string, where: string): readonly Json[] {
  try {
    // `loadAll` gives `unknown[]`; JSON_SCHEMA makes nothing but JSON values.
    return loadAll(content, undefined, { schema: JSON_SCHEMA }) as Json[];
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function definitionsIn(documents: readonly Json[], where: string): readonly JsonObject[] {
  const items = documents.flatMap((document) =>
    own(document, 'kind') === 'List' ? array(document, 'items') : [document],
  );
  const definitions = items
    .filter(isObject)
    .filter((item) => own(item, 'kind') === 'CustomResourceDefinition');
  const old = definitions.find((item) => own(item, 'apiVersion') !== 'apiextensions.k8s.io/v1');
  if (definitions.length === 0) throw new Error(`${where}: there is no CustomResourceDefinition in it`);
  if (old === undefined) return definitions;
  const name = text(old, 'metadata', 'name');
  throw new Error(
    `${where}: ${name} is of ${text(old, 'apiVersion')}; API servers take apiextensions.k8s.io/v1 only, so convert it first`,
  );
}
