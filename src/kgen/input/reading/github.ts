/** Files and folders of repositories on GitHub: `github:owner/repo@tag:path`. */
import { type Checked, error } from '../../common/problems.ts';
import { readArchive } from './archive.ts';
import { DownloadError, downloadUrl, type FetchFunction, type SourceBytes } from './url.ts';

/** Limits of a download: an archive of 64 MiB in two minutes. */
const limits = { maxBytes: 64 * 1024 * 1024, timeoutMs: 120_000 };

/** Names that are parts of addresses as they are, without `.` and `..`. */
const name = /(?!\.{1,2}(?![\w.+-]))[\w.+-]+/.source;
const names = `${name}(?:/${name})*`;
const form = new RegExp(`^github:(?<repo>${name}/${name})@(?<ref>${names})(?::(?<path>${names})?/?)?$`);

/**
 * Reads a file of a repository, or the files of a folder as if it was local. A file is one request, and a
 * folder one for the archive of the repository. No credentials are sent.
 */
export async function readGitHub(
  argument: string,
  fetch?: FetchFunction,
): Promise<Checked<readonly SourceBytes[]>> {
  const { repo, ref, path = '' } = form.exec(argument)?.groups ?? {};
  if (repo === undefined || ref === undefined) return refused(malformed, argument);
  const isFile = /\.(?:ya?ml|json|t?gz|zip)$/i.test(path);
  const address = isFile
    ? `https://raw.githubusercontent.com/${repo}/${ref}/${path}`
    : `https://codeload.github.com/${repo}/tar.gz/${ref}`;
  try {
    const source = { file: argument, bytes: await downloadUrl(address, fetch, limits) };
    if (isFile) return { value: [source], problems: [] };
    const folder = path === '' ? '' : `${path}/`;
    const within = (file: string): string | undefined => {
      const inside = file.slice(file.indexOf('/') + 1);
      return inside.startsWith(folder) ? inside.slice(folder.length) : undefined;
    };
    return await readArchive(source, { within, prefix: `github:${repo}@${ref}:${folder}` });
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause;
    return refused(cause.status === 404 ? missing : cause.message, argument);
  }
}

const malformed =
  'this is not a part of a repository: give github:owner/repo@tag:path, with a tag, a branch or a commit';
const missing =
  'GitHub has no such repository, ref or file, or it is private: correct it, or download it and give its path';

function refused(what: string, file: string): Checked<readonly SourceBytes[]> {
  return { value: [], problems: [error(what, { file })] };
}
