/** Order and concurrency of requests for manifests. */
import { inParallel } from '../common/in-parallel.ts';
import type { Manifest } from './parse.ts';
import type { Session } from './session.ts';
import type { ManifestResult } from './types.ts';

/** Number of concurrent objects, which share the network latency without flooding the server. */
const atOnce = 8;

/**
 * Runs `work` for all manifests in order. Neighbours of one kind run concurrently, because they do not depend
 * on each other. A second copy of an object waits for the first.
 * @returns the results in the order of `manifests`
 */
export async function forAll(
  { namespace: usual }: Session,
  manifests: readonly Manifest[],
  work: (manifest: Manifest) => Promise<ManifestResult>,
): Promise<ManifestResult[]> {
  const results: ManifestResult[] = [];
  for (const batch of batches(manifests, usual)) {
    for (const result of await sideBySide(batch, work)) results.push(result);
  }
  return results;
}

/** Returns the identity of an object. */
export function keyOf({ group, kind, namespace, name }: Manifest, usual: string): string {
  return `${group}/${kind}/${namespace ?? usual}/${name}`;
}

function batches(manifests: readonly Manifest[], usual: string): readonly (readonly Manifest[])[] {
  const found: Map<string, Manifest>[] = [];
  for (const manifest of manifests) {
    const { group, kind } = manifest;
    const key = keyOf(manifest, usual);
    const last = found.at(-1);
    const [first] = last?.values() ?? [];
    if (first?.group === group && first.kind === kind && !last?.has(key)) last?.set(key, manifest);
    else found.push(new Map([[key, manifest]]));
  }
  return found.map((batch) => [...batch.values()]);
}

async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  await inParallel([...items.entries()], atOnce, async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
}
