import { template } from './pods.ts';
import type { Samples } from './types.ts';

const node = {
  unschedulable: true,
  taints: [{ key: 'a', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' }],
};

/** Samples of the core group. */
export const coreSamples: Samples = {
  'v1/ConfigMap': () => ({
    data: { text: 'línea\n\u{1F600}', empty: '' },
    binaryData: { bytes: 'AP8Q', none: '' },
    immutable: false,
  }),
  'v1/Endpoints': () => ({
    subsets: [
      {
        addresses: [{ ip: '192.0.2.7', nodeName: 'n1', targetRef: { kind: 'Pod', name: 'web-0' } }],
        notReadyAddresses: [{ ip: '192.0.2.8' }],
        ports: [{ name: 'http', port: 80 }],
      },
    ],
  }),
  'v1/Event': ({ namespace }) => ({
    involvedObject: { kind: 'Pod', name: 'web-0', namespace, fieldPath: 'spec.containers{web}' },
    reason: 'Pulled',
    type: 'Normal',
    firstTimestamp: '2026-01-02T03:04:05Z',
    lastTimestamp: '2026-01-02T03:04:06Z',
    eventTime: '2026-01-02T03:04:05.000600Z',
    series: { count: 2, lastObservedTime: '2026-01-02T03:04:06.123456Z' },
    action: 'Pulling',
    reportingComponent: 'example.com/kubelet',
    reportingInstance: 'n1',
  }),
  'v1/LimitRange': () => ({
    spec: {
      limits: [
        {
          type: 'Container',
          max: { cpu: '2', memory: '1Gi' },
          min: { cpu: '0.1' },
          default: { cpu: '0.5' },
          defaultRequest: { cpu: '1e-1' },
          maxLimitRequestRatio: { cpu: 10 },
        },
      ],
    },
  }),
  'v1/Namespace': () => ({ metadata: { labels: { team: 'red' } }, spec: { finalizers: ['kubernetes'] } }),
  'v1/Node': () => ({
    spec: { ...node, providerID: 'example://n1', podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] },
    status: {
      capacity: { cpu: '4', memory: '16384Mi', pods: '110' },
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      nodeInfo: { kubeletVersion: 'v1.0.0' },
      images: [{ names: ['web:1'], sizeBytes: 9_007_199_254_740_991 }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    },
  }),
  'v1/PersistentVolume': ({ name }) => ({
    spec: {
      capacity: { storage: '1.5Gi' },
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      storageClassName: 'none',
      csi: { driver: 'example.com', volumeHandle: name, volumeAttributes: { kind: 'fast' }, readOnly: false },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
        },
      },
    },
  }),
  'v1/PersistentVolumeClaim': () => ({
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'none',
      selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
      resources: { requests: { storage: '1073741824' } },
      dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
    },
  }),
  'v1/Pod': () => template,
  'v1/PodTemplate': () => ({ template }),
  'v1/ReplicationController': () => ({ spec: { replicas: 0, selector: { app: 'web' }, template } }),
  'v1/ResourceQuota': () => ({
    spec: {
      hard: { pods: '10', 'requests.cpu': '1500m', 'count/jobs.batch': 3 },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
  }),
  'v1/Secret': () => ({
    type: 'example.com/own',
    data: { key: '/+8=', empty: '' },
    stringData: { text: 'é' },
  }),
  'v1/ServiceAccount': () => ({
    secrets: [{ name: 'token' }],
    imagePullSecrets: [{ name: 'registry' }],
    automountServiceAccountToken: false,
  }),
  'v1/Service': () => ({
    spec: {
      type: 'NodePort',
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
      ],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 30 } },
      externalTrafficPolicy: 'Local',
    },
  }),
};
