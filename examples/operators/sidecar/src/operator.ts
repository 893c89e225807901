/** The operator: its manager and its controllers. */
import { Manager, type ManagerOptions } from '@kgen/controller';
import { webhooks } from '@kgen/controller/webhooks';
import type { ClusterConfig } from '@kgen/runtime';
import { podWebhooks } from './webhooks/pod.js';

const name = 'sidecar-operator';

/** Returns the operator, for a cluster, a test or a simulation. */
export function operator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, {
    name,
    metrics: { port: 8443, tls: 'self-signed', authorize: true },
    health: { port: 8081 },
    ...options,
  });
  manager.add(webhooks({ handlers: [...podWebhooks] }));
  return manager;
}
