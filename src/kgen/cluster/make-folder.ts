import { dirname } from 'node:path';

/** Makes one folder, and rejects as `mkdir` of `node:fs/promises` does. */
type Make = (path: string) => Promise<unknown>;

/**
 * Makes a folder and those above it that are missing. Rejects with the system's error. Each is tried
 * twice at most: Node's own `recursive` goes on for ever in a file system that makes no folders and says `ENOENT`, such as
 * `/proc`.
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

/** A file that stands there is met by whoever writes below it. */
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
