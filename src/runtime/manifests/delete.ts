import { isNotFound } from '../api/failure-reasons.ts';
import type { ClientConnection } from '../rest/connection.ts';
import { forAll } from './batches.ts';
import { orderManifests } from './order.ts';
import { type Manifest, readManifests } from './parse.ts';
import { failureOf, inSession, placed, type Session, written } from './session.ts';
import type { Tools } from './tools.ts';
import type { DeleteManifestsOptions, ManifestInput, ManifestResult } from './types.ts';

/** Implementation of `deleteManifests`. */
export async function remove(
  tools: Tools,
  target: ClientConnection,
  input: ManifestInput,
  options: DeleteManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const read = await readManifests(input, options.source, 'delete');
  return inSession(tools, { verb: 'delete', target, read, options }, async (session) => {
    const removedAll = await forAll(
      session,
      orderManifests(read.manifests).toReversed(),
      async (manifest) => {
        session.progress.begin(manifest);
        const result = await removed(session, manifest, options);
        session.progress.end(result);
        return result;
      },
    );
    return [...read.failures, ...removedAll];
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
    // A kind is not absent if the API service that may have it is unavailable.
    const absent = isNotFound(error) || (session.tools.isNoMatch(error) && error.failed.size === 0);
    return absent ? { place, object, action: 'absent' } : { place, object, action: 'failed', error: failure };
  }
}
