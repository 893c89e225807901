import { createHash } from 'node:crypto';

/** Name of the manifest, inside the output folder. */
export const manifestName = 'kgen.lock.json';

/** What kgen remembers of a run in the output folder. */
export interface Manifest {
  /** First part of the accessors of each group, kept on later runs so that names stay what they were. */
  readonly accessors: ReadonlyMap<string, string>;
  /** SHA-256 of each file that kgen wrote, by path relative to the output folder, with `/`. */
  readonly files: ReadonlyMap<string, string>;
}

export const emptyManifest: Manifest = { accessors: new Map(), files: new Map() };

/** As JSON with sorted keys: the same manifest is always the same text. */
export function printManifest(manifest: Manifest): string {
  const value = {
    generator: 'kgen',
    format: 1,
    accessors: Object.fromEntries(sorted(manifest.accessors)),
    files: Object.fromEntries(sorted(manifest.files)),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Undefined when the text is no manifest of kgen; entries that cannot be kgen's own are left out. */
export function parseManifest(text: string): Manifest | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value['generator'] !== 'kgen' || value['format'] !== 1) return undefined;
  const files = entries(value['files']).filter(([path]) => isSafePath(path));
  return { accessors: new Map(entries(value['accessors'])), files: new Map(files) };
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** True for relative paths with `/` that stay below their folder on every platform. */
export function isSafePath(path: string): boolean {
  const parts = path.split('/');
  return !/[\\:\0]/.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what that means
  }
}

function entries(value: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
