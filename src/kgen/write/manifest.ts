/** Record of the written files, so that kgen deletes no file of the user. */
import type { JsonObject } from '../input/crd/crd-input.ts';
import { isObject } from '../input/json.ts';

/** Name of the manifest in the output folder. */
export const manifestName = 'kgen.lock.json';

/** Record of a run in the output folder. */
export interface Manifest {
  /** First part of the accessors of each group. Later runs reuse it, so that names are stable. */
  readonly accessors: ReadonlyMap<string, string>;
  /** Files that kgen wrote, as paths relative to the output folder, with `/`. */
  readonly files: readonly string[];
  /**
   * Facts of definitions that OpenAPI documents lack, by definition and version: `foos.example.com/v1`.
   * Absent for versions whose definition no run has read.
   */
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

export const emptyManifest: Manifest = { accessors: new Map(), files: [], definitions: new Map() };

/**
 * Prints sorted JSON with one line per entry: equal manifests are equal byte for byte, and branches that add
 * entries merge.
 */
export function printManifest(manifest: Manifest): string {
  const value = {
    generator: 'kgen',
    format: 1,
    accessors: Object.fromEntries(sorted(manifest.accessors)),
    definitions: Object.fromEntries(sorted(manifest.definitions)),
    files: [...manifest.files].sort(),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Returns `undefined` if the string is not a manifest of kgen. Entries that kgen cannot have written are
 * dropped.
 */
export function parseManifest(text: string): Manifest | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['generator'] !== 'kgen' || value['format'] !== 1) return undefined;
  return {
    accessors: new Map(entries(value['accessors'])),
    files: paths(value['files']),
    definitions: new Map(
      Object.entries(isObject(value['definitions']) ? value['definitions'] : {}).filter(isFacts),
    ),
  };
}

/** Returns whether a relative path with `/` stays below its folder on every platform. */
export function isSafePath(path: string): boolean {
  const parts = path.split('/');
  return !/[\\:\0]/.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller reports the error.
  }
}

function paths(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((path): path is string => typeof path === 'string' && isSafePath(path));
}

function entries(value: unknown): readonly (readonly [string, string])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function isFacts(entry: [string, unknown]): entry is [string, JsonObject] {
  return isObject(entry[1]);
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
