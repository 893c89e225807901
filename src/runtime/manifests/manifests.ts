/** Whole texts of objects, as files have them, sent to a server. */
import { tools } from './tools.ts';
import {
  type ApplyManifestsOptions,
  type DeleteManifestsOptions,
  type ManifestResult,
  ManifestsError,
  type ManifestTarget,
} from './types.ts';

/** @throws {ManifestsError} some failed */
function concluded(results: readonly ManifestResult[]): readonly ManifestResult[] {
  if (results.some(({ action }) => action === 'failed')) throw new ManifestsError(results);
  return results;
}

/**
 * Applies all objects of a text (YAML documents or JSON; items of lists stand for themselves) by server-side apply, and
 * says what became of each. Namespaces and CustomResourceDefinitions come first, webhooks last, what is of no special
 * rank in the order of the text; neighbours of one kind are under way side by side, up to 8 at once. Definitions are
 * waited for until the server serves them. One object that fails does not keep the others. The same call again finds
 * everything `unchanged`.
 *
 * Each object is read before it is applied, so that there is something to compare with: who calls must be allowed to
 * `get` and `patch` (and `create` what is not there), to `list` and `watch` definitions where there are any, and to
 * `list` and `delete` where it prunes.
 *
 * With `prune` it deletes afterwards what earlier calls applied and what is no longer in the text; see `PruneOptions`.
 *
 * @returns what became of each object: what could not be read first, then in the order in which it was begun
 * @throws {ManifestsError} some failed, among them documents that cannot be read; `results` has all. Nothing is pruned
 *   then.
 * @throws {TypeError} no `fieldManager`; `prune` with a text without objects, with a selector that selects what has no
 *   labels, or that an object of the text does not meet: nothing is done then
 * @throws {TransportError} {ConfigError} {ApiError} the server cannot be reached, or does not know who asks: nothing is
 *   done then
 * @throws {TimeoutError} after `timeoutMs`; on abort, what the signal gives as its reason
 */
export async function applyManifests(
  target: ManifestTarget,
  text: string,
  options: ApplyManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const { apply } = await import('./apply.ts');
  return concluded(await apply(tools, target, text, options));
}

/**
 * Deletes all objects of a text, in the opposite order of `applyManifests`. It does not wait until they are gone.
 * @returns what became of each object: `deleted`, or `absent` where there was none
 * @throws {ManifestsError} some failed; `results` has all
 * @throws {TransportError} {ConfigError} {ApiError} {TimeoutError} as `applyManifests`
 */
export async function deleteManifests(
  target: ManifestTarget,
  text: string,
  options: DeleteManifestsOptions = {},
): Promise<readonly ManifestResult[]> {
  const { remove } = await import('./delete.ts');
  return concluded(await remove(tools, target, text, options));
}
