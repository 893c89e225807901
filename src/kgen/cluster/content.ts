/** Content of a live cluster with its kubeconfig and cache, before it is described. */
import type { Transport } from '@kgen/runtime/rest';
import { Cache, defaultCacheFolder, type Environment } from '../common/cache/cache.ts';
import { type Checked, error, type InputProblem, warning } from '../common/problems.ts';
import type { Pattern } from '../model/select.ts';
import { type ClusterContent, readCluster } from './read.ts';
import { explained, Refusal, type Runtime, refusalText, Unavailable } from './refusal.ts';
import { Server } from './server.ts';

/** Selects a cluster and parts of its API. */
export interface ClusterOptions {
  /** Path of a kubeconfig. Default: `$KUBECONFIG`, `~/.kube/config`, or the service account of a pod. */
  readonly kubeconfig?: string | undefined;
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** Default: `$XDG_CACHE_HOME/kgen`, or `~/.cache/kgen`. Each server has a folder in it. */
  readonly cacheFolder?: string | undefined;
  /** Documents without any selected kind are not read. Default: all kinds. */
  readonly include?: readonly Pattern[] | undefined;
  readonly exclude?: readonly Pattern[] | undefined;
  /** Whether all documents are needed themselves, for `paths.ts`. */
  readonly needsDocuments: boolean;
  /** Default: `process.env`. */
  readonly env?: Environment | undefined;
  /** Replaces the connections of the client. */
  readonly transport?: Transport | undefined;
  /** Limit for one response of the cluster with all retries. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Called with the number of documents that have been read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads documents, discovery and CRDs of a cluster, as described for `loadCluster`. Returns `undefined` with
 * an error if nothing could be read.
 */
export async function loadContent(options: ClusterOptions): Promise<Checked<ClusterContent | undefined>> {
  const runtime = await import('@kgen/runtime');
  try {
    return await connected(runtime, options);
  } catch (cause) {
    const why = explained(runtime, cause, '');
    if (why instanceof Refusal || why instanceof Unavailable) {
      return { value: undefined, problems: [error(refusalText(why))] };
    }
    throw cause;
  }
}

async function connected(runtime: Runtime, options: ClusterOptions): Promise<Checked<ClusterContent>> {
  const { kubeconfig, context, env = process.env, transport } = options;
  const config = await runtime.loadConfig({ kubeconfig, context, env });
  // Warnings of the server concern the use of deprecated versions, which are only read here.
  const client = new runtime.RESTClient(config, {
    transport,
    onWarning: () => undefined,
    userAgent: 'kgen',
  });
  const folder = options.cacheFolder ?? defaultCacheFolder(env);
  const cache = new Cache(folder, config.server);
  try {
    const { include = [], exclude = [], needsDocuments, onProgress, timeoutMs = 60_000 } = options;
    const server = new Server(runtime, client, cache, timeoutMs);
    const { value, problems } = await readCluster(server, {
      selection: { include, exclude },
      needsDocuments,
      onProgress: onProgress ?? (() => undefined),
    });
    return { value, problems: [...problems, ...unwritable(folder, await cache.settle())] };
  } finally {
    await Promise.all([client.close(), cache.settle()]);
  }
}

/** Returns a warning if the cache could not be written. */
export function unwritable(folder: string, failure: unknown): readonly InputProblem[] {
  if (failure === undefined) return [];
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown reason';
  return [warning(`the cache folder ${folder} cannot be written (${code}): each run reads everything again`)];
}
