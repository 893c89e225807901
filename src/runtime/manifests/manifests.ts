/** Applies and deletes the objects of manifest files. */
import { onDemand } from '../common/on-demand.ts';
import type { ClientConnection } from '../rest/connection.ts';
import { tools } from './tools.ts';
import {
  type ApplyManifestsOptions,
  type CreateManifestsOptions,
  type DeleteManifestsOptions,
  type ManifestInput,
  type ManifestResult,
  ManifestsError,
} from './types.ts';

const applying = onDemand(() => import('./apply.ts'));
const deleting = onDemand(() => import('./delete.ts'));

/**
 * Applies all objects of a string (YAML documents or JSON; items of lists count individually), of files,
 * folders and glob patterns (`{ files: 'manifests' }`), or of an array of objects with apiVersion and kind
 * by server-side apply, and returns the result of each.
 * Namespaces and CustomResourceDefinitions come first, webhooks last, other objects in the order of the
 * documents. Neighbours of one kind are applied concurrently, up to 8 at a time. Definitions are awaited
 * until the server serves them. An object that fails does not affect the others. A repeated call returns
 * `unchanged` for every object.
 *
 * Each object is read before it is applied, so that changes can be detected. The caller needs permission to
 * `get` and `patch` (and `create` for missing objects), to `list` and `watch` definitions if there are any,
 * and to `list` and `delete` for pruning.
 *
 * With `prune`, objects that earlier calls applied and that are no longer part of the document are deleted
 * afterwards; see `PruneOptions`.
 *
 * @returns the result of each object: invalid documents first, then in the order in which they were started
 * @throws {ManifestsError} some failed, including invalid documents; `results` contains all. Nothing is
 * pruned then.
 * @throws {Error} files that do not exist or cannot be read: nothing is changed then
 * @throws {TypeError} no `fieldManager`, or no objects, unless `prune.allowEmpty` is set; `prune` with a selector that matches objects
 * without labels, or that an object of the document does not match: nothing is changed then
 * @throws {TransportError} {ConfigError} {ApiError} the server is unreachable, or rejects the credentials:
 * nothing is changed then
 * @throws {TimeoutError} after `timeoutMs`; on abort, rejects with the reason of the signal
 * @example
 * ```ts
 * import { loadConfig, RESTClient } from '@kgen/runtime';
 * import { applyManifests } from '@kgen/runtime/manifests';
 *
 * const rest = new RESTClient(await loadConfig());
 * const results = await applyManifests(rest, { files: 'manifests' }, { fieldManager: 'my-app' });
 * for (const { action, object } of results) console.log(action, object?.kind, object?.name);
 * ```
 */
export async function applyManifests(
  target: ClientConnection,
  manifests: ManifestInput,
  options: ApplyManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const { apply } = await applying();
  return concluded(await apply(tools, target, manifests, options));
}

/**
 * Creates objects of a string, of files or of an array, as `kubectl create`: in the order of
 * `applyManifests`, and with `generateName` in place of a name, if an object has it. The result contains the
 * generated name. An object that exists fails with `ApiError` `isAlreadyExists`, and is not changed.
 * @returns the result of each object
 * @throws {ManifestsError} some failed; `results` contains all. Objects that were created remain.
 * @throws {TypeError} no objects
 * @throws {TransportError} {ConfigError} {ApiError} {TimeoutError} as `applyManifests`
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { createManifests } from '@kgen/runtime/manifests';
 *
 * const [result] = await createManifests(await loadConfig(), { files: 'job.yaml' });
 * console.log(result?.object?.name); // import-x7k2p of generateName: import-
 * ```
 */
export async function createManifests(
  target: ClientConnection,
  manifests: ManifestInput,
  options: CreateManifestsOptions = {},
): Promise<readonly ManifestResult[]> {
  const { create } = await applying();
  return concluded(await create(tools, target, manifests, options));
}

/** @throws {ManifestsError} some failed */
function concluded(results: readonly ManifestResult[]): readonly ManifestResult[] {
  if (results.some(({ action }) => action === 'failed')) throw new ManifestsError(results);
  return results;
}

/**
 * Deletes objects of a string, of files or of an array, in the reverse order of `applyManifests`. Does not
 * wait until they are removed.
 * @returns the result of each object: `deleted`, or `absent` if it did not exist
 * @throws {ManifestsError} some failed; `results` contains all
 * @throws {TransportError} {ConfigError} {ApiError} {TimeoutError} as `applyManifests`
 */
export async function deleteManifests(
  target: ClientConnection,
  manifests: ManifestInput,
  options: DeleteManifestsOptions = {},
): Promise<readonly ManifestResult[]> {
  const { remove } = await deleting();
  return concluded(await remove(tools, target, manifests, options));
}
