/** Intents whose values the API server normalises, with a change by another manager that an apply reverts. */

/** One intent, applied again and again. */
export interface ApplyCase {
  readonly title: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** Body of the apply without apiVersion, kind and metadata.name. */
  readonly intent: Readonly<Record<string, unknown>>;
  /** JSON merge patch of another manager that changes a field of the intent. */
  readonly foreign: Readonly<Record<string, unknown>>;
  /**
   * Whether `managedFields` show that the intent is applied already. Other intents are sent once in each
   * process, such as those with lists or maps that are owned as a whole.
   */
  readonly isRecognized: boolean;
}

const web = { app: 'web' };
const container = { name: 'web', image: 'nginx' };

const deployment = (containerPart: object, podPart: object = {}, specPart: object = {}): object => ({
  selector: { matchLabels: web },
  ...specPart,
  template: {
    metadata: { labels: web },
    spec: { containers: [{ ...container, ...containerPart }], ...podPart },
  },
});

const otherImage = {
  spec: { template: { spec: { containers: [{ name: 'web', image: 'other' }] } } },
};

const apps = { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' };
const core = { group: '', version: 'v1' };
const secret = { ...core, resource: 'secrets', kind: 'Secret' };
const configMap = { ...core, resource: 'configmaps', kind: 'ConfigMap' };
const service = { ...core, resource: 'services', kind: 'Service' };
const networking = { group: 'networking.k8s.io', version: 'v1' };

/** The cases of built-in kinds. */
export const cases: readonly ApplyCase[] = [
  {
    title: 'quantities in other notations (JOSDK #2249, keycloak #38846)',
    ...apps,
    intent: {
      spec: deployment({
        resources: { limits: { cpu: '1000m', memory: '1024Mi' }, requests: { cpu: 0.5, memory: '1e3' } },
      }),
    },
    foreign: otherImage,
    isRecognized: false,
  },
  {
    title: 'empty lists and maps (JOSDK #2802)',
    ...apps,
    intent: {
      spec: deployment(
        { env: [], args: [], volumeMounts: [], resources: { limits: {}, requests: {} } },
        { nodeSelector: {}, tolerations: [], volumes: [] },
      ),
    },
    foreign: otherImage,
    isRecognized: false,
  },
  {
    title: 'zero values (JOSDK #2742)',
    ...apps,
    intent: {
      spec: deployment(
        { stdin: false, env: [{ name: 'A', value: '' }] },
        { hostNetwork: false },
        { replicas: 0, minReadySeconds: 0, paused: false },
      ),
    },
    foreign: { spec: { replicas: 3 } },
    isRecognized: false,
  },
  {
    title: 'null, and creationTimestamp: null (JOSDK #2290)',
    ...apps,
    intent: {
      metadata: { creationTimestamp: null },
      spec: {
        selector: { matchLabels: web },
        strategy: { type: 'Recreate', rollingUpdate: null },
        template: {
          metadata: { creationTimestamp: null, labels: web },
          spec: { containers: [{ ...container, command: null }] },
        },
      },
    },
    foreign: otherImage,
    isRecognized: false,
  },
  {
    title: 'ports without their default protocol (JOSDK #2038)',
    ...apps,
    intent: {
      spec: deployment({
        ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }],
        readinessProbe: { httpGet: { path: '/', port: 80 } },
      }),
    },
    foreign: otherImage,
    isRecognized: false,
  },
  {
    title: 'environment with order, references and quantities',
    ...apps,
    intent: {
      spec: deployment(
        {
          env: [
            { name: 'B', value: '1000m' },
            { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1000m' } } },
            { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
          ],
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
        },
        { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '0.5Gi' } }] },
      ),
    },
    foreign: otherImage,
    isRecognized: false,
  },
  {
    title: 'stringData',
    ...secret,
    intent: { stringData: { password: 'pläne' }, data: { user: 'YWRtaW4=' } },
    foreign: { data: { password: 'b3RoZXI=' } },
    isRecognized: false,
  },
  {
    title: 'data',
    ...secret,
    intent: { data: { password: 'YWRtaW4=' }, type: 'Opaque' },
    foreign: { data: { password: 'b3RoZXI=' } },
    isRecognized: true,
  },
  {
    title: 'empty data, labels and annotations',
    ...configMap,
    intent: { metadata: { labels: {}, annotations: {} }, data: {}, binaryData: {}, immutable: false },
    foreign: { immutable: null, data: { more: 'x' } },
    isRecognized: true,
  },
  {
    title: 'data and annotations',
    ...configMap,
    intent: {
      metadata: { annotations: { 'a.b/c': '' }, finalizers: ['example.com/a'] },
      data: { a: '', b: '1' },
    },
    foreign: { data: { a: 'x' } },
    isRecognized: true,
  },
  {
    title: 'ports without protocol and targetPort',
    ...service,
    intent: {
      spec: {
        selector: web,
        ports: [
          { port: 80, name: 'http' },
          { port: 443, name: 'tls', targetPort: 8443 },
        ],
      },
    },
    foreign: { spec: { selector: { app: 'other' } } },
    isRecognized: false,
  },
  {
    title: 'a named target port of a headless service',
    ...service,
    intent: { spec: { selector: web, clusterIP: 'None', ports: [{ port: 80, targetPort: 'http' }] } },
    foreign: { spec: { selector: { app: 'other' } } },
    isRecognized: false,
  },
  {
    title: 'paths and hosts',
    ...networking,
    resource: 'ingresses',
    kind: 'Ingress',
    intent: {
      spec: {
        ingressClassName: 'nginx',
        tls: [],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    },
    foreign: { spec: { ingressClassName: 'other' } },
    isRecognized: false,
  },
  {
    title: 'int-or-string ports, empty selectors and rules',
    ...networking,
    resource: 'networkpolicies',
    kind: 'NetworkPolicy',
    intent: {
      spec: {
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { from: [{ namespaceSelector: {} }], ports: [{ port: 80 }, { port: 'http', protocol: 'TCP' }] },
        ],
        egress: [{}],
      },
    },
    foreign: { spec: { egress: [] } },
    isRecognized: false,
  },
  {
    title: 'storage',
    ...core,
    resource: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    intent: {
      metadata: { labels: web },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    },
    foreign: { metadata: { labels: { app: 'other' } } },
    isRecognized: false,
  },
  {
    title: 'rules',
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resource: 'roles',
    kind: 'Role',
    intent: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [] }] },
    foreign: { rules: [] },
    isRecognized: false,
  },
  {
    title: 'percentages',
    group: 'policy',
    version: 'v1',
    resource: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    intent: { spec: { minAvailable: '50%', selector: { matchLabels: web } } },
    foreign: { spec: { minAvailable: 1 } },
    isRecognized: false,
  },
  {
    title: 'a schedule with a pod template',
    group: 'batch',
    version: 'v1',
    resource: 'cronjobs',
    kind: 'CronJob',
    intent: {
      spec: {
        schedule: '0 0 * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: 'Never',
                containers: [{ ...container, resources: { requests: { cpu: '0.25' } } }],
              },
            },
          },
        },
      },
    },
    foreign: { spec: { schedule: '1 1 * * *' } },
    isRecognized: true,
  },
];
