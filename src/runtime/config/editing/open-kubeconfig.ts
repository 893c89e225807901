/** Implementation of editable kubeconfigs. */
import { ConfigError } from '../../api/errors.ts';
import type { Fields } from '../../common/fields.ts';
import type { Contents, Entry } from '../kubeconfig/document.ts';
import { type KubeconfigFile, kubeconfigPaths, openKubeconfigFile } from '../kubeconfig/files.ts';
import { configOf } from '../kubeconfig/find.ts';
import type {
  Kubeconfig,
  KubeconfigChanges,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from '../kubeconfig/kubeconfig.ts';
import type { KubeconfigSelection } from '../kubeconfig/select.ts';
import type { KubeconfigOptions } from '../load.ts';
import { hideCluster, hideContext, hideUser } from '../redact/redact-entries.ts';
import type { ClusterConfig } from '../types.ts';
import {
  type Change,
  contentsOf,
  deleteEntry,
  renameContext,
  setCurrentContext,
  setEntry,
} from './change.ts';
import { writeChanges } from './write-changes.ts';

/** The contents of the files, and cached maps of them, which callers may read in loops. */
class View {
  readonly contents: Contents;
  #contexts: ReadonlyMap<string, Fields> | undefined;
  #clusters: ReadonlyMap<string, Fields> | undefined;
  #users: ReadonlyMap<string, Fields> | undefined;

  constructor(contents: Contents) {
    this.contents = contents;
  }

  get contexts(): ReadonlyMap<string, Fields> {
    this.#contexts ??= fieldsOf(this.contents.contexts, hideContext);
    return this.#contexts;
  }

  get clusters(): ReadonlyMap<string, Fields> {
    this.#clusters ??= fieldsOf(this.contents.clusters, hideCluster);
    return this.#clusters;
  }

  get users(): ReadonlyMap<string, Fields> {
    this.#users ??= fieldsOf(this.contents.users, hideUser);
    return this.#users;
  }
}

function fieldsOf(
  entries: ReadonlyMap<string, Entry>,
  shown: (fields: Fields) => Fields,
): ReadonlyMap<string, Fields> {
  return new Map([...entries].map(([name, { fields }]) => [name, shown(fields)]));
}

class OpenKubeconfig implements Kubeconfig {
  readonly files: readonly string[];
  #open: readonly KubeconfigFile[];
  #view: View;
  /** Changes that are not written yet. */
  #changes: readonly Change[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(open: readonly KubeconfigFile[]) {
    this.files = open.map(({ path }) => path);
    this.#open = open;
    this.#view = new View(contentsOf(open));
  }

  get currentContext(): string {
    return this.#view.contents.currentContext;
  }

  get contexts(): ReadonlyMap<string, KubeconfigContext> {
    return this.#view.contexts;
  }

  get clusters(): ReadonlyMap<string, KubeconfigCluster> {
    return this.#view.clusters;
  }

  get users(): ReadonlyMap<string, KubeconfigUser> {
    return this.#view.users;
  }

  async config(selection: KubeconfigSelection = {}): Promise<ClusterConfig> {
    const source = this.files.join(', ');
    if (this.#changes.length === 0 && !this.#open.some(({ exists }) => exists)) {
      throw new ConfigError(`kubeconfig ${source} not found`);
    }
    return configOf(this.#view.contents, selection, source);
  }

  useContext(name: string): void {
    this.#change(setCurrentContext(name));
  }

  setContext(name: string, changes: KubeconfigChanges<KubeconfigContext>): void {
    this.#change(setEntry('context', name, changes));
  }

  renameContext(name: string, to: string): void {
    this.#change(renameContext(name, to));
  }

  deleteContext(name: string): void {
    this.#change(deleteEntry('context', name));
  }

  setCluster(name: string, changes: KubeconfigChanges<KubeconfigCluster>): void {
    this.#change(setEntry('cluster', name, changes));
  }

  deleteCluster(name: string): void {
    this.#change(deleteEntry('cluster', name));
  }

  setUser(name: string, changes: KubeconfigChanges<KubeconfigUser>): void {
    this.#change(setEntry('user', name, changes));
  }

  deleteUser(name: string): void {
    this.#change(deleteEntry('user', name));
  }

  write(): Promise<void> {
    const written = this.#writing.then(() => this.#writeNow());
    // The next write begins after this one, even if this one fails; its caller receives the error.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #change(change: Change): void {
    change(this.#open);
    this.#view = new View(contentsOf(this.#open));
    this.#changes = [...this.#changes, change];
  }

  async #writeNow(): Promise<void> {
    const { length } = this.#changes;
    if (length === 0) return;
    const open = await writeChanges(this.files, this.#changes);
    const later = this.#changes.slice(length);
    for (const change of later) change(open);
    this.#open = open;
    this.#view = new View(contentsOf(open));
    this.#changes = later;
  }
}

/** Implements `loadKubeconfig`. */
export async function openKubeconfig(options: KubeconfigOptions = {}): Promise<Kubeconfig> {
  return new OpenKubeconfig(await Promise.all(kubeconfigPaths(options).paths.map(openKubeconfigFile)));
}
