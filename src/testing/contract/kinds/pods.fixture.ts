/** Pods: defaults, validation, admission, updates and deletion. */
import type { JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import {
  clusterCollection,
  collection,
  create,
  get,
  list,
  merge,
  remove,
  replace,
  tries,
} from './steps.fixture.ts';

const pods = collection('v1', 'Pod', 'pods');
const classes = clusterCollection('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses');
const ranges = collection('v1', 'LimitRange', 'limitranges');

const container: JsonObject = { name: 'c', image: 'x' };

function spec(members: JsonObject): JsonObject {
  return { spec: { containers: [container], ...members } };
}

function containing(...items: readonly JsonObject[]): JsonObject {
  return { spec: { containers: items } };
}

function withContainer(members: JsonObject): JsonObject {
  return containing({ ...container, ...members });
}

const decoding = tries(
  pods,
  withContainer({ image: 5, imagePullPolicy: 3 }),
  withContainer({ foo: 1, resources: { limits: { cpu: 'a' } } }),
  withContainer({ resources: { limits: { cpu: '1.5', memory: '1.5Gi' } } }),
  withContainer({ resources: { limits: { cpu: 0.5, memory: '1500', 'ephemeral-storage': '1e3' } } }),
  withContainer({ resources: { limits: { cpu: '0.0001', memory: '1.1Ki' } } }),
  withContainer({ livenessProbe: { httpGet: { port: true } } }),
  withContainer({ livenessProbe: { httpGet: { port: 1.5 } } }),
  spec({ terminationGracePeriodSeconds: 1.5 }),
  spec({ priority: 3_000_000_000 }),
  spec({ containers: 'x' }),
  spec({ containers: ['x'] }),
  spec({ nodeSelector: [] }),
  spec({ hostNetwork: 'true' }),
  spec({ securityContext: [] }),
  { spec: [] },
  { spec: 'a' },
  { ...spec({}), metadata: { creationTimestamp: 'x' } },
  { ...spec({}), metadata: { creationTimestamp: 5 } },
  { ...spec({}), metadata: { name: 5 } },
  { ...spec({}), metadata: { labels: [] } },
  { ...spec({}), metadata: { labels: { a: 1 } } },
  { ...spec({}), metadata: { ownerReferences: [5] } },
  { ...spec({}), metadata: { finalizers: {} } },
  { ...spec({}), metadata: { generation: 'a' } },
  { ...withContainer({ Image: 'y' }), Spec: {} },
);

const defaults = tries(
  pods,
  spec({}),
  withContainer({ image: 'nginx:1.27' }),
  withContainer({ image: 'nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000' }),
  withContainer({ resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } } }),
  withContainer({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
  withContainer({ ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } } }),
  withContainer({ env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
  spec({ serviceAccount: 'robot' }),
  spec({ serviceAccountName: 'robot' }),
  { spec: { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] } },
  spec({ tolerations: [{ operator: 'Exists' }] }),
  spec({ schedulingGates: [{ name: 'example.com/gate' }] }),
  spec({
    volumes: [
      { name: 'a', configMap: { name: 'b' } },
      { name: 'e' },
      { name: 's', secret: { secretName: 'x' } },
      { name: 'h', hostPath: { path: '/' } },
      { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      { name: 'd', downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
    ],
  }),
  { ...spec({}), metadata: { name: 'a'.repeat(64) } },
);

const validation = tries(
  pods,
  {},
  withContainer({ name: 'C_' }),
  containing({ image: 'x' }),
  containing({ name: 'c' }),
  containing(container, { ...container, image: 'y' }),
  withContainer({ image: ' x' }),
  withContainer({ imagePullPolicy: 'X', terminationMessagePolicy: 'Y' }),
  withContainer({
    ports: [
      { containerPort: 0 },
      { containerPort: 70_000 },
      { containerPort: 80, protocol: 'X' },
      { containerPort: 81, name: 'A_B' },
      { containerPort: 82, name: 'a', hostPort: -1 },
      { containerPort: 82, name: 'a' },
    ],
  }),
  withContainer({
    env: [
      { name: '' },
      { name: 'a=b' },
      { name: 'x', value: '1', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'y', valueFrom: {} },
      { name: 'z', valueFrom: { fieldRef: { fieldPath: 'spec.foo' } } },
      { name: 'w', valueFrom: { secretKeyRef: {} } },
      { name: 'v', valueFrom: { resourceFieldRef: { resource: 'x' } } },
    ],
    envFrom: [{}, { configMapRef: { name: '' } }, { prefix: 'a=b', secretRef: { name: 'S_' } }],
  }),
  {
    spec: {
      containers: [
        {
          ...container,
          volumeMounts: [
            { name: 'a', mountPath: '/a' },
            { name: '', mountPath: '' },
            { name: 'v', mountPath: '/x' },
            { name: 'v', mountPath: '/x', subPath: '../x' },
            { name: 'v', mountPath: 'a:b', subPath: '/abs' },
          ],
        },
      ],
      volumes: [
        { name: 'v' },
        { name: 'v' },
        { name: 'V_' },
        {},
        { name: 'm', emptyDir: {}, hostPath: { path: '/' } },
        { name: 'h', hostPath: { path: '' } },
        { name: 'cm', configMap: {} },
        { name: 's', secret: {} },
        { name: 'p', persistentVolumeClaim: {} },
        { name: 'h2', hostPath: { path: '/a/..', type: 'X' } },
      ],
    },
  },
  withContainer({ resources: { requests: { cpu: '2', memory: '-1' }, limits: { cpu: '1', 'x/y': '1.5' } } }),
  withContainer({ resources: { limits: { unknown: '1' } } }),
  withContainer({
    livenessProbe: {},
    readinessProbe: { httpGet: {}, tcpSocket: { port: 80 } },
    startupProbe: { exec: {}, periodSeconds: -1 },
    lifecycle: { preStop: {} },
    securityContext: { privileged: true, runAsUser: -1, allowPrivilegeEscalation: false },
  }),
  withContainer({
    livenessProbe: { httpGet: { port: 0, scheme: 'X', path: '' } },
    readinessProbe: { tcpSocket: { port: 'A_' }, successThreshold: 0 },
    startupProbe: { exec: { command: ['a'] }, successThreshold: 2 },
  }),
  spec({
    initContainers: [
      { ...container, readinessProbe: { exec: { command: ['a'] } } },
      { name: 'i', image: 'y', lifecycle: { preStop: { exec: { command: ['a'] } } } },
    ],
    ephemeralContainers: [{ name: 'e', image: 'e' }],
  }),
  { ...spec({}), metadata: { name: 'A_', labels: { 'a b': 'c d' }, annotations: { 'a b': 'x' } } },
  spec({ restartPolicy: 'R', dnsPolicy: 'D' }),
  spec({ terminationGracePeriodSeconds: -1, activeDeadlineSeconds: 0, hostname: 'H_', subdomain: 'a.b' }),
  spec({ nodeName: 'N_', serviceAccountName: 'S_', nodeSelector: { 'a b': 'c d' } }),
  spec({ tolerations: [{ operator: 'X' }, { key: 'a', operator: 'Exists', value: 'b' }] }),
  spec({
    tolerations: [
      { key: 'a', effect: 'Z' },
      { operator: 'Exists', tolerationSeconds: 5 },
    ],
  }),
  spec({ priorityClassName: 'nope' }),
  spec({ runtimeClassName: 'nope' }),
  spec({ preemptionPolicy: 'X' }),
  spec({ priority: 5 }),
  spec({ hostAliases: [{ ip: 'x' }] }),
  spec({
    securityContext: {
      runAsUser: -1,
      fsGroupChangePolicy: 'X',
      supplementalGroups: [-1],
      seccompProfile: { type: 'X' },
    },
  }),
  spec({ hostPID: true, shareProcessNamespace: true }),
  spec({ hostnameOverride: 'A_', setHostnameAsFQDN: true, hostNetwork: true }),
  spec({ hostnameOverride: 'a'.repeat(65) }),
  spec({ hostnameOverride: 'web.shop', hostname: 'web', subdomain: 'shop' }),
  {
    spec: {
      containers: [
        {
          ...container,
          env: [
            { name: 'A', valueFrom: { fileKeyRef: { volumeName: 'e', path: 'a.env', key: 'A' } } },
            { name: 'B', valueFrom: { fileKeyRef: { volumeName: 'none', path: '../a.env', key: 'a=b' } } },
            { name: 'C', valueFrom: { fileKeyRef: { volumeName: 's', path: 'a.env', key: 'A' } } },
            { name: 'D', valueFrom: { fileKeyRef: {} } },
          ],
        },
      ],
      volumes: [
        { name: 'e', emptyDir: {} },
        { name: 's', secret: { secretName: 'x' } },
      ],
    },
  },
  spec({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'a', operator: 'In' },
                { key: '', operator: 'X' },
              ],
            },
          ],
        },
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{}],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 0, podAffinityTerm: { topologyKey: 'a' } },
        ],
      },
    },
  }),
);

