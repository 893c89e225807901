// Pods of a busy cluster: about 8 kB of JSON each in a list.

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Returns a pod as a user creates it. The defaults and records of the server triple its size. */
export function podToCreate(name, variables = 2) {
  return {
    metadata: {
      name,
      labels: {
        'app.kubernetes.io/name': 'web',
        'app.kubernetes.io/instance': name,
        'app.kubernetes.io/part-of': 'shop',
        'pod-template-hash': '5d4f8c7b9d',
      },
      annotations: Object.fromEntries(
        times(6, (index) => [`example.com/annotation-${index}`, `${name} is annotated with text ${index}`]),
      ),
    },
    spec: {
      containers: times(3, (index) => container(name, index, variables)),
      volumes: times(3, (index) => ({ name: `volume-${index}`, configMap: { name: `web-config-${index}` } })),
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    },
  };
}

function container(name, index, variables) {
  return {
    name: `container-${index}`,
    image: `registry.example.com/shop/web-${index}:1.${index}.7`,
    args: ['--listen=:8080', `--name=${name}`, '--log-format=json'],
    ports: [{ name: `http-${index}`, containerPort: 8080 + index }],
    env: times(variables, (number) => ({
      name: `VARIABLE_${number}`,
      value: `value ${number} of container ${index}`,
    })),
    resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '512Mi' } },
    livenessProbe: { httpGet: { path: '/healthz', port: `http-${index}` }, initialDelaySeconds: 10 },
    volumeMounts: times(3, (number) => ({ name: `volume-${number}`, mountPath: `/etc/web/${number}` })),
  };
}

/** Returns a pod as a server lists it, without most of the defaults. */
export function listedPod(name) {
  const { metadata, spec } = podToCreate(name, 11);
  const created = '2026-01-01T00:00:00Z';
  return {
    metadata: {
      ...metadata,
      namespace: 'shop',
      uid: `5f5cf4a8-9d1c-4f0e-9c7b-${name.padStart(12, '0')}`,
      resourceVersion: '4711',
      creationTimestamp: created,
      managedFields: [
        { manager: 'kgen', operation: 'Update', apiVersion: 'v1', time: created, fieldsV1: fields(spec) },
      ],
    },
    spec: { ...spec, restartPolicy: 'Always', nodeName: 'node-7', schedulerName: 'default-scheduler' },
    status: {
      phase: 'Running',
      conditions: times(4, (index) => ({
        type: `Condition${index}`,
        status: 'True',
        lastTransitionTime: created,
      })),
      containerStatuses: spec.containers.map(({ name, image }) => ({
        name,
        image,
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: created } },
      })),
    },
  };
}

function fields({ containers }) {
  const ofContainer = ({ name, env }) => [
    `k:{"name":"${name}"}`,
    {
      '.': {},
      'f:env': Object.fromEntries(
        env.map((one) => [`k:{"name":"${one.name}"}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
      ),
      'f:image': {},
      'f:resources': { 'f:limits': { 'f:memory': {} }, 'f:requests': { 'f:cpu': {}, 'f:memory': {} } },
    },
  ];
  return { 'f:spec': { 'f:containers': Object.fromEntries(containers.map(ofContainer)) } };
}
