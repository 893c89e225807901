/** The definitions that changes are compared with: files, a commit, or a cluster. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { text } from '@kgen/schema/values/json';
import { type Checked, error, hasErrors, type InputProblem, quote } from '../../common/problems.ts';
import type { CrdInput } from '../../input/crd/crd-input.ts';
import { loadCrds } from '../../input/load.ts';
import { isUrl } from '../../input/sources/url.ts';

/** A definition with the positions of its parts. */
export type Definition = Pick<CrdInput, 'value' | 'position'>;

/** Where the definitions are read. */
export interface AgainstOptions {
  /** A file, folder, glob pattern or address of definitions, or a commit of the repository of `cwd`. */
  readonly against: string;
  /** The folder that is read at a commit, relative to `cwd`. */
  readonly out: string;
  readonly cwd: string;
}

/**
 * Reads the definitions of files or of a commit. A commit without the folder has none. Errors are returned in
 * `problems`.
 */
export async function readAgainst(options: AgainstOptions): Promise<Checked<readonly Definition[]>> {
  const { against, cwd } = options;
  const isFile = isUrl(against) || /[*?{]/.test(against) || existsSync(resolve(cwd, against));
  if (isFile) return definitionsIn([against], cwd, Readable.from([]));
  const archive = await archiveAt(options);
  if ('what' in archive) return { value: [], problems: [archive] };
  if (archive.length === 0) return { value: [], problems: [] };
  const { value, problems } = await definitionsIn(['-'], cwd, Readable.from([archive]));
  const isEmpty = value.length === 0 && problems.every(({ where }) => where === undefined);
  return isEmpty
    ? { value, problems: [] }
    : { value, problems: problems.map((each) => named(each, against)) };
}

async function definitionsIn(
  input: readonly string[],
  cwd: string,
  stdin: Readable,
): Promise<Checked<readonly Definition[]>> {
  const { crds, problems } = await loadCrds({ input, cwd, stdin });
  const older = crds.filter((crd) => text(crd.input.value, 'apiVersion') !== 'apiextensions.k8s.io/v1');
  const refused = older.map((crd) =>
    error('definitions of v1beta1 cannot be compared: convert it to v1', crd.input.position(['apiVersion'])),
  );
  const value = hasErrors([...problems, ...refused]) ? [] : crds.map((crd) => crd.input);
  return { value, problems: [...problems.filter(({ severity }) => severity === 'error'), ...refused] };
}

/** Files of the archive have the name of the standard input. */
function named({ where, ...problem }: InputProblem, against: string): InputProblem {
  if (where === undefined) return problem;
  return { ...problem, where: { ...where, file: where.file.replace('<stdin>', against) } };
}

const run = promisify(execFile);

/** Returns an archive of the folder at a commit, which is empty if the commit lacks the folder. */
async function archiveAt({ against, out, cwd }: AgainstOptions): Promise<Uint8Array | InputProblem> {
  const git = async (...args: readonly string[]): Promise<Buffer> =>
    (await run('git', [...args], { cwd, encoding: 'buffer', maxBuffer: maxBytes })).stdout;
  let commit: string;
  try {
    const name = `${against}^{commit}`;
    commit = String(await git('rev-parse', '--verify', '--quiet', '--end-of-options', name)).trim();
  } catch {
    // Git prints nothing with --quiet.
    return error(`${quote(against)} is neither a file nor a commit of this repository: correct --against`);
  }
  try {
    const entries = await git('ls-tree', '--name-only', '-z', commit, '--', out);
    return entries.length === 0 ? entries : await git('archive', '--format=zip', commit, '--', out);
  } catch (cause) {
    const [line = ''] = cause instanceof Error ? cause.message.split('\n').slice(1) : [];
    return error(`${out} cannot be read at ${quote(against)}: ${quote(line, 200)}`);
  }
}

/** Maximum size of an archive: 64 MiB. */
const maxBytes = 64 * 1024 * 1024;
