/** The operator: its manager and its controllers. */
import { Manager, type ManagerOptions } from '@kgen/controller';
import { webhooks } from '@kgen/controller/webhooks';
import { type ClusterConfig, InformerFactory } from '@kgen/runtime';
import { redisClusterController } from './controllers/rediscluster.js';
import { redisClusterWebhooks } from './webhooks/rediscluster.js';

const name = 'rediscluster-operator';

/** Returns the operator, for a cluster, a test or a simulation. */
export function operator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, {
    name,
    leaderElection: { name },
    metrics: { port: 8443, tls: 'self-signed', authorize: true },
    health: { port: 8081 },
    ...options,
  });
  const informers = new InformerFactory(manager);
  manager.add(redisClusterController(manager, informers));
  manager.add(webhooks({ handlers: redisClusterWebhooks(manager.rest) }));
  return manager;
}
