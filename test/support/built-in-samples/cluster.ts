import type { Sample, Samples } from './types.ts';

const rbac = 'rbac.authorization.k8s.io';
const rules = [{ apiGroups: ['', 'apps'], resources: ['*'], resourceNames: ['web'], verbs: ['get', 'list'] }];

const storageVersionMigration: Sample = () => ({
  spec: { resource: { group: 'apps', resource: 'deployments' } },
});

/** Samples of RBAC, storage, networking, scheduling, and of the server itself. */
export const clusterSamples: Samples = {
  ...rbacSamples(),
  ...storageSamples(),
  ...networkSamples(),
  ...coordinationSamples(),
  ...serverSamples(),
};

function rbacSamples(): Samples {
  const subjects = [
    { kind: 'User', name: 'eve', apiGroup: rbac },
    { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
  ];
  return {
    [`${rbac}/v1/ClusterRole`]: () => ({
      rules: [...rules, { nonResourceURLs: ['/healthz'], verbs: ['get'] }],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'all' } }] },
    }),
    [`${rbac}/v1/ClusterRoleBinding`]: () => ({
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects,
    }),
    [`${rbac}/v1/Role`]: () => ({ rules }),
    [`${rbac}/v1/RoleBinding`]: () => ({ roleRef: { apiGroup: rbac, kind: 'Role', name: 'own' }, subjects }),
  };
}

function storageSamples(): Samples {
  const attributesClass: Sample = () => ({ driverName: 'example.com', parameters: { iops: '100' } });
  return {
    'storage.k8s.io/v1/CSIDriver': () => ({
      spec: { attachRequired: false, podInfoOnMount: true, tokenRequests: [{ audience: '' }] },
    }),
    'storage.k8s.io/v1/CSINode': () => ({
      spec: {
        drivers: [
          { name: 'example.com', nodeID: 'n1', topologyKeys: ['zone'], allocatable: { count: 0 } },
          { name: 'other.example.com', nodeID: 'n1', topologyKeys: [] },
        ],
      },
    }),
    'storage.k8s.io/v1/CSIStorageCapacity': () => ({
      storageClassName: 'fast',
      capacity: '0.5Ti',
      nodeTopology: { matchLabels: { zone: 'a' } },
    }),
    'storage.k8s.io/v1/StorageClass': () => ({
      provisioner: 'example.com/disk',
      parameters: { kind: 'fast' },
      mountOptions: ['ro'],
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
    }),
    'storage.k8s.io/v1/VolumeAttachment': () => ({
      spec: { attacher: 'example.com', nodeName: 'n1', source: { persistentVolumeName: 'disk' } },
    }),
    'storage.k8s.io/v1/VolumeAttributesClass': attributesClass,
    'storage.k8s.io/v1beta1/VolumeAttributesClass': attributesClass,
    'storage.k8s.io/v1alpha1/VolumeAttributesClass': attributesClass,
    'storagemigration.k8s.io/v1/StorageVersionMigration': storageVersionMigration,
    'storagemigration.k8s.io/v1beta1/StorageVersionMigration': storageVersionMigration,
    'storagemigration.k8s.io/v1alpha1/StorageVersionMigration': () => ({
      spec: { resource: { group: 'apps', version: 'v1', resource: 'deployments' } },
    }),
  };
}

