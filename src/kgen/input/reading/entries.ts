import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Checked, error, type InputProblem } from '../../common/problems.ts';
import { codeOf, fileFault, findFiles, maxFileBytes, readFile, realPath, tooLarge } from './files.ts';
import { type FetchFunction, isUrl, readUrl, type SourceBytes } from './url.ts';

/** Sources of input. */
export interface InputOptions {
  /** Files, folders, glob patterns, https addresses, `-` for standard input. */
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
  readonly read: () => Checked<SourceBytes | undefined> | Promise<Checked<SourceBytes | undefined>>;
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
  for (const argument of options.input) {
    if (argument === '-') {
      add(argument, { file: '<stdin>', isSearched: false, read: () => readStdin(options.stdin) });
    } else if (isUrl(argument)) {
      add(argument, { file: argument, isSearched: false, read: () => readUrl(argument, options.fetch) });
    } else {
      const files = await findFiles(argument, options.cwd);
      for (const problem of files.problems) problems.push(problem);
      for (const found of files.value) {
        const { file, isSearched } = found;
        add(realPath(found.path), { file, isSearched, read: () => readFile(found) });
      }
    }
  }
  return { value: [...entries.values()], problems };
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
