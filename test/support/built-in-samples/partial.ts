/** Parts of objects in which every member that a server writes as `null` is left out. */

/** A part of an object, which replaces the members of a sample. */
interface Part {
  /** By apiVersion and kind. */
  readonly key: string;
  readonly spec?: object;
  /** Written through the subresource if there is one. */
  readonly status?: object;
}

const conditions = [{ type: 'Ready', status: 'True' }];
const complete = { ...conditions[0], reason: 'Partial', message: 'partial' };
const ids = { image: 'web:1', imageID: 'sha256:1', ready: true, restartCount: 0 };
const states = { state: { running: {} }, lastState: { terminated: { exitCode: 1 } } };
const counts = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
};
const containers = [{ name: 'web', image: 'web:1' }];
const job = { completionMode: 'Indexed', completions: 1 };
const template = { spec: { restartPolicy: 'Never', containers } };
const scaleIO = { gateway: 'a', system: 'b', volumeName: 'c' };
const claim = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a' },
};

function pod(volume: object): Part {
  return { key: 'v1/Pod', spec: { containers, volumes: [{ name: 'v', ...volume }] } };
}

function volume(source: object): Part {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source };
  return { key: 'v1/PersistentVolume', spec };
}

/** Returns a slice whose only device has a capacity with a policy. */
function slice(version: string): Part {
  const capacity = { memory: { value: '1Gi', requestPolicy: {} } };
  const content = { capacity, allowMultipleAllocations: true };
  const device = version === 'v1beta1' ? { basic: content } : content;
  const pool = { name: 'n1', generation: 1, resourceSliceCount: 1 };
  const devices = [{ name: 'gpu-0', ...device }];
  const spec = { driver: 'partial.example.com', nodeName: 'n1', pool, devices };
  return { key: `resource.k8s.io/${version}/ResourceSlice`, spec };
}

/** Returns a claim with an allocated device, which its driver has not described further. */
function allocatedClaim(version: string): Part {
  const ofDevice = { driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' };
  const results = [{ request: 'gpu', ...ofDevice }];
  const status = { allocation: { devices: { results } }, devices: [ofDevice] };
  return { key: `resource.k8s.io/${version}/ResourceClaim`, status };
}

const client = { clientConfig: { url: 'https://hooks.example.com' } };
const definition = {
  group: 'partial.example.com',
  scope: 'Namespaced',
  names: { plural: 'parts', kind: 'Part' },
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  conversion: { strategy: 'Webhook', webhook: client },
};

export const parts: readonly Part[] = [
  { key: 'apiextensions.k8s.io/v1/CustomResourceDefinition', spec: definition },
  { key: 'v1/Pod', status: { conditions, containerStatuses: [{ name: 'web', ...ids, ...states }] } },
  { key: 'v1/Pod', status: { extendedResourceClaimStatus: { resourceClaimName: 'a' } } },
  { key: 'v1/Node', status: { conditions, images: [{}] } },
  { key: 'v1/Namespace', status: { conditions } },
  { key: 'v1/PersistentVolumeClaim', status: { conditions } },
  { key: 'v1/ReplicationController', status: { conditions, replicas: 1 } },
  { key: 'apps/v1/DaemonSet', status: { conditions, ...counts } },
  { key: 'apps/v1/Deployment', status: { conditions } },
  { key: 'apps/v1/ReplicaSet', status: { conditions, replicas: 1 } },
  { key: 'apps/v1/StatefulSet', status: { conditions, replicas: 1 } },
  { key: 'autoscaling/v2/HorizontalPodAutoscaler', status: { conditions, desiredReplicas: 1 } },
  { key: 'batch/v1/Job', status: { conditions: [{ type: 'Suspended', status: 'True' }] } },
  { key: 'certificates.k8s.io/v1/CertificateSigningRequest', status: { conditions } },
  { key: 'flowcontrol.apiserver.k8s.io/v1/FlowSchema', status: { conditions } },
  { key: 'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration', status: { conditions } },
  { key: 'apiregistration.k8s.io/v1/APIService', status: { conditions } },
  { key: 'apiextensions.k8s.io/v1/CustomResourceDefinition', status: { conditions } },
  {
    key: 'apiextensions.k8s.io/v1/CustomResourceDefinition',
    status: { conditions: null, storedVersions: null },
  },
  { key: 'internal.apiserver.k8s.io/v1alpha1/StorageVersion', status: { conditions: [complete] } },
  { key: 'storage.k8s.io/v1/VolumeAttachment', status: { attached: false, attachError: {} } },
  volume({ azureFile: { secretName: 'a', shareName: 'b' } }),
  volume({ cephfs: {} }),
  volume({ rbd: { image: 'a' } }),
  volume({ scaleIO }),
  pod({ cephfs: {} }),
  pod({ rbd: { image: 'a' } }),
  pod({ scaleIO }),
  pod({ projected: {} }),
  pod({ ephemeral: { volumeClaimTemplate: { spec: claim } } }),
  { key: 'batch/v1/Job', spec: { ...job, successPolicy: {}, template } },
  { key: 'batch/v1/Job', spec: { ...job, podFailurePolicy: {}, template } },
  { key: 'networking.k8s.io/v1/Ingress', spec: { defaultBackend: { resource: { kind: 'A', name: 'b' } } } },
  ...['v1', 'v1beta1', 'v1beta2'].flatMap((version) => [
    { key: `resource.k8s.io/${version}/ResourceClaim`, spec: {} },
    slice(version),
    allocatedClaim(version),
  ]),
];
