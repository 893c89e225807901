/** Rollouts of Deployments, DaemonSets and StatefulSets, as in kubectl. */
import type { RequestOptions } from '../../api/options.ts';
import { memberAt } from '../../common/fields.ts';
import { type RolloutState, rolloutState } from './rollout-step.ts';

/** The methods of a client that `rolloutStatus` uses: `clientset.appsV1.deployments('shop')`. */
export interface RolloutWatcher {
  /** Returns the object. */
  get(name: string, options?: RequestOptions): Promise<object>;
  /** Waits until the predicate returns true for the object, and returns it. */
  waitFor(
    name: string,
    predicate: (object: object | undefined) => boolean,
    options?: RequestOptions,
  ): Promise<unknown>;
}

/** Options of `rolloutStatus`. */
export interface RolloutOptions extends RequestOptions {
  /** Called with each message of kubectl, once in a row. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * Waits until a rollout is complete, and returns the last message, as `kubectl rollout status`.
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
  client: RolloutWatcher,
  name: string,
  { onProgress, ...options }: RolloutOptions = {},
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

function objectText(object: object): string {
  const [kind, name] = [memberAt(object, 'kind'), memberAt(object, 'metadata', 'name')];
  return `${String(kind)} ${String(memberAt(object, 'metadata', 'namespace'))}/${String(name)}`;
}

/** The methods of a client that `rolloutRestart` uses. */
export interface RolloutPatcher {
  /** Returns the object. */
  get(name: string, options?: RequestOptions): Promise<object>;
  /** Applies a JSON merge patch. */
  patch(
    name: string,
    body: object,
    options: RequestOptions & { readonly type: 'merge'; readonly fieldManager?: string | undefined },
  ): Promise<unknown>;
}

/** Options of `rolloutRestart`. */
export interface RestartOptions extends RequestOptions {
  readonly fieldManager?: string | undefined;
}

/** Annotation of kubectl whose change replaces the pods. */
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/**
 * Replaces the pods of a Deployment, DaemonSet or StatefulSet, as `kubectl rollout restart`.
 * @throws {Error} if the rollout is paused
 */
export async function rolloutRestart(
  client: RolloutPatcher,
  name: string,
  options: RestartOptions = {},
): Promise<void> {
  const { fieldManager, ...common } = options;
  const object = await client.get(name, common);
  if (memberAt(object, 'spec', 'paused') === true) {
    throw new Error(`cannot restart ${JSON.stringify(name)}, as its rollout is paused; resume it first`);
  }
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const body = { spec: { template: { metadata: { annotations: { [restartedAt]: time } } } } };
  await client.patch(name, body, { ...common, type: 'merge', fieldManager });
}
