/** Sources that the arguments name, without repetitions. */
import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Checked, error, type InputProblem } from '../../common/problems.ts';
import { isArchive, readArchive } from './archive.ts';
import { codeOf, fileFault, findFiles, maxFileBytes, readFile, realPath, tooLarge } from './files.ts';
import {
  DownloadError,
  downloadUrl,
  type FetchFunction,
  isGitHub,
  isUrl,
  readUrl,
  type SourceBytes,
} from './url.ts';

/** Limits of a download: an archive of 64 MiB in two minutes. */
const repositoryLimits = { maxBytes: 64 * 1024 * 1024, timeoutMs: 120_000 };

/** Names that are parts of addresses as they are, without `.` and `..`. */
const name = /(?!\.{1,2}(?![\w.+-]))[\w.+-]+/.source;
const names = `${name}(?:/${name})*`;
const repositoryForm = new RegExp(
  `^github:(?<repo>${name}/${name})@(?<ref>${names})(?::(?<path>${names})?/?)?$`,
);

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

/**
 * Reads a file of a repository, or the files of a folder as if it was local. A file is one request, and a
 * folder one for the archive of the repository. No credentials are sent.
 */
async function readGitHub(argument: string, fetch?: FetchFunction): Promise<Checked<readonly SourceBytes[]>> {
  const { repo, ref, path = '' } = repositoryForm.exec(argument)?.groups ?? {};
  if (repo === undefined || ref === undefined) return refusedPart(malformed, argument);
  const isFile = /\.(?:ya?ml|json|t?gz|zip)$/i.test(path);
  const address = isFile
    ? `https://raw.githubusercontent.com/${repo}/${ref}/${path}`
    : `https://codeload.github.com/${repo}/tar.gz/${ref}`;
  try {
    const source = { file: argument, bytes: await downloadUrl(address, fetch, repositoryLimits) };
    if (isFile) return { value: [source], problems: [] };
    const folder = path === '' ? '' : `${path}/`;
    const within = (file: string): string | undefined => {
      const inside = file.slice(file.indexOf('/') + 1);
      return inside.startsWith(folder) ? inside.slice(folder.length) : undefined;
    };
    return await readArchive(source, { within, prefix: `github:${repo}@${ref}:${folder}` });
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause;
    return refusedPart(cause.status === 404 ? missing : cause.message, argument);
  }
}

const malformed =
  'this is not a part of a repository: give github:owner/repo@tag:path, with a tag, a branch or a commit';
const missing =
  'GitHub has no such repository, ref or file, or it is private: correct it, or download it and give its path';

function refusedPart(what: string, file: string): Checked<readonly SourceBytes[]> {
  return { value: [], problems: [error(what, { file })] };
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
