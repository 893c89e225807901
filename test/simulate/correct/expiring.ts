/** A token that is deleted some time after its site was created. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { isControlledBy } from '@kgen/runtime/objects';
import { ignoreNotFound, mapOf, optionsWith, owner, siteOperator, withStatus } from '../sites.ts';

export const because = 'the time of the end follows from the object: after a restart it is the same';

export const options = optionsWith([{ ttlSeconds: 10 }, { ttlSeconds: 86_400 }]);

export const operator = siteOperator(({ informers, own, maps }) => ({
  owns: [informers.of(configMaps)],
  reconcile: async (site) => {
    const { namespace, creationTimestamp } = site.metadata;
    const name = `${site.metadata.name}-token`;
    const { ttlSeconds, image } = site.spec;
    const endMs = Date.parse(creationTimestamp) + (ttlSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
    const leftMs = endMs - Date.now();
    if (leftMs > 0) await maps.in(namespace).apply(mapOf(site, { token: image }, name), owner);
    else {
      const known = await maps.in(namespace).find(name);
      if (known !== undefined && isControlledBy(known, site))
        await maps.in(namespace).delete(name).catch(ignoreNotFound);
    }
    const phase = leftMs > 0 ? 'Valid' : 'Expired';
    await own.in(namespace).updateStatus(withStatus(site, { phase }));
    return leftMs > 0 && Number.isFinite(leftMs) ? { requeueAfterMs: leftMs } : undefined;
  },
}));
