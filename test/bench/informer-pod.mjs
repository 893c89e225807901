// Pods as in a controller's cache: about 5 kB of JSON each, two fifths of it managedFields. Every pod has its
// own name, uid, addresses, times and container id; pods of one app share labels, owner and environment, and
// all share the rest, as the pods of a cluster do.

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const fields = (names) => Object.fromEntries(names.map((name) => [name, {}]));
const keyed = (key, names) => ({ [`k:${JSON.stringify(key)}`]: { '.': {}, ...fields(names) } });
const object = (names) => ({ '.': {}, ...fields(names) });

const apps = 500;
const nodes = 200;
const zones = ['a', 'b', 'c'];
const variables = times(2, (index) => `SHOP_SETTING_${index}`);
const labels = {
  app: '@app@',
  'app.kubernetes.io/part-of': 'shop',
  'pod-template-hash': '@hash@',
  'topology.example.com/zone': '@zone@',
};
const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

const controllerFields = {
  'f:metadata': {
    'f:generateName': {},
    'f:labels': object(Object.keys(labels).map((label) => `f:${label}`)),
    'f:ownerReferences': { '.': {}, 'k:{"uid":"@owner@"}': {} },
  },
  'f:spec': {
    'f:containers': {
      'k:{"name":"web"}': {
        ...object(['f:args', 'f:image', 'f:imagePullPolicy', 'f:name']),
        'f:env': Object.assign(
          { '.': {} },
          ...variables.map((name) => keyed({ name }, ['f:name', 'f:value'])),
        ),
        'f:ports': {
          '.': {},
          ...keyed({ containerPort: 8080, protocol: 'TCP' }, ['f:containerPort', 'f:name', 'f:protocol']),
        },
        'f:resources': {
          '.': {},
          'f:limits': object(['f:memory']),
          'f:requests': object(['f:cpu', 'f:memory']),
        },
        ...fields(['f:terminationMessagePath', 'f:terminationMessagePolicy']),
      },
    },
    ...fields(['f:dnsPolicy', 'f:restartPolicy', 'f:schedulerName']),
    ...fields(['f:securityContext', 'f:terminationGracePeriodSeconds']),
    'f:volumes': { '.': {}, ...keyed({ name: 'settings' }, ['f:configMap', 'f:name']) },
  },
};

const kubeletFields = {
  'f:status': {
    'f:conditions': Object.assign(
      {},
      ...conditions.map((type) => keyed({ type }, ['f:lastTransitionTime', 'f:status', 'f:type'])),
    ),
    ...fields(['f:containerStatuses', 'f:hostIP', 'f:hostIPs', 'f:phase']),
    'f:podIP': {},
    'f:podIPs': { '.': {}, ...keyed({ ip: '@ip@' }, ['f:ip']) },
    'f:startTime': {},
  },
};

const metadata = {
  name: '@app@-@hash@-@suffix@',
  generateName: '@app@-@hash@-',
  namespace: '@namespace@',
  uid: '@uid@',
  resourceVersion: '@version@',
  generation: 1,
  creationTimestamp: '@created@',
  labels,
  annotations: {
    'network.example.com/container': '@sandbox@',
    'network.example.com/address': '@ip@/32',
  },
  ownerReferences: [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: '@app@-@hash@',
      uid: '@owner@',
      controller: true,
      blockOwnerDeletion: true,
    },
  ],
  managedFields: [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time: '@created@',
      fieldsType: 'FieldsV1',
      fieldsV1: controllerFields,
    },
    {
      manager: 'kubelet',
      operation: 'Update',
      apiVersion: 'v1',
      time: '@ready@',
      fieldsType: 'FieldsV1',
      fieldsV1: kubeletFields,
      subresource: 'status',
    },
  ],
};

const spec = {
  volumes: [
    { name: 'settings', configMap: { name: '@app@-settings', defaultMode: 420 } },
    {
      name: 'kube-api-access-@suffix@',
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt' } },
        ],
        defaultMode: 420,
      },
    },
  ],
  containers: [
    {
      name: 'web',
      image: 'registry.example.com/shop/@app@:1.14.7',
      args: ['--listen=:8080', '--log-format=json', '--instance=@app@-@suffix@'],
      ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
      env: variables.map((name, index) => ({ name, value: `setting ${index} of @app@-@suffix@` })),
      resources: { limits: { memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
      volumeMounts: [
        { name: 'settings', readOnly: true, mountPath: '/etc/shop' },
        {
          name: 'kube-api-access-@suffix@',
          readOnly: true,
          mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
        },
      ],
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'IfNotPresent',
    },
  ],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  serviceAccountName: 'default',
  serviceAccount: 'default',
  nodeName: '@node@',
  securityContext: {},
  schedulerName: 'default-scheduler',
  tolerations: ['not-ready', 'unreachable'].map((taint) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

const status = {
  phase: 'Running',
  conditions: conditions.map((type) => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: `@${type.toLowerCase()}@`,
  })),
  hostIP: '@host@',
  hostIPs: [{ ip: '@host@' }],
  podIP: '@ip@',
  podIPs: [{ ip: '@ip@' }],
  startTime: '@created@',
  containerStatuses: [
    {
      name: 'web',
      state: { running: { startedAt: '@started@' } },
      lastState: {},
      ready: true,
      restartCount: 0,
      image: 'registry.example.com/shop/@app@:1.14.7',
      imageID: 'registry.example.com/shop/@app@@sha256:@digest@',
      containerID: 'containerd://@container@',
      started: true,
    },
  ],
  qosClass: 'Burstable',
};

const digits = (number, length) => number.toString(16).padStart(length, '0');
/** Returns hexadecimal digits that look random and are the same in every run. */
const scattered = (index, length) => {
  let text = '';
  for (let part = 1; text.length < length; part += 1) {
    text += digits(Math.imul(index * 16 + part, 0x9e3779b1) >>> 0, 8);
  }
  return text.slice(0, length);
};
const uid = (index) => scattered(index, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const time = (index, seconds) =>
  new Date(Date.UTC(2026, 0, 1) + index * 7000 + seconds * 1000).toISOString().replace('.000', '');

/** Returns the values specific to a pod, which replace `@name@` in the template. */
function values(index, version) {
  const app = index % apps;
  const node = index % nodes;
  return {
    app: `shop-app-${app}`,
    hash: scattered(1_000_000 + app, 10),
    suffix: digits(index, 5),
    namespace: `team-${app % 50}`,
    zone: `zone-${zones[node % zones.length]}`,
    owner: uid(3_000_000 + app),
    digest: scattered(4_000_000 + app, 64),
    uid: uid(index),
    version: String(version),
    created: time(index, 0),
    podscheduled: time(index, 1),
    initialized: time(index, 4),
    started: time(index, 5),
    containersready: time(index, 8),
    ready: time(index, 9),
    node: `node-${node}.cluster.example.com`,
    host: `192.168.${node >> 6}.${node & 63}`,
    ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    sandbox: scattered(5_000_000 + index, 64),
    container: scattered(6_000_000 + index, 64),
  };
}

/** Alternating JSON fragments and names of values. */
const pieces = JSON.stringify({ metadata, spec, status }).split(/@([a-z]+)@/);

/** Returns the JSON of a pod, without apiVersion and kind, as an item of a list. */
export function podText(index, version) {
  const own = values(index, version);
  let text = '';
  for (let piece = 0; piece < pieces.length; piece += 2) {
    const name = pieces[piece + 1];
    text += pieces[piece] + (name === undefined ? '' : own[name]);
  }
  return text;
}