function networkSamples(): Samples {
  const address: Sample = ({ address: name }) => ({
    metadata: { name },
    spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name: 'web' } },
  });
  const addresses: Sample = ({ range: cidr }) => ({ spec: { cidrs: [cidr] } });
  const service = { service: { name: 'web', port: { number: 80 } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend: service }];
  return {
    'networking.k8s.io/v1/IPAddress': address,
    'networking.k8s.io/v1beta1/IPAddress': address,
    'networking.k8s.io/v1/ServiceCIDR': addresses,
    'networking.k8s.io/v1beta1/ServiceCIDR': addresses,
    'networking.k8s.io/v1/IngressClass': () => ({
      spec: { controller: 'example.com/own', parameters: { apiGroup: 'example.com', kind: 'P', name: 'p' } },
    }),
    'networking.k8s.io/v1/Ingress': () => ({
      spec: {
        ingressClassName: 'own',
        defaultBackend: { service: { name: 'web', port: { name: 'http' } } },
        tls: [{ hosts: ['web.example.com'] }],
        rules: [{ host: 'web.example.com', http: { paths } }, { host: '*.example.com' }],
      },
    }),
    'networking.k8s.io/v1/NetworkPolicy': () => ({
      spec: {
        podSelector: {},
        policyTypes: ['Egress', 'Ingress'],
        egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }],
        ingress: [
          {
            ports: [{ port: 53, endPort: 54, protocol: 'UDP' }, { port: 'dns' }],
            from: [{ podSelector: {} }],
          },
        ],
      },
    }),
    'discovery.k8s.io/v1/EndpointSlice': () => ({
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['192.0.2.7'], conditions: { ready: false }, hints: { forZones: [{ name: 'a' }] } },
        {
          addresses: ['192.0.2.8'],
          targetRef: { kind: 'Pod', name: 'web-0' },
          deprecatedTopology: { a: 'b' },
        },
      ],
      ports: [{ name: '', port: 80, appProtocol: 'http' }],
    }),
  };
}

function coordinationSamples(): Samples {
  const renewTime = '2026-01-02T03:04:05.000600Z';
  const candidate: Sample = () => ({
    spec: {
      leaseName: 'leader',
      binaryVersion: '1.36.0',
      emulationVersion: '1.35.0',
      strategy: 'OldestEmulationVersion',
      renewTime,
      pingTime: '2026-01-02T03:04:05.000000Z',
    },
  });
  return {
    'coordination.k8s.io/v1/Lease': () => ({
      spec: {
        holderIdentity: '',
        leaseDurationSeconds: 15,
        leaseTransitions: 0,
        acquireTime: renewTime,
        renewTime,
      },
    }),
    'coordination.k8s.io/v1beta1/LeaseCandidate': candidate,
    'coordination.k8s.io/v1alpha2/LeaseCandidate': candidate,
    'events.k8s.io/v1/Event': ({ namespace }) => ({
      eventTime: renewTime,
      series: { count: 2, lastObservedTime: '2026-01-02T03:04:06.123456Z' },
      reportingController: 'example.com/kubelet',
      reportingInstance: 'n1',
      action: 'Pulling',
      reason: 'Pulled',
      regarding: { kind: 'Pod', name: 'web-0', namespace },
      related: { kind: 'Node', name: 'n1' },
      note: 'pulled',
      type: 'Warning',
    }),
    'node.k8s.io/v1/RuntimeClass': () => ({
      handler: 'own',
      overhead: { podFixed: { cpu: '0.25', memory: '1e3' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
    }),
  };
}

function serverSamples(): Samples {
  const users = [{ kind: 'Group', group: { name: 'system:authenticated' } }];
  return {
    'flowcontrol.apiserver.k8s.io/v1/FlowSchema': () => ({
      spec: {
        matchingPrecedence: 9000,
        priorityLevelConfiguration: { name: 'workload-low' },
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          { subjects: users, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }] },
          {
            subjects: [{ kind: 'User', user: { name: 'eve' } }],
            resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true }],
          },
        ],
      },
    }),
    'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': () => ({
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 5 } },
        },
      },
    }),
    'internal.apiserver.k8s.io/v1alpha1/StorageVersion': ({ name }) => ({
      metadata: { name: `${name}.example.com.things` },
      spec: {},
    }),
    'apiregistration.k8s.io/v1/APIService': ({ name, authority }) => ({
      metadata: { name: `v1.${name}.example.com` },
      spec: {
        group: `${name}.example.com`,
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        caBundle: Buffer.from(authority).toString('base64'),
        service: { namespace: 'default', name: 'nobody', port: 8443 },
      },
    }),
  };
}
