/** A kubeconfig file as its text says it: read, checked for shape, with every entry knowing its file. */
import { ConfigError } from '../errors.ts';
import { type Fields, isFields, member } from '../fields.ts';

/** A named entry: a cluster, a user or a context. */
export interface Entry {
  readonly name: string;
  readonly fields: Fields;
  /** The file that it is from: relative paths in it start at the folder of that file. `undefined` for a text. */
  readonly file: string | undefined;
}

/** The parts of a kubeconfig that matter for reaching a server. The order of entries is kept. */
export interface Contents {
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  /** `''` when the file names none. */
  readonly currentContext: string;
}

/** A kubeconfig that says nothing. */
export const noContents: Contents = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: '',
};

/**
 * A member that is text; `undefined` where it is absent, null or empty, which all mean the same in a kubeconfig.
 * @throws {ConfigError} it is something else
 */
export function textMember(fields: Fields, name: string, where: string): string | undefined {
  const value = member(fields, name) ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new ConfigError(`${where}: ${name} is not text; put it in quotes`);
  return value;
}

/** @throws {ConfigError} the member is neither true nor false */
export function flagMember(fields: Fields, name: string, where: string): boolean {
  const value = member(fields, name) ?? false;
  if (typeof value !== 'boolean') throw new ConfigError(`${where}: ${name} is not true or false`);
  return value;
}

/** @throws {ConfigError} it is something other than a list of texts */
export function textList(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new ConfigError(`${where} is not a list of texts`);
  }
  return value;
}

/** How messages name an entry. */
export function whereIs({ file, name }: Entry, kind: string): string {
  return `${file === undefined ? '' : `${file}: `}${kind} ${JSON.stringify(name)}`;
}

/** An entry may lack its name, as those do that programs leave behind; then nothing can name it. */
function readEntry(given: unknown, content: string, where: string, file: string | undefined): Entry {
  const value = given ?? {};
  if (!isFields(value)) throw new ConfigError(`${where} is not a mapping`);
  const name = textMember(value, 'name', where) ?? '';
  const fields = member(value, content) ?? {};
  if (!isFields(fields)) throw new ConfigError(`${where} (${name}): ${content} is not a mapping`);
  return { name, fields, file };
}

function readEntries(
  document: Fields,
  list: string,
  content: string,
  source: string,
  file: string | undefined,
): ReadonlyMap<string, Entry> {
  const values = member(document, list) ?? [];
  if (!Array.isArray(values)) throw new ConfigError(`${source}: ${list} is not a list`);
  const entries = new Map<string, Entry>();
  for (const [index, value] of values.entries()) {
    const entry = readEntry(value, content, `${source}: ${list}[${index}]`, file);
    if (entries.has(entry.name)) {
      throw new ConfigError(
        `${source}: ${list} has two entries named ${JSON.stringify(entry.name)}; remove one`,
      );
    }
    entries.set(entry.name, entry);
  }
  return entries;
}

/**
 * Checks the shape of a parsed kubeconfig. An empty file is a kubeconfig that says nothing.
 * @param source how messages name it
 * @throws {ConfigError} it is not a kubeconfig
 */
export function readDocument(document: unknown, source: string, file: string | undefined): Contents {
  if (document === null || document === undefined) return noContents;
  if (!isFields(document)) throw new ConfigError(`${source} is not a kubeconfig: it is not a mapping`);
  const kind = textMember(document, 'kind', source) ?? 'Config';
  if (kind !== 'Config')
    throw new ConfigError(`${source} is not a kubeconfig: its kind is ${JSON.stringify(kind)}`);
  const apiVersion = textMember(document, 'apiVersion', source) ?? 'v1';
  if (apiVersion !== 'v1')
    throw new ConfigError(`${source} has the apiVersion ${JSON.stringify(apiVersion)}; only v1 is known`);
  return {
    clusters: readEntries(document, 'clusters', 'cluster', source, file),
    users: readEntries(document, 'users', 'user', source, file),
    contexts: readEntries(document, 'contexts', 'context', source, file),
    currentContext: textMember(document, 'current-context', source) ?? '',
  };
}

function firstWins(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  const merged = new Map<string, Entry>();
  for (const [name, entry] of maps.flatMap((map) => [...map])) {
    if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}

/** Several files as one, as kubectl does it: of entries with one name the first file's holds, whole. */
export function mergeContents(files: readonly Contents[]): Contents {
  return {
    clusters: firstWins(files.map(({ clusters }) => clusters)),
    users: firstWins(files.map(({ users }) => users)),
    contexts: firstWins(files.map(({ contexts }) => contexts)),
    currentContext: files.map(({ currentContext }) => currentContext).find((name) => name !== '') ?? '',
  };
}
