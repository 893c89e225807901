/** The kubeconfig of a server on disk. It is removed with the process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, isObject, type Json, object, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { dump, load } from 'js-yaml';
import { writeOwnerFile } from './owner-file.ts';

/** A kubeconfig that this process has written. */
export interface WrittenKubeconfig {
  readonly path: string;
  /** Removes the file, unless another program has replaced it. Never throws. */
  remove(): void;
}

/** Name of the extension by which a file is recognized. kubectl keeps extensions when it changes a file. */
const extension = 'kgen-testserver';

/** @throws {Error} the file has another origin, or belongs to a server that runs */
export function checkKubeconfig(path: string): void {
  const content = contentOf(path);
  if (content === undefined) return;
  const owner = ownerOf(content);
  if (owner === undefined)
    throw new Error(`${path} is not a kubeconfig of kgen serve: choose another file for --kubeconfig`);
  if (isRunning(owner))
    throw new Error(`${path} is the kubeconfig of process ${owner}: stop it, or choose another file`);
}

/** @throws {Error} the file cannot be read */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new Error(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/** Returns the process that has written a kubeconfig, or `undefined` if another program has. */
function ownerOf(content: string): number | undefined {
  const entry = array(configOf(content), 'extensions').find((each) => text(each, 'name') === extension);
  const pid = own(object(entry, 'extension'), 'pid');
  return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function configOf(content: string): Json {
  try {
    // seam: YAML has further types, which no reader of the result distinguishes
    return load(content) as Json;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // The process of another user.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

/**
 * Writes a kubeconfig, readable for its owner only.
 * @param path default: a file in a temporary folder
 * @throws {Error} the file cannot be written
 */
export function writeKubeconfig(path: string | undefined, kubeconfig: string): WrittenKubeconfig {
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'kgen-serve-')) : undefined;
  const file = path ?? join(folder ?? '', 'kubeconfig');
  const config = configOf(kubeconfig);
  const marked = {
    ...(isObject(config) && config),
    extensions: [{ name: extension, extension: { pid: process.pid } }],
  };
  const remove = (): void => {
    process.off('exit', remove);
    try {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      else if (ownerOf(contentOf(file) ?? '') === process.pid) rmSync(file, { force: true });
    } catch {
      // The file is unreadable, and therefore of another program.
    }
  };
  // Also if an error ends the process.
  process.on('exit', remove);
  writeOwnerFile(file, dump(marked));
  return { path: file, remove };
}
