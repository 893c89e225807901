/** Files of archives, in memory: tar with gzip, as charts and repositories are, and zip. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Checked, error, type InputProblem, warning } from '../../common/problems.ts';
import { isInputPath } from './files.ts';
import type { SourceBytes } from './url.ts';

/** Maximum size of all files of an archive: 256 MiB. */
export const maxUnpackedBytes: number = 256 * 1024 * 1024;

/** Returns whether bytes are those of an archive, by their first bytes. */
export function isArchive(bytes: Uint8Array): boolean {
  return isGzip(bytes) || isZip(bytes);
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

function isZip([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/** Selection and names of the files of an archive. */
export interface ArchiveOptions {
  /** Returns the part of a path that names the file, or `undefined` to skip it. Default: the whole path. */
  readonly within?: (path: string) => string | undefined;
  /** Begins the name of each file. Default: the name of the archive, and `/`. */
  readonly prefix?: string;
  /** Limit of the size of all files. Default: 256 MiB. */
  readonly maxBytes?: number;
}

/**
 * Returns the files that a folder with the content of the archive would be searched for, sorted by name:
 * `chart.tgz/crds/a.yaml` is their name in messages. Links are ignored. A template of a chart is skipped with
 * a warning.
 */
export async function readArchive(
  { file, bytes }: SourceBytes,
  { within = (path) => path, prefix = `${file}/`, maxBytes = maxUnpackedBytes }: ArchiveOptions = {},
): Promise<Checked<readonly SourceBytes[]>> {
  const nameOf = (path: string): string => (isSafe(path) && within(normalised(path))) || '';
  const isIncluded = (path: string): boolean => isInputPath(nameOf(path));
  try {
    const unpacked = await (isGzip(bytes) ? untar : unzip)(bytes, isIncluded, maxBytes);
    // If several files have one name, the last one counts, as if the archive was unpacked.
    const named = new Map(unpacked.map(([path, content]) => [prefix + nameOf(path), content]));
    const files = [...named].map(([name, content]) => ({
      file: name,
      bytes: content,
      isMember: true as const,
    }));
    if (files.length > 0) return withoutTemplates(files);
    return refused('no *.yaml, *.yml or *.json file is in it: give another one', file);
  } catch (cause) {
    return refused(reason(cause, maxBytes), file);
  }
}

/** Paths are only names in messages, but a path that leaves the archive, or contains escapes, is not one. */
function isSafe(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
  return !/[\0-\x1f\x7f\\]/.test(path) && !path.startsWith('/') && !path.split('/').includes('..');
}

/** Returns `crds/a.yaml` of `./crds//a.yaml`. */
function normalised(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Returns the included files by their paths. */
type Unpack = (
  bytes: Uint8Array,
  isIncluded: (path: string) => boolean,
  maxBytes: number,
) => Promise<readonly (readonly [path: string, content: Uint8Array])[]>;

const untar: Unpack = async (bytes, isIncluded, maxBytes) => {
  const { unpackTar } = await import('modern-tar');
  const whole = await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  const filter = ({ name, type }: { readonly name: string; readonly type?: string }): boolean =>
    type === 'file' && isIncluded(name);
  const entries = await unpackTar(whole, { strict: true, filter });
  return entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]);
};

const unzip: Unpack = async (bytes, isIncluded, maxBytes) => {
  const { unzipSync } = await import('fflate');
  let total = 0;
  const unpacked = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!isIncluded(name)) return false;
      total += originalSize;
      if (total > maxBytes) throw new RangeError('too large');
      return true;
    },
  });
  return Object.entries(unpacked);
};

function withoutTemplates(files: readonly SourceBytes[]): Checked<readonly SourceBytes[]> {
  const problems: InputProblem[] = [];
  const sources = files.filter(({ file, bytes }) => {
    const isTemplate = /(?:^|[/:])templates\//.test(file) && Buffer.from(bytes).includes('{{');
    if (isTemplate) problems.push(warning(templateSkipped, { file }));
    return !isTemplate;
  });
  return { value: sources.sort((a, b) => (a.file < b.file ? -1 : 1)), problems };
}

const templateSkipped =
  'this is a template of a chart: it is skipped; to include it, pipe the output of `helm template` into `kgen -`';

function reason(cause: unknown, maxBytes: number): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (cause instanceof RangeError || code === 'ERR_BUFFER_TOO_LARGE')
    return `the archive has more than ${maxBytes / 1024 / 1024} MiB of files: unpack it, and give the files that you need`;
  const why = cause instanceof Error ? cause.message : String(cause);
  return `the archive cannot be unpacked (${why}): only .tar.gz and .zip are read; download it again, or unpack it`;
}

function refused(what: string, file: string): Checked<readonly SourceBytes[]> {
  return { value: [], problems: [error(what, { file })] };
}
