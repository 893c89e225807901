/** Manifests of an operator, and sessions of commands, for tests. */
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import type { Unstructured } from '@kgen/runtime/dynamic';
import type { JsonObject } from '@kgen/schema/values/json';
import { Cluster } from '../../src/kgen/project/cluster/cluster.ts';
import { parseObjects } from '../../src/kgen/project/cluster/operator.ts';
import type { Session } from '../../src/kgen/project/cluster/session.ts';

/** Names of an operator: its kind belongs to a group of its own. */
export interface TestOperator {
  readonly name: string;
  readonly namespace: string;
  readonly objects: readonly JsonObject[];
  readonly source: string;
}

/**
 * Returns an operator of one kind, whose definition is `boxes.NAME.example.com`. It keeps the certificate of
 * its webhooks in the Secret `NAME-webhook-certificates`, if `keepsCertificate` is set.
 */
export function testOperator(
  name: string,
  { image = 'box:1', replicas = 2, keepsCertificate = false } = {},
): TestOperator {
  const text = `${definitionText(name)}---
apiVersion: v1
kind: Namespace
metadata: { name: ${name} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: ${name}, namespace: ${name} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: ${name} }
rules:
  - { apiGroups: [${name}.example.com], resources: [boxes], verbs: [get, list, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${name} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name} }
subjects: [{ kind: ServiceAccount, name: ${name}, namespace: ${name} }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      serviceAccountName: ${name}
      containers: [{ name: operator, image: '${image}' }]
---
apiVersion: v1
kind: Service
metadata: { name: ${name}-webhook, namespace: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 443, targetPort: 9443 }] }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: ${name} }
webhooks:
  - name: boxes.${name}.example.com
    clientConfig: { service: { name: ${name}-webhook, namespace: ${name} } }
    rules: [{ apiGroups: [${name}.example.com], apiVersions: [v1], operations: [CREATE], resources: [boxes] }]
    admissionReviewVersions: [v1]
    sideEffects: None
${keepsCertificate ? secretRoleText(name) : ''}`;
  return { name, namespace: name, objects: parseObjects(text, 'install.yaml'), source: 'install.yaml' };
}

function secretRoleText(name: string): string {
  return `---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: ${name}, namespace: ${name} }
rules:
  - { apiGroups: [''], resources: [secrets], resourceNames: [${name}-webhook-certificates], verbs: [get, update] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${name}, namespace: ${name} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name} }
subjects: [{ kind: ServiceAccount, name: ${name}, namespace: ${name} }]
`;
}

function definitionText(name: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boxes.${name}.example.com }
spec:
  group: ${name}.example.com
  scope: Namespaced
  names: { kind: Box, plural: boxes, singular: box, listKind: BoxList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
}

/** A cluster, and the output of the commands that work on it. */
export interface TestSession {
  readonly cluster: Cluster;
  readonly session: Session;
  readonly lines: readonly string[];
}

/** Opens a cluster for a user. */
export function openSession(config: ClusterConfig, user = 'ann@laptop'): TestSession {
  const lines: string[] = [];
  const session: Session = {
    print: (line) => void lines.push(line),
    now: Date.now,
    sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
    user,
  };
  return { cluster: new Cluster(config), session, lines };
}

/** Creates a Box of an operator, with a finalizer of the operator if it has one. */
export async function createBox(
  config: ClusterConfig,
  operator: string,
  name: string,
  finalizers: readonly string[] = [],
): Promise<void> {
  const rest = new RESTClient(config);
  try {
    const body = {
      ...{ apiVersion: `${operator}.example.com/v1`, kind: 'Box' },
      metadata: { name, finalizers },
    };
    await rest.post(`/apis/${operator}.example.com/v1/namespaces/default/boxes`, { body });
  } finally {
    await rest.close();
  }
}

const podKind = { apiVersion: 'v1', kind: 'Pod' };

/** Sets the status of all Pods of a namespace: those of a cluster without nodes have none. */
export async function setPods(cluster: Cluster, namespace: string, status: object): Promise<void> {
  for (const pod of await cluster.list(podKind, { namespace })) {
    const { client } = await cluster.objects.clientFor<Unstructured>({ ...podKind, metadata: { namespace } });
    const { name } = Object(pod['metadata']);
    await client.patchStatus(name, { status }, { type: 'merge' });
  }
}
