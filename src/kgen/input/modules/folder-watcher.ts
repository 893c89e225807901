import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Watches folders, without those in them. */
export class FolderWatcher {
  /** By path; a folder that is created again has another identity. */
  readonly #watchers = new Map<string, { readonly identity: string; readonly watcher: FSWatcher }>();
  #isClosed = false;
  #notify: () => void = () => undefined;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns a promise of the next event, which is fulfilled by `close`, too. Replaces an earlier promise. */
  nextEvent(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }

  /**
   * Watches exactly these folders; in place of a missing one, its nearest ancestor.
   * @throws {Error} with a `code` if the system has no more watches
   */
  watch(folders: readonly string[]): void {
    if (this.#isClosed) return;
    const present = new Map(folders.map(nearest));
    for (const [path, { identity, watcher }] of this.#watchers) {
      if (present.get(path) === identity) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    for (const [path, identity] of present) {
      if (this.#watchers.has(path)) continue;
      const watcher = watch(path, () => this.#notify());
      watcher.on('error', () => this.#notify());
      this.#watchers.set(path, { identity, watcher });
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#notify();
  }
}

function nearest(path: string): readonly [path: string, identity: string] {
  try {
    const { dev, ino, birthtimeMs } = statSync(path);
    return [path, `${dev} ${ino} ${birthtimeMs}`]; // Numbers of inodes are used again.
  } catch {
    const parent = dirname(path);
    return parent === path ? [path, ''] : nearest(parent);
  }
}
