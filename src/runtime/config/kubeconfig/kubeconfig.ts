/** Editable kubeconfigs. Members have the names of the file format. */

import type { ClusterConfig } from '../types.ts';
import type { KubeconfigSelection } from './select.ts';

/** A context: cluster, user and namespace. */
export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly [member: string]: unknown;
}

/** Address of a server, and its TLS settings. Relative paths start at the folder of their kubeconfig. */
export interface KubeconfigCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  /** Certificates of the authorities that may sign the server's certificate, as PEM in base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly [member: string]: unknown;
}

/** Credentials of one user of a kubeconfig. Secrets are hidden from `util.inspect` and `JSON.stringify`. */
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

/** Members to set: others stay unchanged, `null` removes a member. */
export type KubeconfigChanges<T> = { readonly [Member in keyof T]?: T[Member] | null };

/**
 * A kubeconfig of one or more files. Entries are returned as they are in the files: only `config` validates
 * them. Changes are visible at once, and are in the files after `write`.
 */
export interface Kubeconfig {
  /**
   * Absolute paths of the files, also of those that do not exist yet. An entry of an earlier file takes
   * precedence.
   */
  readonly files: readonly string[];
  /** Name of the current context; `''` if none is set. */
  readonly currentContext: string;
  /**
   * The current contexts: a map that was read before a change does not include the change. This applies to
   * `clusters` and `users` too.
   */
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;

  /**
   * Returns the configuration of the current context, or of the selected one.
   * @throws {ConfigError} if there is none, or it is invalid
   */
  config(selection?: KubeconfigSelection): Promise<ClusterConfig>;

  /**
   * Sets the current context.
   * @throws {ConfigError} if the context does not exist
   */
  useContext(name: string): void;
  /** Changes a context, or creates it. Members that `changes` does not contain keep their values. */
  setContext(name: string, changes: KubeconfigChanges<KubeconfigContext>): void;
  /**
   * Renames a context; the current context stays the current one.
   * @throws {ConfigError} if the context does not exist, or the new name is in use
   */
  renameContext(name: string, to: string): void;
  /**
   * Deletes a context. `currentContext` is unchanged.
   * @throws {ConfigError} if the context does not exist
   */
  deleteContext(name: string): void;
  /** Changes a cluster, or creates it. Members that `changes` does not contain keep their values. */
  setCluster(name: string, changes: KubeconfigChanges<KubeconfigCluster>): void;
  /**
   * Deletes a cluster.
   * @throws {ConfigError} if the cluster does not exist
   */
  deleteCluster(name: string): void;
  /** Changes a user, or creates it. Members that `changes` does not contain keep their values. */
  setUser(name: string, changes: KubeconfigChanges<KubeconfigUser>): void;
  /**
   * Deletes a user.
   * @throws {ConfigError} if the user does not exist
   */
  deleteUser(name: string): void;

  /**
   * Writes the changes: each to the file of its entry, new entries and the current context to the first file
   * that exists (if none does, the last one is created with access for its owner only). Everything else in a
   * file is kept, including comments, unknown members and changes of other programs since it was read. Like
   * kubectl, it replaces a file as a whole while holding `<file>.lock`.
   * @throws {ConfigError} if a file cannot be written, another program holds its lock for more than five
   * seconds, or changes of other programs conflict. The changes are kept then, and `write` may be called
   * again
   */
  write(): Promise<void>;
}
