/** Sources of objects: values, YAML, files, folders, glob patterns and addresses. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { array, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, readYamlDocuments, writeJson, type YamlDocuments } from '@kgen/schema/values/wire';
import { YAMLException } from 'js-yaml';
import { findFiles } from './crd-files.ts';

/**
 * Source of objects. A string is an argument as the kgen command accepts it: the path of a YAML or JSON file
 * with any number of documents, a folder, a glob pattern, or an `https:` URL. A `URL` is a `file:` or an
 * `https:` URL. `{ yaml }` is the content of such a file, and any other object one Kubernetes object.
 */
export type ObjectSource = string | URL | { readonly yaml: string } | { readonly kind: string };

/** A document, or an item of a list in a document, with its origin. */
export interface SourcedValue {
  /** `crds/web.yaml:12`, or `objects[3]` for a value. */
  readonly place: string;
  readonly value: Json;
}

/** An object with its origin. */
export interface SourcedObject extends SourcedValue {
  readonly value: JsonObject;
}

/** The values of one source. */
export interface LoadedSource {
  /** Name of the source in error messages. */
  readonly name: string;
  readonly values: readonly SourcedValue[];
}

/**
 * Loads all sources, in order. Items of lists count individually, and empty documents are dropped.
 * @param option name of the option, for messages
 * @throws {Error} names the source, the line and the cause
 */
export async function loadSources(
  sources: readonly ObjectSource[],
  option: string,
): Promise<readonly LoadedSource[]> {
  return Promise.all(sources.map((source, index) => loadSource(source, `${option}[${index}]`)));
}

async function loadSource(source: ObjectSource, name: string): Promise<LoadedSource> {
  if (typeof source === 'string' || source instanceof URL) return loadNamed(String(source));
  if ('yaml' in source) return { name, values: valuesIn(source.yaml, name) };
  // Copied through JSON, so that only JSON values continue.
  const values = flatten(readJson(writeJson(source)));
  return { name, values: values.map((value) => ({ place: name, value })) };
}

async function loadNamed(name: string): Promise<LoadedSource> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name) && !name.startsWith('file:'))
    return { name, values: valuesIn(await download(name), name) };
  const path = name.startsWith('file:') ? fileURLToPath(name) : name;
  const files = await findFiles(path);
  const found = await Promise.all(files.map(async (file) => valuesIn(await textOf(file), file)));
  return { name: path, values: found.flat() };
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
    throw new Error(`cannot read ${address}: ${messageOf(error)}`, { cause: error });
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const advice = 'give a file, a folder or a glob pattern';
    throw new Error(`cannot read ${file}, ${advice}: ${messageOf(error)}`, { cause: error });
  }
}

function valuesIn(content: string, name: string): readonly SourcedValue[] {
  const { documents, lineOf } = parse(content, name);
  return documents
    .filter((document) => document.value !== null)
    .flatMap((document) =>
      flatten(document.value).map((value) => ({ place: `${name}:${lineOf(value) ?? document.line}`, value })),
    );
}

function parse(content: string, name: string): YamlDocuments {
  try {
    return readYamlDocuments(content);
  } catch (error) {
    throw new Error(placed(name, error), { cause: error });
  }
}

/** Adds the position to a message: `crds/web.yaml:3:7: bad indentation of a mapping entry`. */
function placed(name: string, error: unknown): string {
  if (!(error instanceof YAMLException)) return `${name}: ${String(error)}`;
  const { mark, reason } = error;
  return mark === undefined ? `${name}: ${reason}` : `${name}:${mark.line + 1}:${mark.column + 1}: ${reason}`;
}

/** Returns the items of a list, or the document itself. Items of a typed list may omit their kind. */
function flatten(document: Json): readonly Json[] {
  const kind = text(document, 'kind');
  if (!isObject(document) || !kind.endsWith('List') || !Array.isArray(own(document, 'items')))
    return [document];
  const items = array(document, 'items');
  if (kind === 'List') return items;
  const implied = { apiVersion: text(document, 'apiVersion'), kind: kind.slice(0, -'List'.length) };
  return items.map((item) =>
    isObject(item) && own(item, 'kind') === undefined ? { ...implied, ...item } : item,
  );
}
