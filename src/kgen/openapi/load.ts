/** Input of saved OpenAPI and discovery documents. */
import { append, type Checked, error, hasErrors, type InputProblem, warning } from '../common/problems.ts';
import { byText } from '../common/words.ts';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { faultProblems } from '../input/crd/faults.ts';
import { createRereader } from '../input/reading/reread.ts';
import { languageOf, placeAt, type SourceText } from '../input/reading/source.ts';
import { splitDocuments } from '../input/reading/split.ts';
import { createParser, type Parsed } from '../input/reading/yaml.ts';
import { decode } from '../input/sources/decode.ts';
import { type Found, findFiles, readFile, realPath } from '../input/sources/files.ts';
import { loadYaml } from '../input/sources/load-yaml.ts';
import type { DescribeInput } from './describe.ts';
import { jsonFault } from './documents/json-fault.ts';
import { recognise, type Saved } from './documents/recognise.ts';
import type { ApiDocument, DiscoveredGroupVersion, GroupVersionKind, Loaded } from './types.ts';
import { describeSound } from './valid-documents.ts';

/** Saved documents to read. */
export interface OpenApiOptions {
  /** Files, folders and glob patterns. */
  readonly paths: readonly string[];
  /** Folder that relative paths are resolved against. */
  readonly cwd: string;
  /**
   * Returns whether output is generated for a kind, which decides on warnings. Default: true for all kinds.
   */
  readonly isIncluded?: (kind: GroupVersionKind) => boolean;
}

/**
 * Reads saved OpenAPI documents, v2 or v3, as JSON or YAML, and saved discovery documents beside them.
 * Folders are searched as for CRDs; other files in them are counted in `skipped`. If documents of both
 * versions exist, v3 is used. Never throws because of the content of files.
 */
export async function loadOpenApi(options: OpenApiOptions): Promise<Checked<Loaded>> {
  const problems: InputProblem[] = [];
  const files = await filesOf(options, problems);
  const saved = files.flatMap((file) => readSaved(file, problems));
  return describeSaved(saved, { ...options, sources: files.length }, problems);
}

/** Origin of the documents that `describeSaved` describes. */
export interface SavedOptions
  extends Pick<OpenApiOptions, 'isIncluded'>,
    Pick<DescribeInput, 'kubernetesVersion'> {
  /** Number of files that were read. */
  readonly sources: number;
}

/** Combines documents and discovery that were read. `problems` are those found so far. */
export function describeSaved(
  saved: readonly Saved[],
  { sources, isIncluded, kubernetesVersion }: SavedOptions,
  problems: InputProblem[],
): Checked<Loaded> {
  const documents = chooseDialect(saved, problems);
  const skipped = saved.filter(({ is }) => is === 'other').length;
  if (documents.length === 0 && !hasErrors(problems)) problems.push(nothingFound(saved, sources));
  const described = describeSound({
    documents,
    discovery: discoveryOf(saved, problems),
    crds: [],
    ...(isIncluded && { isIncluded }),
    ...(kubernetesVersion && { kubernetesVersion }),
  });
  append(problems, described.problems);
  const { api, crds, sound } = described.value;
  const read = { crds, documents: sound, sources, skipped };
  if (api.groupVersions.length + crds.length > 0) return { value: { ...read, api }, problems };
  // Types without resources are an incomplete output.
  if (documents.length > 0 && !hasErrors(problems))
    problems.push(error(noResources, { file: documents[0]?.file ?? '' }));
  return { value: read, problems };
}

const noResources =
  'the OpenAPI documents have no Kubernetes resource: give documents that a Kubernetes API server serves';

/** Returns each file once, even if several patterns match it. */
async function filesOf(options: OpenApiOptions, problems: InputProblem[]): Promise<readonly Found[]> {
  const files = new Map<string, Found>();
  for (const path of options.paths) {
    const found = await findFiles(path, options.cwd);
    append(problems, found.problems);
    for (const file of found.value) {
      const key = realPath(file.path);
      const known = files.get(key);
      if (known === undefined || file.file < known.file) files.set(key, file);
    }
  }
  return [...files.values()].sort((a, b) => byText(a.file, b.file));
}

