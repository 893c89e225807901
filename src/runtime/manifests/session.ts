/** Clients and limits of one run over manifests. */
import { TimeoutError } from '../api/errors.ts';
import { callSafely, messageOf } from '../common/callbacks.ts';
import type { RESTMapping } from '../discovery/types.ts';
import type { DynamicResourceClient } from '../dynamic/verbs.ts';
import { withinLimits } from '../rest/abort/deadline.ts';
import type { ClientConnection } from '../rest/connection.ts';
import type { Manifest, Manifests, ManifestVerb } from './parse.ts';
import type { Clients, Tools } from './tools.ts';
import type { ManifestObject, ManifestOptions, ManifestResult } from './types.ts';

/** Clients and options of one run. */
export interface Session extends Clients {
  readonly tools: Tools;
  /** For objects without a namespace. */
  readonly namespace: string;
  readonly call: Pick<ManifestOptions, 'signal' | 'impersonate'>;
  readonly dryRun: 'All' | undefined;
  readonly progress: Progress;
}

/** Input of a run. */
export interface Task<O extends ManifestOptions> {
  readonly verb: ManifestVerb;
  readonly target: ClientConnection;
  readonly read: Manifests;
  readonly options: O;
}

/**
 * Runs `work` with clients for a target, within the limits of the options, and closes the clients that it
 * created. Invalid documents are reported first. Impersonation applies to all requests except discovery,
 * whose result is equal for all users.
 */
export async function inSession<T>(
  tools: Tools,
  { verb, target, read, options }: Task<ManifestOptions>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const operation = { verb, resource: options.source ?? 'manifests' };
  const { onResult, timeoutMs, impersonate, dryRun } = options;
  const progress = new Progress(read.manifests.length, (result) => {
    if (onResult !== undefined) callSafely(() => onResult(result), 'onResult', 'ManifestsWarning');
  });
  const expired = (): TimeoutError =>
    new TimeoutError(`timed out after ${timeoutMs} ms: ${progress.text()}`, operation);
  const clients = tools.open(target);
  const { namespace = clients.dynamic.rest.namespace } = options;
  try {
    return await withinLimits({ ...options, expired }, operation, async (signal) => {
      const session: Session = {
        tools,
        ...clients,
        namespace,
        call: { signal, impersonate },
        dryRun,
        progress,
      };
      if (read.manifests.length > 0) await reach(session);
      for (const failure of read.failures) progress.end(failure);
      return work(session);
    });
  } finally {
    // The outcome of the call is that of `work`, also where a connection cannot be closed.
    await clients.dynamic.close().catch(warnOfClose);
  }
}

function warnOfClose(error: unknown): void {
  process.emitWarning(`close() of the client failed: ${messageOf(error)}`, 'ManifestsWarning');
}

/**
 * Sends the discovery request that every object needs. If the server is unreachable or rejects the
 * credentials, the call fails once instead of once per object after a time-out each.
 */
async function reach({ mapper, call, tools }: Session): Promise<void> {
  try {
    await mapper.mapping({ group: '', kind: 'Namespace' }, call);
  } catch (error) {
    if (!tools.isNoMatch(error)) throw error;
  }
}

/** A manifest with its client and namespace. */
export interface Placed {
  readonly object: ManifestObject;
  readonly client: DynamicResourceClient;
}

/** Returns the client of an object and its namespace. */
export function placed(session: Session, mapping: RESTMapping, manifest: Manifest): Placed {
  const { apiVersion, kind, name, namespace = session.namespace } = manifest;
  const resource = session.dynamic.resource(mapping);
  if (mapping.scope === 'Cluster') return { object: { apiVersion, kind, name }, client: resource };
  return { object: { apiVersion, kind, namespace, name }, client: resource.namespace(namespace) };
}

/** Returns the identity of a manifest that is known without the server. */
export function written({ apiVersion, kind, namespace, name }: Manifest): ManifestObject {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/** Returns an error as the failure of an object, and rethrows it if it ends the whole call. */
export function failureOf(session: Session, error: unknown): Error {
  session.call.signal?.throwIfAborted();
  return error instanceof Error ? error : new Error(messageOf(error));
}

/** Progress of a run. */
class Progress {
  readonly #total: number;
  readonly #report: (result: ManifestResult) => void;
  readonly #pending: Map<string, Manifest> = new Map();
  #done = 0;

  constructor(total: number, report: (result: ManifestResult) => void) {
    this.#total = total;
    this.#report = report;
  }

  begin(manifest: Manifest): void {
    this.#pending.set(manifest.place, manifest);
  }

  /** Records a final result. */
  end(result: ManifestResult): void {
    if (result.place !== undefined && this.#pending.delete(result.place)) this.#done += 1;
    this.#report(result);
  }

  /** Returns the progress for messages. */
  text(): string {
    const [first] = this.#pending.values();
    const at = first === undefined ? '' : `, under way ${first.kind} ${first.name} (${first.place})`;
    return `${this.#done} of ${this.#total} objects are done${at}`;
  }
}