const updates: readonly Step[] = [
  create(pods, 'web', {
    ...spec({ terminationGracePeriodSeconds: 5 }),
    metadata: { labels: { app: 'web' } },
  }),
  create(pods, 'web', spec({})),
  get(pods, 'web'),
  merge(pods, 'web', { spec: { containers: [{ ...container, image: 'y' }] } }),
  merge(pods, 'web', { spec: { hostNetwork: true } }),
  merge(pods, 'web', { spec: { containers: [container, { name: 'd', image: 'x' }] } }),
  merge(pods, 'web', { spec: { tolerations: [] } }),
  merge(pods, 'web', { spec: { activeDeadlineSeconds: 60 } }),
  merge(pods, 'web', { spec: { restartPolicy: 'Never' }, metadata: { annotations: { a: 'b' } } }),
  merge(pods, 'web', { status: { phase: 'Running' } }),
  merge(pods, 'web', { status: { phase: 'Running', podIP: '10.1.1.1' } }, '/status'),
  merge(pods, 'web', { metadata: { labels: { via: 'status' } }, spec: { hostNetwork: true } }, '/status'),
  get(pods, 'web', '/status'),
  get(pods, 'web', '/nothing'),
  list(pods, '?fieldSelector=status.phase%3DRunning'),
  list(pods, '?fieldSelector=spec.nodeName%3Dn1'),
  list(pods, '?fieldSelector=spec.hostNetwork%3Dtrue'),
  list(pods, '?fieldSelector=spec.foo%3Dtrue'),
  replace(pods, 'missing', spec({})),
];

