/** Rollouts of Deployments, DaemonSets and StatefulSets, as in kubectl. */
import type { RequestOptions } from '../../api/options.ts';
import { isFields, memberAt } from '../../common/fields.ts';
import { type ClientConnection, withConnection } from '../../rest/connection.ts';
import { type BuiltInClient, builtIn } from '../built-in.ts';
import { type RolloutState, rolloutState } from './rollout-step.ts';

/** The methods of a client that `rolloutStatus` uses: `clientset.appsV1.deployments('shop')`. */
export interface RolloutWatcher {
  /** Returns the object. Rejects if it does not exist. */
  get(name: string, options?: RequestOptions): Promise<object>;
  /** Waits until the predicate returns true for the object, and returns it. */
  waitFor(
    name: string,
    predicate: (object: object | undefined) => boolean,
    options?: RequestOptions,
  ): Promise<unknown>;
}

/** Place of an object, if the first argument is a connection. */
export interface RolloutPlace {
  /** Namespace of the object. Default: that of the configuration. */
  readonly namespace?: string | undefined;
}

/** Options of `rolloutStatus`. */
export interface RolloutOptions extends RequestOptions, RolloutPlace {
  /** Called with each message of kubectl, once in a row. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * Waits until a rollout is complete, and returns the last message, as `kubectl rollout status`. With a
 * connection in place of a client, the name begins with the kind: `deployment/web`.
 * @throws {ApiError} `isNotFound` if the object does not exist
 * @throws {Error} if the rollout has failed: the object is deleted, or exceeded its progress deadline
 * @throws {TimeoutError} after `timeoutMs`
 * @example
 * ```ts
 * import { rolloutStatus } from '@kgen/runtime/tools';
 *
 * const deployments = clientset.appsV1.deployments('shop');
 * await rolloutStatus(deployments, 'web', { timeoutMs: 300_000, onProgress: console.log });
 * ```
 */
export async function rolloutStatus(
  client: RolloutWatcher | ClientConnection,
  name: string,
  options: RolloutOptions = {},
): Promise<string> {
  const { namespace, ...common } = options;
  return withWorkload(client, name, namespace, (found, workload) => watched(found, workload, common));
}

async function watched(
  client: RolloutWatcher,
  name: string,
  { onProgress, ...options }: RolloutOptions,
): Promise<string> {
  let last: RolloutState = { done: false, message: '' };
  let present: object | undefined;
  const isDone = (object: object | undefined): boolean => {
    if (object === undefined && present !== undefined) throw new Error(`${objectText(present)} was deleted`);
    present = object;
    if (object === undefined) return true;
    const state = rolloutState(object);
    if (state.message !== last.message) onProgress?.(state.message);
    last = state;
    return state.done;
  };
  await client.waitFor(name, isDone, options);
  if (present !== undefined) return last.message;
  // Rejects with an error of the server that contains the resource.
  await client.get(name, options);
  throw new Error(`${JSON.stringify(name)} was created while its rollout was read: call rolloutStatus again`);
}

/** Kinds with rollouts, by the names that kubectl accepts. */
const workloads: ReadonlyMap<string, string> = new Map(
  [
    ['Deployment', 'deploy'],
    ['DaemonSet', 'ds'],
    ['StatefulSet', 'sts'],
  ].flatMap(([kind = '', short = '']) => {
    const singular = kind.toLowerCase();
    return [singular, `${singular}s`, short].map((name) => [name, kind] as const);
  }),
);

/** Calls a function with the client and the name of a workload. A connection requires its kind. */
async function withWorkload<Client extends object, T>(
  client: Client | ClientConnection,
  name: string,
  namespace: string | undefined,
  work: (client: Client | BuiltInClient, name: string) => Promise<T>,
): Promise<T> {
  if (isConnection(client)) {
    const [type = '', workload = '', ...more] = name.split('/');
    const kind = workloads.get(type);
    if (kind === undefined || workload === '' || more.length > 0) {
      throw new TypeError(
        `the name must be deployment/NAME, daemonset/NAME or statefulset/NAME, got ${JSON.stringify(name)}`,
      );
    }
    return withConnection(client, (rest) => work(builtIn(rest, ['apps', kind], namespace), workload));
  }
  if (namespace === undefined) return work(client, name);
  throw new TypeError('namespace is an option for connections; a client of objects has its own');
}

/** Clients of objects have the method `get` and, unlike clients of a server, cannot be closed. */
function isConnection(client: object): client is ClientConnection {
  return !isFields(client) || !('get' in client) || 'request' in client || 'close' in client;
}

function objectText(object: object): string {
  const [kind, name] = [memberAt(object, 'kind'), memberAt(object, 'metadata', 'name')];
  return `${String(kind)} ${String(memberAt(object, 'metadata', 'namespace'))}/${String(name)}`;
}

/** The methods of a client that `rolloutRestart` uses. */
export interface RolloutPatcher {
  /** Returns the object. Rejects if it does not exist. */
  get(name: string, options?: RequestOptions): Promise<object>;
  /** Applies a JSON merge patch. */
  patch(
    name: string,
    body: object,
    options: RequestOptions & { readonly type: 'merge'; readonly fieldManager?: string | undefined },
  ): Promise<unknown>;
}

/** Options of `rolloutRestart`. */
export interface RestartOptions extends RequestOptions, RolloutPlace {
  readonly fieldManager?: string | undefined;
}

/** Annotation of kubectl whose change replaces the pods. */
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/**
 * Replaces the pods of a Deployment, DaemonSet or StatefulSet, as `kubectl rollout restart`. With a
 * connection in place of a client, the name begins with the kind: `deployment/web`.
 * @throws {Error} if the rollout is paused
 */
export async function rolloutRestart(
  client: RolloutPatcher | ClientConnection,
  name: string,
  options: RestartOptions = {},
): Promise<void> {
  const { namespace, ...common } = options;
  return withWorkload(client, name, namespace, (found, workload) => restarted(found, workload, common));
}

async function restarted(client: RolloutPatcher, name: string, options: RestartOptions): Promise<void> {
  const { fieldManager, ...common } = options;
  const object = await client.get(name, common);
  if (memberAt(object, 'spec', 'paused') === true) {
    throw new Error(`cannot restart ${JSON.stringify(name)}, as its rollout is paused; resume it first`);
  }
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const body = { spec: { template: { metadata: { annotations: { [restartedAt]: time } } } } };
  await client.patch(name, body, { ...common, type: 'merge', fieldManager });
}
