/** A ConfigMap, which stays as it is while an annotation pauses the operator for the site. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { mapOf, optionsWith, owner, siteOperator, withStatus } from '../sites.ts';

export const because = 'users set and remove an annotation that pauses the operator';

const annotation = 'example.com/paused';
const paused = ['false', 'true'].map((value, index) => ({
  apiVersion: 'web.example.com/v1',
  kind: 'Site',
  metadata: { name: `paused-${index}`, namespace: 'default', annotations: { [annotation]: value } },
  spec: { image: `web:${index + 2}` },
}));

export const options = optionsWith([{}], paused);

export const operator = siteOperator(({ own, maps, informers }) => ({
  owns: [informers.of(configMaps)],
  reconcile: async (site) => {
    const { namespace, annotations } = site.metadata;
    const isPaused = annotations?.[annotation] === 'true';
    if (!isPaused) await maps.in(namespace).apply(mapOf(site), owner);
    await own.in(namespace).updateStatus(withStatus(site, { phase: isPaused ? 'Paused' : 'Running' }));
  },
}));
