import { isNoMatch } from '../discovery/errors.ts';
import { isNotFound } from '../errors.ts';
import { concluded } from './apply.ts';
import { inOrder } from './order.ts';
import { type Manifest, parseManifests } from './parse.ts';
import { failureOf, inSession, placed, type Session, written } from './session.ts';
import type { DeleteManifestsOptions, ManifestResult, ManifestTarget } from './types.ts';

/** See `deleteManifests`. */
export async function remove(
  target: ManifestTarget,
  text: string,
  options: DeleteManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const { manifests, failures } = parseManifests(text, options.source ?? 'manifests');
  return inSession(target, options, 'delete', async (session) => {
    const results: ManifestResult[] = [...failures];
    for (const manifest of inOrder(manifests).toReversed()) {
      results.push(await removed(session, manifest, options));
    }
    return concluded(results);
  });
}

async function removed(
  session: Session,
  manifest: Manifest,
  { propagationPolicy = 'Background' }: DeleteManifestsOptions,
): Promise<ManifestResult> {
  const { place, name } = manifest;
  let object = written(manifest);
  try {
    const found = placed(session, await session.mapper.mapping(manifest, session.call), manifest);
    object = found.object;
    await found.client.delete(name, { ...session.call, dryRun: session.dryRun, propagationPolicy });
    return { place, object, action: 'deleted' };
  } catch (error) {
    const failure = failureOf(session, error);
    // A kind that the server may have, and could not be asked about, is not absent.
    const absent = isNotFound(error) || (isNoMatch(error) && error.failed.size === 0);
    return absent ? { place, object, action: 'absent' } : { place, object, action: 'failed', error: failure };
  }
}
