/** Changes the image of a Deployment, waits for the rollout, and restarts its Pods: `kubectl rollout`. */

import { Clientset } from '@kgen/kubernetes';
import type { Deployment } from '@kgen/kubernetes/apps/v1';
import { loadConfig } from '@kgen/runtime';

const clientset = new Clientset(await loadConfig());
const deployments = clientset.appsV1.deployments('default');

/**
 * Returns true if the controller has seen the last change, and all replicas run it, as in
 * `kubectl rollout status`.
 */
function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const expected = spec?.replicas ?? 1;
  return (
    (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0) &&
    status?.updatedReplicas === expected &&
    (status.replicas ?? 0) === expected &&
    status.availableReplicas === expected
  );
}

// A strategic merge patch, the default for built-in kinds, merges the list of containers by name.
const containers = [{ name: 'web', image: 'nginx:1.29' }];
await deployments.patch('web', { spec: { template: { spec: { containers } } } });
await deployments.waitFor('web', (deployment) => deployment !== undefined && isRolledOut(deployment), {
  timeoutMs: 120_000,
});
console.log('Deployment web is rolled out');

// A changed annotation of the Pod template starts a new rollout: `kubectl rollout restart`.
const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
await deployments.patch('web', { spec: { template: { metadata: { annotations } } } });
await clientset.close();
