/** The operator: its manager and its controllers. */
import { Manager, type ManagerOptions } from '@kgen/controller';
import { type ClusterConfig, InformerFactory } from '@kgen/runtime';
import { myAppController } from './controllers/myapp.js';

const name = 'myapp-operator';

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
  manager.add(myAppController(manager, informers));
  return manager;
}
