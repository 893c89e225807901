// Objects that the command tests need: an administrator with a token, and the node of their control plane.
import { Clientset } from '@kgen/kubernetes';

/** Creates the node, and returns the token of a service account with all permissions. */
export async function prepare(config) {
  const clientset = new Clientset(config);
  try {
    const status = { capacity: { memory: '1Gi' } };
    await clientset.coreV1.nodes().create({ metadata: { name: '127.0.0.1' }, status });
    const metadata = { name: 'test-admin' };
    await clientset.coreV1.serviceAccounts('kube-system').create({ metadata });
    await clientset.rbacV1.clusterRoleBindings().create({
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', ...metadata }],
    });
    const token = await clientset.coreV1
      .serviceAccounts('kube-system')
      .createToken(metadata.name, { spec: { audiences: [], expirationSeconds: 7200 } });
    return token.status?.token ?? '';
  } finally {
    await clientset.close();
  }
}
