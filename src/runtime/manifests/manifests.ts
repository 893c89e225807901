/** Whole texts of objects, as files have them, sent to a server. */
import type {
  ApplyManifestsOptions,
  DeleteManifestsOptions,
  ManifestResult,
  ManifestTarget,
} from './types.ts';

/**
 * Applies all objects of a text (YAML documents or JSON; items of lists stand for themselves) by server-side apply, and
 * says what became of each. Namespaces and CustomResourceDefinitions come first, webhooks last; definitions are waited
 * for until the server serves them, each for a minute at most. One object that fails does not keep the others. The same
 * call again finds everything `unchanged`.
 *
 * Each object is read before it is applied, so that there is something to compare with: who calls must be allowed to
 * `get` and `patch`, and to `list` and `delete` where it prunes.
 *
 * With `prune` it deletes afterwards what earlier calls applied and what is no longer in the text; see `PruneOptions`.
 *
 * @returns what became of each object, in the order in which it was done
 * @throws {ManifestsError} some failed, among them documents that cannot be read; `results` has all. Nothing is pruned
 *   then.
 * @throws {TypeError} `prune` with a selector that selects everything, or that an object of the text does not meet:
 *   nothing is done then
 */
export async function applyManifests(
  target: ManifestTarget,
  text: string,
  options: ApplyManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const { apply } = await import('./apply.ts');
  return apply(target, text, options);
}

/**
 * Deletes all objects of a text, in the opposite order of `applyManifests`. It does not wait until they are gone.
 * @returns what became of each object: `deleted`, or `absent` where there was none
 * @throws {ManifestsError} some failed; `results` has all
 */
export async function deleteManifests(
  target: ManifestTarget,
  text: string,
  options: DeleteManifestsOptions = {},
): Promise<readonly ManifestResult[]> {
  const { remove } = await import('./delete.ts');
  return remove(target, text, options);
}
