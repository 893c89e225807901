/** Parser of kubeconfig documents: validates their shape, and notes the file of every entry. */
import { ConfigError } from '../../api/errors.ts';
import { type Fields, isFields, member } from '../../common/fields.ts';

/** A named entry: a cluster, a user or a context. */
export interface Entry {
  readonly name: string;
  readonly fields: Fields;
  /** File of the entry, whose folder relative paths start at. `undefined` for a string. */
  readonly file: string | undefined;
}

/** Parts of a kubeconfig that are needed to reach a server. The order of entries is kept. */
export interface Contents {
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  /** `''` if the file names none. */
  readonly currentContext: string;
}

/** An empty kubeconfig. */
export const noContents: Contents = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: '',
};

/**
 * Returns a member that is a string; `undefined` if it is absent, null or empty, which are equivalent in a
 * kubeconfig.
 * @throws {ConfigError} if it is another type
 */
export function textMember(fields: Fields, name: string, where: string): string | undefined {
  const value = member(fields, name) ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new ConfigError(`${where}: ${name} is not a string; put it in quotes`);
  return value;
}

/** @throws {ConfigError} if the member is not a boolean */
export function flagMember(fields: Fields, name: string, where: string): boolean {
  const value = member(fields, name) ?? false;
  if (typeof value !== 'boolean') throw new ConfigError(`${where}: ${name} is not true or false`);
  return value;
}

/** @throws {ConfigError} if the value is not a list of strings */
export function textList(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new ConfigError(`${where} is not a list of strings`);
  }
  return value;
}

/** Returns the name of an entry for messages. */
export function whereIs({ file, name }: Entry, kind: string): string {
  return `${file === undefined ? '' : `${file}: `}${kind} ${JSON.stringify(name)}`;
}

/**
 * Validates the shape of a parsed kubeconfig. An empty file is an empty kubeconfig.
 * @param source name of the kubeconfig for messages
 * @throws {ConfigError} if it is not a kubeconfig
 */
export function readDocument(document: unknown, source: string, file: string | undefined): Contents {
  if (document === null || document === undefined) return noContents;
  if (!isFields(document)) throw new ConfigError(`${source} is not a kubeconfig: it is not a mapping`);
  const kind = textMember(document, 'kind', source) ?? 'Config';
  if (kind !== 'Config')
    throw new ConfigError(`${source} is not a kubeconfig: its kind is ${JSON.stringify(kind)}`);
  const apiVersion = textMember(document, 'apiVersion', source) ?? 'v1';
  if (apiVersion !== 'v1')
    throw new ConfigError(`${source} has the apiVersion ${JSON.stringify(apiVersion)}; only v1 is supported`);
  return {
    clusters: readEntries(document, 'clusters', 'cluster', source, file),
    users: readEntries(document, 'users', 'user', source, file),
    contexts: readEntries(document, 'contexts', 'context', source, file),
    currentContext: textMember(document, 'current-context', source) ?? '',
  };
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
 * Parses an entry. Its name may be missing, as some programs leave such entries; then it cannot be selected.
 */
function readEntry(given: unknown, content: string, where: string, file: string | undefined): Entry {
  const value = given ?? {};
  if (!isFields(value)) throw new ConfigError(`${where} is not a mapping`);
  const name = textMember(value, 'name', where) ?? '';
  const fields = member(value, content) ?? {};
  if (!isFields(fields)) throw new ConfigError(`${where} (${name}): ${content} is not a mapping`);
  return { name, fields, file };
}

/** Merges several files like kubectl: of entries with one name, that of the first file applies as a whole. */
export function mergeContents(files: readonly Contents[]): Contents {
  return {
    clusters: firstWins(files.map(({ clusters }) => clusters)),
    users: firstWins(files.map(({ users }) => users)),
    contexts: firstWins(files.map(({ contexts }) => contexts)),
    currentContext: files.map(({ currentContext }) => currentContext).find((name) => name !== '') ?? '',
  };
}

function firstWins(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  const merged = new Map<string, Entry>();
  for (const [name, entry] of maps.flatMap((map) => [...map])) {
    if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}
