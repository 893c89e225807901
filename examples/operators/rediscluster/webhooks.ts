/** Webhooks of RedisClusters: the conversion of v1alpha1, and a rule that the schema cannot express. */

import type { Manager, ManagerOptions } from '@kgen/controller';
import { converts, validates, webhooks } from '@kgen/controller/webhooks';
import { forbiddenField } from '@kgen/runtime/objects';
import { redisClusters } from '../../../generated/crds/cache.example.com/v1/index.js';
import { redisClusters as alphaClusters } from '../../../generated/crds/cache.example.com/v1alpha1/index.js';

/** The status of the stored object decides, which a schema sees only in changes of the status. */
const shrinking = validates(redisClusters, {
  operations: ['UPDATE'],
  handle: ({ spec }, { old, warn }) => {
    const { replicas: before = 3, minReady = before } = old.spec;
    const { replicas = 3 } = spec;
    const { readyReplicas = 0 } = old.status ?? {};
    if (replicas >= before) return [];
    if (readyReplicas < minReady) {
      const state = `${readyReplicas} of at least ${minReady} servers are ready`;
      return [forbiddenField('spec.replicas', `must not shrink while ${state}`)];
    }
    return void warn(`${before - replicas} servers are removed; their data is kept by the others`);
  },
});

/** v1alpha1 has two fields of the specification; the others are kept in an annotation of its objects. */
const conversion = converts(redisClusters, {
  versions: {
    v1alpha1: {
      resource: alphaClusters,
      toHub: () => ({}), // All members are equal in v1.
      fromHub: ({ spec: { replicas, version } }) => ({ spec: { replicas, version } }),
    },
  },
});

/** Webhooks of the operator, from which their configurations follow. */
export const redisClusterWebhooks = [shrinking, conversion];

/** Adds the webhooks if there is a certificate, such as one of cert-manager, and in tests. */
export function withWebhooks(manager: Manager, { serveWebhooks }: ManagerOptions): Manager {
  const directory = process.env['WEBHOOK_CERTIFICATES'];
  if (directory === undefined && serveWebhooks === undefined) return manager;
  const port = Number(process.env['WEBHOOK_PORT'] ?? 9443);
  return manager.add(webhooks({ handlers: redisClusterWebhooks, port, certificates: { directory } }));
}
