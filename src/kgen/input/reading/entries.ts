import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Checked, error, type InputProblem } from '../../common/problems.ts';
import { isArchive, readArchive } from './archive.ts';
import { codeOf, fileFault, findFiles, maxFileBytes, readFile, realPath, tooLarge } from './files.ts';
import { readGitHub } from './github.ts';
import { type FetchFunction, isGitHub, isUrl, readUrl, type SourceBytes } from './url.ts';

/** Sources of input. */
export interface InputOptions {
  /**
   * Files, folders, glob patterns, https addresses, `github:owner/repo@tag:path`, `-` for standard input.
   * Files, addresses and streams may be archives.
   */
  readonly input: readonly string[];
  /** Folder that relative paths are resolved against. */
  readonly cwd: string;
  /** Source of `-`. */
  readonly stdin: Readable;
  /** Implementation of `fetch` for addresses. Default: the global `fetch`. */
  readonly fetch?: FetchFunction;
}

/** An item to read, with the name under which it is reported. */
export interface Entry {
  readonly file: string;
  /** Whether it was only found in folders and by patterns, where files of any content may be. */
  readonly isSearched: boolean;
  /** Returns its content; of an archive or a repository, the content of each file. */
  readonly read: () => Promise<Checked<readonly SourceBytes[]>>;
}

/**
 * Returns every file, address and stream of the arguments once, even if several arguments lead to it. If a
 * file has several names, the choice does not depend on the order of the arguments.
 */
export async function findEntries(options: InputOptions): Promise<Checked<readonly Entry[]>> {
  const problems: InputProblem[] = [];
  const entries = new Map<string, Entry>();
  const add = (key: string, entry: Entry): void => {
    const known = entries.get(key);
    const isSearched = entry.isSearched && known?.isSearched !== false;
    const named = known === undefined || isBefore(entry.file, known.file) ? entry : known;
    entries.set(key, { ...named, isSearched });
  };
  const { stdin, fetch } = options;
  for (const argument of options.input) {
    const named = { file: argument, isSearched: false };
    if (argument === '-') {
      add(argument, { ...named, file: '<stdin>', read: async () => unpacked(await readStdin(stdin)) });
    } else if (isGitHub(argument)) {
      add(argument, { ...named, read: async () => eachUnpacked(await readGitHub(argument, fetch)) });
    } else if (isUrl(argument)) {
      add(argument, { ...named, read: async () => unpacked(await readUrl(argument, fetch)) });
    } else {
      const files = await findFiles(argument, options.cwd);
      for (const problem of files.problems) problems.push(problem);
      for (const found of files.value) {
        const { file, isSearched } = found;
        add(realPath(found.path), { file, isSearched, read: async () => unpacked(readFile(found)) });
      }
    }
  }
  return { value: [...entries.values()], problems };
}

/** Returns the files of an archive, and any other content as it is. */
async function unpacked({ value, problems }: Checked<SourceBytes | undefined>) {
  return eachUnpacked({ value: value === undefined ? [] : [value], problems });
}

async function eachUnpacked(read: Checked<readonly SourceBytes[]>): Promise<Checked<readonly SourceBytes[]>> {
  const [only] = read.value;
  const isPacked = only !== undefined && isArchive(only.bytes) && !/\.(?:ya?ml|json)$/i.test(only.file);
  return isPacked ? readArchive(only) : read;
}

/** Generated files contain base names, so these are compared first. */
function isBefore(a: string, b: string): boolean {
  const [nameA, nameB] = [basename(a), basename(b)];
  return nameA === nameB ? a < b : nameA < nameB;
}

async function readStdin(stdin: Readable): Promise<Checked<SourceBytes | undefined>> {
  const file = '<stdin>';
  const refuse = (what: string): Checked<undefined> => ({
    value: undefined,
    problems: [error(what, { file })],
  });
  const parts: Buffer[] = [];
  let total = 0;
  try {
    if (isFolder(stdin)) return refuse(fileFault('EISDIR'));
    for await (const part of stdin) {
      const bytes = Buffer.from(part);
      total += bytes.length;
      if (total > maxFileBytes) return refuse(tooLarge);
      parts.push(bytes);
    }
  } catch (cause) {
    return refuse(fileFault(codeOf(cause)));
  }
  return { value: { file, bytes: Buffer.concat(parts) }, problems: [] };
}

/** Node returns an empty stream if standard input is a folder, as in `kgen - < crds`. */
function isFolder(stdin: Readable): boolean {
  return 'fd' in stdin && typeof stdin.fd === 'number' && fstatSync(stdin.fd).isDirectory();
}
