import { dirname } from 'node:path';

/** Creates one folder, and rejects as `mkdir` of `node:fs/promises` does. */
type Make = (path: string) => Promise<unknown>;

/**
 * Creates a folder and its missing parents. Rejects with the error of the operating system. Each folder is
 * tried at most twice, because Node's `recursive` never returns on file systems that fail with `ENOENT` for
 * new folders, such as `/proc`.
 */
export async function makeFolder(path: string, make: Make): Promise<void> {
  const above = dirname(path);
  try {
    await makeOnce(path, make);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT' || above === path) throw cause;
    await makeFolder(above, make);
    await makeOnce(path, make);
  }
}

/** If the path is a file, writing below it fails. */
async function makeOnce(path: string, make: Make): Promise<void> {
  try {
    await make(path);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  }
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
