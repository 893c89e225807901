/** Webhooks of RedisClusters: the conversion of v1alpha1, and a rule that the schema cannot express. */
import { converts, validates } from '@kgen/controller/webhooks';
import { type RESTClient, resource, type Stored } from '@kgen/runtime';
import { type FieldError, forbiddenField } from '@kgen/runtime/objects';
import { type RedisCluster, redisClusters } from '../../generated/cache.example.com/v1/index.js';
import { redisClusters as redisClustersV1alpha1 } from '../../generated/cache.example.com/v1alpha1/index.js';

/** The status of the stored object decides, which a schema sees only in changes of the status. */
const shrinking = validates(redisClusters, {
  operations: ['UPDATE'],
  handle: ({ spec }, { old, warn }) => shrinkErrors(old, spec.replicas ?? 3, warn),
});

/** `kubectl scale` and autoscalers write a Scale, which has no ready servers: the stored object has them. */
const scaling = (rest: RESTClient) =>
  validates(redisClusters, {
    operations: ['UPDATE'],
    subresource: 'scale',
    handle: async (scale, { name, namespace, signal, warn }) => {
      const cluster = await resource(rest, redisClusters).in(namespace).get(name, { signal });
      return shrinkErrors(cluster, scale.spec?.replicas ?? 0, warn);
    },
  });

function shrinkErrors(
  { spec, status }: Stored<RedisCluster>,
  replicas: number,
  warn: (message: string) => void,
): readonly FieldError[] {
  const { replicas: before = 3, minReady = before } = spec;
  const { readyReplicas = 0 } = status ?? {};
  if (replicas >= before) return [];
  if (readyReplicas < minReady) {
    const state = `${readyReplicas} of at least ${minReady} servers are ready`;
    return [forbiddenField('spec.replicas', `must not shrink while ${state}`)];
  }
  warn(`${before - replicas} servers are removed; their data is kept by the others`);
  return [];
}

/** v1alpha1 has two fields of the specification; the others are kept in an annotation of its objects. */
const conversion = converts(redisClusters, {
  versions: {
    v1alpha1: {
      resource: redisClustersV1alpha1,
      toHub: () => ({}), // All members are equal in v1.
      // Conversions precede validation: an object of v1alpha1 may have no spec.
      fromHub: ({ spec }) => (spec ? { spec: { replicas: spec.replicas, version: spec.version } } : {}),
    },
  },
});

/** Returns the declarations, from which kgen writes the configurations. */
export function redisClusterWebhooks(rest: RESTClient) {
  return [shrinking, scaling(rest), conversion];
}
