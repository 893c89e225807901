import { startTestServer } from '@kgen/testserver';
import type { RunningServer } from './env.ts';
import { e2e } from './suite.ts';

async function start(): Promise<RunningServer> {
  const { config, kubeconfig, faults, stop } = await startTestServer({
    bookmarkMs: 1_000,
    controllers: ['namespaces', 'garbageCollection'],
  });
  return { config, kubeconfig, forget: async () => faults.compact(), stop };
}

e2e({ name: 'the server in memory', start });
