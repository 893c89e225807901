/** Contents of manifest files. Loaded when manifests are read from files. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../common/callbacks.ts';
import { findFiles } from './find-files.ts';

/** A manifest file. */
export interface ManifestFile {
  /** Path as in the argument that it was found by. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the files of all arguments, in their order, each file once.
 * @throws {TypeError} no argument, or one that is not a non-empty string
 * @throws {Error} an argument without files, or a file that cannot be read
 */
export async function readFiles(
  files: string | readonly string[],
  cwd: string = process.cwd(),
): Promise<readonly ManifestFile[]> {
  const paths = new Map<string, string>();
  for (const argument of checkedArguments(files)) {
    for (const path of await findFiles(argument, cwd)) {
      const key = resolve(cwd, path);
      if (!paths.has(key)) paths.set(key, path);
    }
  }
  const read: ManifestFile[] = [];
  for (const [key, path] of paths) read.push({ path, text: await textOf(key, path) });
  return read;
}

function checkedArguments(files: string | readonly string[]): readonly string[] {
  const list: readonly unknown[] = Array.isArray(files) ? files : [files];
  const valid = list.filter((file): file is string => typeof file === 'string' && file !== '');
  if (valid.length > 0 && valid.length === list.length) return valid;
  throw new TypeError('files must be a path, a folder, a glob pattern, or a non-empty list of them');
}

async function textOf(key: string, path: string): Promise<string> {
  try {
    return await readFile(key, 'utf8');
  } catch (cause) {
    throw new Error(`${path}: the file cannot be read: ${messageOf(cause)}`, { cause });
  }
}