function readSaved(file: Found, problems: InputProblem[]): readonly Saved[] {
  const bytes = readFile(file);
  append(problems, bytes.problems);
  const source = bytes.value === undefined ? undefined : decode(bytes.value);
  append(problems, source?.problems ?? []);
  if (source?.value === undefined) return [];
  const parsed = parseSource(source.value);
  append(problems, parsed.problems);
  return parsed.value.map((value) => recognise(value, file.file));
}

function chooseDialect(saved: readonly Saved[], problems: InputProblem[]): readonly ApiDocument[] {
  const documents = saved.flatMap((one) => (one.is === 'document' ? [one.document] : []));
  const newer = documents.filter(({ dialect }) => dialect === 3);
  const older = documents.find(({ dialect }) => dialect === 2);
  if (newer.length === 0 || older === undefined) return documents;
  const what =
    'this OpenAPI v2 document is left out, since the v3 documents are more complete: remove it, or them';
  problems.push(warning(what, { file: older.file }));
  return newer;
}

/** The most detailed form of discovery comes first, because the first entry of a group version is used. */
function discoveryOf(saved: readonly Saved[], problems: InputProblem[]): readonly DiscoveredGroupVersion[] {
  const found = saved.filter((one) => one.is === 'discovery').sort((a, b) => a.rank - b.rank);
  for (const { read } of found) append(problems, read.problems);
  return found.flatMap(({ read }) => read.value);
}

function nothingFound(saved: readonly Saved[], files: number): InputProblem {
  const index = saved.find((one) => one.is === 'index');
  if (index !== undefined) {
    const what =
      'this is the index of OpenAPI v3 documents, not a document: save those that it names, such as with `kubectl get --raw /openapi/v3/apis/apps/v1`';
    return error(what, { file: index.file });
  }
  const read = `${files} file${files === 1 ? '' : 's'} read`;
  return error(
    `the input has no OpenAPI document, ${read}: save them with \`kubectl get --raw /openapi/v2\``,
  );
}

/**
 * Returns the values of a source: one for JSON, one per document for YAML. A `.json` file is parsed as JSON,
 * and so is any other file that `JSON.parse` accepts, which is ten times as fast.
 */
function parseSource(source: SourceText): Checked<readonly JsonValue[]> {
  const isJson = languageOf(source) === 'JSON';
  if (!isJson && !/^\s*[{[]/.test(source.text)) return parseYaml(source);
  try {
    return { value: [JSON.parse(source.text) as JsonValue], problems: [] }; // seam: JSON.parse returns JSON values
  } catch (cause) {
    if (!isJson) return parseYaml(source);
    return { value: [], problems: [error(faultText(source, cause), placeOf(source))] };
  }
}

function placeOf(source: SourceText): ReturnType<typeof placeAt> {
  return placeAt(source, jsonFault(source.text)?.offset ?? 0);
}

function faultText({ text }: SourceText, cause: unknown): string {
  if (text.trim() === '') return 'the file is empty: save the document again';
  if (/^\s*</.test(text))
    return 'this is HTML or XML, not JSON: did a proxy or a login page respond? Save the document again';
  const fault = jsonFault(text);
  if (fault?.cutOff === true) return 'the document is truncated here: save it again, in full';
  if (fault !== undefined)
    return 'broken JSON: unexpected character; correct the syntax, or save the document again';
  return `broken JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function parseYaml(source: SourceText): Checked<readonly JsonValue[]> {
  const parse = createParser();
  const reread = createRereader(source, loadYaml);
  const read = splitDocuments(source.text).map((chunk): Checked<readonly JsonValue[]> => {
    const parsed: Parsed = parse(chunk.text);
    if (!parsed.ok)
      return { value: [], problems: faultProblems(source, chunk, parsed.fault, () => reread(chunk)) };
    // seam: with this schema, js-yaml returns JSON values
    return { value: parsed.value === undefined ? [] : [parsed.value as JsonValue], problems: [] };
  });
  return { value: read.flatMap(({ value }) => value), problems: read.flatMap(({ problems }) => problems) };
}
