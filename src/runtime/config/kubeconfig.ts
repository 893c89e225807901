/** A kubeconfig as data that can be changed and written back. Members have the names that the file has. */
import type { Selection } from './select.ts';
import type { ClusterConfig } from './types.ts';

/** Which cluster, as which user, in which namespace. */
export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly [member: string]: unknown;
}

/** Where a server is, and how it is trusted. Relative paths start at the folder of the kubeconfig that they are in. */
export interface KubeconfigCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  /** PEM in base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly [member: string]: unknown;
}

/** Who one is. Secrets in it are hidden from `util.inspect` and `JSON.stringify`. */
export interface KubeconfigUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly [member: string]: unknown;
}

/** Members to set: those that are not named stay as they are, `null` removes one. */
export type KubeconfigChanges<T> = { readonly [Member in keyof T]?: T[Member] | null };

/**
 * The kubeconfig of one file or of several. What is read is as the files have it: only `config` checks it. Changes are
 * seen at once and are in the files after `write`.
 */
export interface Kubeconfig {
  /** Absolute paths of the files, of which the first one that has an entry holds; also of those that are not there yet. */
  readonly files: readonly string[];
  /** `''` where none is set. */
  readonly currentContext: string;
  /** As they are now: a map that was read before a change does not follow it. So with `clusters` and `users`. */
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;

  /**
   * The configuration of the current context, or of what is named instead.
   * @throws {ConfigError} there is none, or it cannot be used
   */
  config(selection?: Selection): Promise<ClusterConfig>;

  /** Makes a context the current one. @throws {ConfigError} there is none of that name */
  useContext(name: string): void;
  /** Changes a context, or makes a new one. */
  setContext(name: string, changes: KubeconfigChanges<KubeconfigContext>): void;
  /**
   * Gives a context another name; the current context stays the current one.
   * @throws {ConfigError} there is none of that name, or there is one of the other
   */
  renameContext(name: string, to: string): void;
  /** Deletes a context. `currentContext` is not changed by it. @throws {ConfigError} there is none of that name */
  deleteContext(name: string): void;
  /** Changes a cluster, or makes a new one. */
  setCluster(name: string, changes: KubeconfigChanges<KubeconfigCluster>): void;
  /** @throws {ConfigError} there is none of that name */
  deleteCluster(name: string): void;
  /** Changes a user, or makes a new one. */
  setUser(name: string, changes: KubeconfigChanges<KubeconfigUser>): void;
  /** @throws {ConfigError} there is none of that name */
  deleteUser(name: string): void;

  /**
   * Writes the changes: each to the file that its entry is from, new entries and the current context to the first file
   * that is there (where none is, the last one is made, for its owner alone). Everything else in a file stays, comments
   * and unknown members too, and so does what others wrote since it was read. A file is replaced as a whole while its
   * `<file>.lock` is held, as kubectl does.
   * @throws {ConfigError} a file cannot be written, somebody else holds its lock for more than five seconds, or what
   * others wrote makes a change impossible. Then the changes are kept, and `write` may be called again
   */
  write(): Promise<void>;
}
