/** A pod with most members, as the template of workload kinds. */

const probe = { initialDelaySeconds: 0, periodSeconds: 5, failureThreshold: 2 };

const web = {
  name: 'web',
  image: 'web:1',
  args: ['--verbose', ''],
  ports: [{ name: 'http', containerPort: 8080 }],
  env: [
    { name: 'EMPTY', value: '' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
    { name: 'MODE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode', optional: true } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'key' } } },
  ],
  envFrom: [
    { prefix: 'P_', configMapRef: { name: 'more' } },
    { secretRef: { name: 'keys', optional: false } },
  ],
  resources: { requests: { cpu: '0.5', memory: '64Mi' }, limits: { cpu: '1e0', memory: '0.25Gi' } },
  livenessProbe: {
    ...probe,
    httpGet: { path: '/', port: 'http', httpHeaders: [{ name: 'X-A', value: '' }] },
  },
  readinessProbe: { ...probe, tcpSocket: { port: 8080 } },
  startupProbe: { ...probe, grpc: { port: 9090 } },
  lifecycle: { preStop: { sleep: { seconds: 1 } }, postStart: { exec: { command: ['true'] } } },
  securityContext: {
    runAsUser: 0,
    privileged: false,
    capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  },
  volumeMounts: [{ name: 'all', mountPath: '/all' }],
  volumeDevices: [],
};

const projected = {
  defaultMode: 0o600,
  sources: [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3600, audience: 'web' } },
    { configMap: { name: 'settings', items: [{ key: 'mode', path: 'mode', mode: 0 }] } },
    { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    { secret: { name: 'keys' } },
  ],
};

const affinity = {
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, preference: { matchExpressions: [{ key: 'zone', operator: 'Gt', values: ['3'] }] } },
    ],
  },
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
};

const spec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 5,
  serviceAccountName: 'default',
  automountServiceAccountToken: false,
  containers: [web],
  initContainers: [
    { name: 'first', image: 'first:1', command: ['sh', '-c', 'exit 0'], restartPolicy: 'Always' },
  ],
  volumes: [
    { name: 'all', projected },
    { name: 'room', emptyDir: { medium: 'Memory', sizeLimit: '1.5Gi' } },
    { name: 'nothing', emptyDir: {} },
    { name: 'disk', persistentVolumeClaim: { claimName: 'data', readOnly: true } },
    { name: 'host', hostPath: { path: '/data', type: '' } },
  ],
  affinity,
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
  hostAliases: [{ ip: '192.0.2.9', hostnames: ['other'] }],
  dnsConfig: { options: [{ name: 'ndots', value: '2' }, { name: 'debug' }] },
  securityContext: {
    fsGroup: 1000,
    supplementalGroups: [1, 2],
    sysctls: [{ name: 'net.ipv4.a', value: '1' }],
  },
};

/** Metadata and spec of pods and their templates. */
export const template = { metadata: { labels: { app: 'web' }, annotations: { note: '"quoted"' } }, spec };

/** Template of pods that terminate, for jobs. */
export const jobTemplate = {
  metadata: { labels: { app: 'job' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'job', image: 'job:1' }] },
};
