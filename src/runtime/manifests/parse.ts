/** Manifests in YAML and JSON, with positions for messages. */
import { parseApiVersion } from '../api/group-version.ts';
import { jsonOf } from '../codec/integers/write-json.ts';
import { messageOf } from '../common/callbacks.ts';
import { isFields, isText } from '../common/fields.ts';
import type { JsonObject } from '../patch/json.ts';
import { type YamlDocument, yamlDocuments } from '../yaml/documents.ts';
import type { ManifestFiles, ManifestInput, ManifestOptions, ManifestResult } from './types.ts';

/** An object of the document with its position. */
export interface Manifest {
  readonly place: string;
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Name, or the prefix of the name that the server generates. */
  readonly name: string;
  /** Whether the server generates the name. */
  readonly isGenerated: boolean;
  /** As written in the document; absent if there is none. */
  readonly namespace?: string;
  readonly body: JsonObject;
}

/** The objects of a document in order, and invalid parts. */
export interface Manifests {
  readonly manifests: readonly Manifest[];
  readonly failures: readonly ManifestResult[];
}

/** Operation for which manifests are read. Only a creation accepts `generateName` in place of a name. */
export type ManifestVerb = 'apply' | 'create' | 'delete';

/** Parses manifests. Items of lists count individually, and empty documents are dropped. */
export function parseManifests(text: string, source: string, verb: ManifestVerb = 'apply'): Manifests {
  return manifestsOf(yamlDocuments(text, source), verb);
}

function manifestsOf(documents: readonly Document[], verb: ManifestVerb): Manifests {
  const manifests: Manifest[] = [];
  const failures: ManifestResult[] = [];
  for (const { place, body, error } of documents.flatMap(candidates)) {
    const read = error ?? manifestOf(place, body, verb);
    if (read instanceof Error) failures.push({ place, action: 'failed', error: read });
    else manifests.push(read);
  }
  return { manifests, failures };
}

/**
 * Reads manifests from a string, from files or from objects.
 * @throws {TypeError} none of them
 * @throws {Error} files that do not exist or cannot be read
 */
export async function readManifests(
  input: ManifestInput,
  source: string = 'manifests',
  verb: ManifestVerb = 'apply',
): Promise<Manifests> {
  if (typeof input === 'string') return parseManifests(input, source, verb);
  if (!hasFiles(input)) return manifestsOf(documentsOf(input, source), verb);
  const { readFiles } = await import('./files/read-files.ts');
  const parts = (await readFiles(input.files)).map(({ path, text }) => parseManifests(text, path, verb));
  return {
    manifests: parts.flatMap(({ manifests }) => manifests),
    failures: parts.flatMap(({ failures }) => failures),
  };
}

/** Returns whether files contain the manifests. An object of any kind may have a member `files`, too. */
function hasFiles(input: ManifestInput): input is ManifestFiles {
  return isFields(input) && 'files' in input && !('kind' in input);
}

function documentsOf(input: Exclude<ManifestInput, string | ManifestFiles>, source: string): Document[] {
  if (Array.isArray(input)) return input.map((object, index) => documentOf(object, `${source}[${index}]`));
  if (isFields(input) && 'kind' in input) return [documentOf(input, source)];
  throw new TypeError(
    'manifests must be a string of YAML or JSON, { files: … }, an object with apiVersion and kind, or an array of them',
  );
}

/** Returns an object as it is sent: without `undefined`, and with integers as in parsed manifests. */
function documentOf(object: unknown, place: string): Document {
  try {
    return { place, value: yamlDocuments(jsonOf(object) ?? 'null', place)[0]?.value ?? null };
  } catch (error) {
    return { place, error: new TypeError(`${place}: not a Kubernetes object: ${messageOf(error)}`) };
  }
}

/** Returns the error of manifests without objects: usually a wrong path, or a command that failed. */
export function noObjects(
  input: ManifestInput,
  { source = 'manifests' }: Pick<ManifestOptions, 'source'>,
  verb: string,
): TypeError {
  const name = hasFiles(input) ? [input.files].flat().join(', ') : source;
  return new TypeError(`${name}: no objects to ${verb}: the manifests contain none`);
}

interface Candidate {
  readonly place: string;
  readonly body?: unknown;
  readonly error?: Error;
}

/** A document of a text, or an object. */
type Document = Pick<YamlDocument, 'place' | 'value'> & { readonly error?: Error };

function candidates({ place, value, error }: Document): readonly Candidate[] {
  if (error !== undefined) return [{ place, error }];
  if (value === undefined) return [];
  if (!isList(value)) return [{ place, body: value }];
  return value.items.map((item, index) => ({ place: `${place} items[${index}]`, body: itemOf(value, item) }));
}

interface List {
  readonly apiVersion?: unknown;
  readonly kind: string;
  readonly items: readonly unknown[];
}

/** Items of a typed list may omit apiVersion and kind, which follow from the list. */
function itemOf({ apiVersion, kind }: List, item: unknown): unknown {
  if (kind === 'List' || !isFields(item) || item['kind'] !== undefined) return item;
  return { apiVersion, ...item, kind: kind.slice(0, -'List'.length) };
}

function isList(value: unknown): value is List {
  if (!isFields(value)) return false;
  const { kind, items } = value;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
}

/** Reasons why an object without a name is invalid. */
const unnamed = {
  apply:
    'it has generateName and no name: without a name it cannot be found when it is applied again; name it, or create it with createManifests()',
  delete: 'it has generateName and no name: name the object to delete',
};

function manifestOf(place: string, body: unknown, verb: ManifestVerb): Manifest | TypeError {
  const problem = (why: string): TypeError => new TypeError(`${place}: not a Kubernetes object: ${why}`);
  if (!isFields(body)) return problem(`it is not a map${hint(body)}`);
  const { apiVersion, kind, metadata } = body;
  if (!isText(apiVersion)) return problem('it has no apiVersion');
  if (!isText(kind)) return problem('it has no kind');
  const { name: fixed, namespace, generateName } = isFields(metadata) ? metadata : {};
  if (kind === 'List') return problem('its items are not a list');
  const isGenerated = !isText(fixed) && isText(generateName);
  if (isGenerated && verb !== 'create') return problem(unnamed[verb]);
  const name = isGenerated ? generateName : fixed;
  if (name !== undefined && name !== null && typeof name !== 'string') {
    return problem('metadata.name is not a string; numbers, booleans and null need quotes in YAML');
  }
  if (!isText(name)) return problem('it has no metadata.name');
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    return problem('metadata.namespace is not a string; numbers need quotes');
  }
  const large = largeInteger(body, '');
  if (large !== undefined) return problem(`${large} is an integer of more than 64 bits`);
  if (!isApiVersion(apiVersion))
    return problem(`its apiVersion must have the form v1 or apps/v1, got ${apiVersion}`);
  const manifest = { place, ...parseApiVersion(apiVersion), apiVersion, kind, name, isGenerated, body };
  return namespace ? { ...manifest, namespace } : manifest;
}

/** A file name is a valid YAML document. */
function hint(body: unknown): string {
  if (typeof body !== 'string' || !/^[^\n]+\.(?:ya?ml|json)$/i.test(body)) return '';
  return `; pass { files: ${JSON.stringify(body)} } to read a file`;
}

function isApiVersion(text: string): boolean {
  return /^(?:[^/]+\/)?[^/]+$/.test(text);
}

/** Returns the path of an integer that exceeds 64 bits, which servers cannot read. */
function largeInteger(value: unknown, path: string): string | undefined {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? undefined : path.slice(1);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = largeInteger(child, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
