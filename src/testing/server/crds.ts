import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { YAMLException } from 'js-yaml';
import { array, isObject, type Json, type JsonObject, own, text } from '../values/json.ts';
import { readJson, readYamlDocuments, writeJson } from '../values/wire.ts';
import { findFiles } from './crd-files.ts';

/**
 * Source of CRDs. A string is an argument as the kgen command accepts it: the path of a YAML or JSON file
 * with any number of documents, a folder, a glob pattern, or an `https:` URL. A `URL` is a `file:` or an
 * `https:` URL. `{ yaml }` is the content of such a file, and any other object one CRD. Objects of other
 * kinds are skipped.
 */
export type CrdSource = string | URL | { readonly yaml: string } | { readonly kind: string };

/**
 * Loads the CRDs of all sources, in order.
 * @throws {Error} names the source and the cause
 */
export async function loadDefinitions(sources: readonly CrdSource[]): Promise<readonly JsonObject[]> {
  const loaded = await Promise.all(sources.map(loadSource));
  return loaded.flat();
}

async function loadSource(source: CrdSource, index: number): Promise<readonly JsonObject[]> {
  if (typeof source === 'string' || source instanceof URL) return loadNamed(String(source));
  const where = `crds[${index}]`;
  if ('yaml' in source) return definitionsIn(parse(source.yaml, where), where);
  // Copied through JSON, so that only JSON values continue.
  return definitionsIn([readJson(writeJson(source))], where);
}

/** Files of a folder or a pattern may contain only other objects, but one of them must contain a CRD. */
async function loadNamed(name: string): Promise<readonly JsonObject[]> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name) && !name.startsWith('file:')) {
    return definitionsIn(parse(await download(name), name), name);
  }
  const path = name.startsWith('file:') ? fileURLToPath(name) : name;
  const files = await findFiles(path);
  const documents = await Promise.all(files.map(async (file) => parse(await textOf(file), file)));
  const found = documents.flatMap((each, index) => crdsIn(each, files[index] ?? path));
  if (found.length === 0) throw new Error(`${path}: no CustomResourceDefinition found`);
  return found;
}

const downloadMs = 30_000;

async function download(address: string): Promise<string> {
  if (!address.startsWith('https:')) throw new Error(`${address}: only https addresses are read`);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(downloadMs) });
    if (response.ok && response.url.startsWith('https:')) return await response.text();
    await response.body?.cancel();
    throw new Error(response.ok ? 'it redirects to an address without https' : `status ${response.status}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot read ${address}: ${message}`, { cause: error });
  }
}

async function textOf(source: string): Promise<string> {
  try {
    return await readFile(source, 'utf8');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(
      `cannot read ${source}, give a file, a folder or a glob pattern with definitions: ${message}`,
      {
        cause: error,
      },
    );
  }
}

function parse(content: string, where: string): readonly Json[] {
  try {
    return readYamlDocuments(content);
  } catch (error) {
    throw new Error(placed(where, error), { cause: error });
  }
}

/** Adds the position to a message: `crds/web.yaml:3:7: bad indentation of a mapping entry`. */
function placed(where: string, error: unknown): string {
  if (!(error instanceof YAMLException)) return `${where}: ${String(error)}`;
  const { mark, reason } = error;
  return mark === undefined
    ? `${where}: ${reason}`
    : `${where}:${mark.line + 1}:${mark.column + 1}: ${reason}`;
}

function definitionsIn(documents: readonly Json[], where: string): readonly JsonObject[] {
  const definitions = crdsIn(documents, where);
  if (definitions.length > 0) return definitions;
  throw new Error(`${where}: no CustomResourceDefinition found`);
}

function crdsIn(documents: readonly Json[], where: string): readonly JsonObject[] {
  const items = documents.flatMap((document) =>
    own(document, 'kind') === 'List' ? array(document, 'items') : [document],
  );
  const definitions = items
    .filter(isObject)
    .filter((item) => own(item, 'kind') === 'CustomResourceDefinition');
  const old = definitions.find((item) => own(item, 'apiVersion') !== 'apiextensions.k8s.io/v1');
  if (old === undefined) return definitions;
  const name = text(old, 'metadata', 'name');
  throw new Error(
    `${where}: ${name} is of ${text(old, 'apiVersion')}; API servers take apiextensions.k8s.io/v1 only, so convert it first`,
  );
}
