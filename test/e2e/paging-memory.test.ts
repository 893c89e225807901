import { startTestServer } from '@kgen/testserver';
import { pagingTests } from './paging.ts';

pagingTests({
  name: 'the server in memory',
  start: async () => {
    const { config, kubeconfig, faults, stop } = await startTestServer({
      controllers: ['namespaces', 'garbageCollection'],
    });
    return { config, kubeconfig, forget: async () => faults.compact(), stop };
  },
});
