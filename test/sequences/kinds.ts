/** The kinds of sequences, with changes that a server accepts and refuses. */
import type { JsonObject } from '../../src/schema/values/json.ts';
import { customKinds } from './custom-kinds.ts';
import { podParts, podSpec, podWrongs } from './pod-parts.ts';

/** A kind. */
export interface SequenceKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isClusterScoped?: boolean;
  /** Names of objects. Default: `a`, `b` and `c`, for cluster-scoped kinds with the namespace. */
  readonly names?: readonly [string, string, string];
  /** Members of every object. */
  readonly base: JsonObject;
  /** Merge patches that are usually accepted, in creates and updates. */
  readonly parts: readonly JsonObject[];
  /** Merge patches that are usually refused, or of which fields are dropped. */
  readonly wrong: readonly JsonObject[];
  /** Strategic merge patches with directives. */
  readonly strategic?: readonly JsonObject[];
  /** Merge patches of the status. */
  readonly status?: readonly JsonObject[];
  readonly hasScale?: boolean;
  /** Field selectors besides those of all kinds. */
  readonly fields?: readonly string[];
}

const selector = { matchLabels: { app: 'a' } };
const template = { metadata: { labels: { app: 'a' } }, spec: podSpec };

const builtInKinds: readonly SequenceKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    base: { data: { a: '1' } },
    parts: [
      { data: { b: '2' } },
      { data: { a: '3', c: null } },
      { binaryData: { d: 'AAEC' } },
      { immutable: true },
      { data: null },
    ],
    wrong: [
      { data: { 'a b': 'x' } },
      { data: { a: 1 } },
      { data: 'x' },
      { immutable: 'yes' },
      { binaryData: { d: '#' } },
      { binaryData: { a: 'AAEC' } },
      { spec: { x: 1 } },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    base: { data: { a: 'MQ==' } },
    parts: [
      { stringData: { b: 'text' } },
      { data: { c: '' } },
      { immutable: true },
      { type: 'Opaque' },
      { data: { a: null } },
    ],
    wrong: [
      { type: 'kubernetes.io/tls' },
      { type: 'kubernetes.io/basic-auth', stringData: { username: 'x' } },
      { type: 'example.com/own' },
      { data: { a: 'not base64' } },
      { stringData: { 'a/b': 'x' } },
      { stringData: { a: 5 } },
      { unknown: { a: [1] } },
    ],
    fields: ['type=Opaque', 'type!=Opaque'],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    base: { spec: { ports: [{ port: 80 }], selector: { app: 'a' } } },
    parts: [
      {
        spec: {
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81, targetPort: 'http', protocol: 'UDP' },
          ],
        },
      },
      { spec: { type: 'NodePort' } },
      { spec: { type: 'ClusterIP' } },
      { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' } },
      { spec: { type: 'ExternalName', externalName: 'x.example.com', clusterIP: null, clusterIPs: null } },
      { spec: { sessionAffinity: 'ClientIP' } },
      { spec: { selector: { app: 'b', tier: 'web' } } },
      { spec: { publishNotReadyAddresses: true, internalTrafficPolicy: 'Local' } },
    ],
    wrong: [
      { spec: { ports: [] } },
      { spec: { ports: [{ port: 0 }] } },
      { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      { spec: { clusterIP: 'None' } },
      { spec: { clusterIP: '10.0.0.300' } },
      { spec: { type: 'Wrong' } },
      { spec: { sessionAffinity: 'Wrong' } },
      { spec: { externalTrafficPolicy: 'Local' } },
      { spec: { ports: 'x' } },
      { spec: { selector: { a: 'b c' } } },
    ],
    strategic: [
      { spec: { ports: [{ port: 80, $patch: 'delete' }, { port: 82 }] } },
      { spec: { ports: [{ port: 80, name: 'renamed' }] } },
      { spec: { $setElementOrder: 1 } },
      { spec: { selector: { $patch: 'replace', only: 'x' } } },
    ],
    status: [
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
      { status: { loadBalancer: { ingress: [{ ip: 'x' }] } } },
      {
        status: {
          conditions: [
            {
              type: 'A',
              status: 'True',
              reason: 'B',
              message: '',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      },
    ],
    fields: ['spec.clusterIP=None', 'spec.type=NodePort'],
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    plural: 'pods',
    base: { spec: podSpec },
    parts: podParts,
    wrong: podWrongs,
    strategic: [
      { spec: { containers: [{ name: 'main', image: 'main:3' }] } },
      { spec: { containers: [{ name: 'main', $patch: 'delete' }] } },
      { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } },
      { metadata: { labels: { $patch: 'replace', app: 'z' } } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] } },
    ],
    status: [
      { status: { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] } },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { status: { phase: 'Wrong' } },
      { status: { conditions: [{ type: 'Ready', status: 'Perhaps' }] } },
      {
        status: {
          containerStatuses: [{ name: 'main', ready: true, restartCount: 1, image: 'i', imageID: 'x' }],
        },
      },
    ],
    fields: ['status.phase=Pending', 'spec.nodeName=', 'spec.restartPolicy=Always', 'status.phase!=Running'],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    plural: 'deployments',
    base: { spec: { selector, template } },
    parts: [
      { spec: { replicas: 3 } },
      { spec: { replicas: 0, paused: true } },
      { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } },
      {
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } } },
      },
      { spec: { minReadySeconds: 5, progressDeadlineSeconds: 50, revisionHistoryLimit: 0 } },
      { spec: { template: { metadata: { annotations: { at: 'now' } } } } },
      { spec: { template: { spec: { containers: [{ name: 'main', image: 'main:2' }] } } } },
    ],
    wrong: [
      { spec: { replicas: -1 } },
      { spec: { replicas: 'many' } },
      { spec: { selector: { matchLabels: { app: 'b' } } } },
      { spec: { selector: null } },
      { spec: { template: { spec: { restartPolicy: 'Never' } } } },
      { spec: { strategy: { type: 'Wrong' } } },
      { spec: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } } },
      { spec: { minReadySeconds: 700 } },
      { spec: { template: { spec: { containers: [] } } } },
      { spec: { unknown: true } },
    ],
    strategic: [
      { spec: { template: { spec: { containers: [{ name: 'side', image: 'side' }] } } } },
      { spec: { template: { spec: { containers: [{ name: 'main', env: [{ name: 'A', value: 'b' }] }] } } } },
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    ],
    status: [
      { status: { replicas: 2, readyReplicas: 1, updatedReplicas: 2, observedGeneration: 1 } },
      { status: { replicas: 1, readyReplicas: 3 } },
      { status: { replicas: -1 } },
      { status: { conditions: [{ type: 'Available', status: 'True', reason: 'R' }] } },
    ],
    hasScale: true,
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    base: { spec: { selector, minAvailable: 1 } },
    parts: [
      { spec: { minAvailable: null, maxUnavailable: '20%' } },
      { spec: { minAvailable: '50%' } },
      { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
      { spec: { selector: { matchLabels: { app: 'c' } } } },
    ],
    wrong: [
      { spec: { maxUnavailable: 1 } },
      { spec: { minAvailable: '150%' } },
      { spec: { minAvailable: -1 } },
      { spec: { unhealthyPodEvictionPolicy: 'Wrong' } },
      { spec: { minAvailable: { a: 1 } } },
    ],
    status: [
      { status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 } },
      { status: { currentHealthy: -1 } },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    plural: 'roles',
    base: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    parts: [
      { rules: [{ apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], verbs: ['*'] }] },
      { rules: [] },
      { rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] }] },
    ],
    wrong: [
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] },
      { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
      { rules: [{ resources: ['pods'], verbs: ['get'] }] },
      { rules: 'x' },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    isClusterScoped: true,
    base: {},
    parts: [{ spec: { finalizers: ['kubernetes', 'example.com/own'] } }, { spec: {} }],
    wrong: [{ spec: { finalizers: ['x'] } }, { spec: 'x' }, { unknown: 1 }],
    status: [
      { status: { phase: 'Terminating' } },
      { status: { conditions: [{ type: 'A', status: 'True', reason: 'x' }] } },
    ],
    fields: ['status.phase=Active'],
  },
];

/** All kinds, in equal proportion. */
export const kinds: readonly SequenceKind[] = [...builtInKinds, ...customKinds];
