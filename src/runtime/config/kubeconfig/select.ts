/** Selection of the context, cluster and user of a kubeconfig. */
import { ConfigError } from '../../api/errors.ts';
import { type Contents, type Entry, textMember } from './document.ts';

/** Overrides of the selection in a kubeconfig. */
export interface KubeconfigSelection {
  /** Name of a context in the kubeconfig. Default: the current context. */
  readonly context?: string | undefined;
  /** Name of a cluster. Default: the context's. With one, no context is needed. */
  readonly cluster?: string | undefined;
  /** Name of a user in the kubeconfig. Default: the user of the context. */
  readonly user?: string | undefined;
  /** Namespace of the configuration. Default: that of the context, otherwise `default`. */
  readonly namespace?: string | undefined;
}

/** Selected entries of a kubeconfig. */
export interface Selected {
  /** Absent if a cluster was named and no current context is set. */
  readonly context: string | undefined;
  readonly cluster: Entry;
  /** Absent if the context names none: requests are sent without credentials. */
  readonly user: Entry | undefined;
  readonly namespace: string;
}

/** Maximum number of names in a message: some kubeconfigs have thousands of clusters. */
const maxNames = 20;

/** Lists the existing names for a message about a missing one. */
export function known(entries: Iterable<string>): string {
  const names = [...entries].filter((name) => name !== '').map((name) => JSON.stringify(name));
  if (names.length === 0) return 'none exist';
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `existing: ${names.slice(0, maxNames).join(', ')}${more}`;
}

/**
 * Finds the selected entries.
 * @throws {ConfigError} if an entry does not exist; the message lists the existing names
 */
export function selectEntries(config: Contents, selection: KubeconfigSelection, source: string): Selected {
  const context = findContext(config, selection, source);
  const where = `${source}: context ${JSON.stringify(context?.name)}`;
  const usedBy = `, which context ${JSON.stringify(context?.name)} uses`;
  const stated = (name: string): string | undefined => context && textMember(context.fields, name, where);
  const cluster = selection.cluster || stated('cluster');
  if (cluster === undefined) throw new ConfigError(`${where} names no cluster`);
  const user = selection.user || stated('user');
  return {
    context: context?.name,
    cluster: find(config.clusters, cluster, 'cluster', source, selection.cluster ? '' : usedBy),
    user:
      user === undefined ? undefined : find(config.users, user, 'user', source, selection.user ? '' : usedBy),
    namespace: selection.namespace || stated('namespace') || 'default',
  };
}

function find(
  entries: ReadonlyMap<string, Entry>,
  name: string,
  kind: string,
  source: string,
  usedBy = '',
): Entry {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  throw new ConfigError(`${source}: no ${kind} ${JSON.stringify(name)}${usedBy}; ${known(entries.keys())}`);
}

/** Returns the selected context; none is needed if a cluster is named. */
function findContext(config: Contents, selection: KubeconfigSelection, source: string): Entry | undefined {
  const name = selection.context || config.currentContext;
  if (name !== '') return find(config.contexts, name, 'context', source);
  if (selection.cluster) return undefined;
  throw new ConfigError(
    `${source}: current-context is not set; set it, or name a context: ${known(config.contexts.keys())}`,
  );
}
