/** Archives of local files for a container. */
import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { CopyPlan } from './plan.ts';
import { tarEnd, tarHeader, tarPadding } from './tar-write.ts';

/** Creates the archive of a local file or folder. */
export class LocalArchive {
  /** Paths of local devices, FIFOs and sockets, which the archive does not contain. */
  readonly skipped: string[] = [];
  readonly #plan: CopyPlan;

  constructor(plan: CopyPlan) {
    this.#plan = plan;
  }

  /** Yields the bytes of the archive. Folders that exist in the container have no entry. */
  async *bytes(localPath: string): AsyncGenerator<Uint8Array, void> {
    yield* this.#entriesOf(localPath, this.#plan.root);
    yield tarEnd;
  }

  async *#entriesOf(path: string, inferred: string): AsyncGenerator<Uint8Array, void> {
    const stats = await lstat(path);
    const present = this.#plan.existing.get(path);
    const name = present ?? inferred;
    const common = { path: name, mode: stats.mode, mtime: stats.mtimeMs / 1000 };
    if (stats.isSymbolicLink()) {
      yield tarHeader({ ...common, kind: 'symlink', size: 0, target: await readlink(path) });
    } else if (stats.isDirectory()) {
      if (present === undefined) yield tarHeader({ ...common, kind: 'directory', size: 0 });
      const prefix = name === '' ? '' : `${name}/`;
      for (const entry of await readdir(path)) yield* this.#entriesOf(join(path, entry), `${prefix}${entry}`);
    } else if (stats.isFile()) {
      yield tarHeader({ ...common, kind: 'file', size: stats.size });
      yield* contentOf(path, stats);
      yield tarPadding(stats.size);
    } else {
      this.skipped.push(path);
    }
  }
}

/** A file that grows is cut off, and one that shrinks is an error: its header has been sent. */
async function* contentOf(path: string, { size }: Stats): AsyncGenerator<Uint8Array, void> {
  if (size === 0) return;
  let left = size;
  for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: 256 * 1024 })) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new Error(`the file ${path} became shorter while it was copied`);
}