const deletion: readonly Step[] = [
  {
    method: 'POST',
    path: `${pods.path}/web/binding`,
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'web' },
      target: { kind: 'Node', name: 'n1' },
    },
  },
  {
    method: 'POST',
    path: `${pods.path}/web/binding`,
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'web' },
      target: { kind: 'Node', name: 'n1' },
    },
  },
  get(pods, 'web'),
  remove(pods, 'web'),
  get(pods, 'web'),
  remove(pods, 'web'),
  remove(pods, 'web', '?gracePeriodSeconds=0'),
  get(pods, 'web'),
  create(pods, 'free', spec({})),
  remove(pods, 'free'),
  get(pods, 'free'),
  create(pods, 'held', { ...spec({}), metadata: { finalizers: ['example.com/hold'] } }),
  remove(pods, 'held'),
  merge(pods, 'held', { metadata: { finalizers: null } }),
  get(pods, 'held'),
];

const admission: readonly Step[] = [
  create(classes, 'high', { value: 1000, description: 'high' }),
  ...tries(pods, spec({ priorityClassName: 'high' }), spec({ priorityClassName: 'system-cluster-critical' })),
  merge(classes, 'high', { value: 5 }),
  create(ranges, 'range', {
    spec: {
      limits: [
        { type: 'Container', default: { cpu: '500m' }, defaultRequest: { cpu: '100m' }, max: { cpu: '1' } },
        { type: 'Pod', max: { cpu: '2' } },
      ],
    },
  }),
  ...tries(
    pods,
    spec({}),
    withContainer({ resources: { requests: { cpu: '200m' } } }),
    withContainer({ resources: { limits: { cpu: '3' } } }),
  ),
  remove(ranges, 'range'),
  remove(classes, 'high'),
];

/** Rows about pods. */
export const podSteps: Readonly<Record<string, readonly Step[]>> = {
  'pods: decoding': decoding,
  'pods: defaults': defaults,
  'pods: validation': validation,
  'pods: updates and deletion': [...updates, ...deletion],
  'pods: admission': admission,
};
