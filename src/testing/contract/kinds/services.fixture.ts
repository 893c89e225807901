/** Services, config maps, secrets, service accounts and claims. */
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

const services = collection('v1', 'Service', 'services');
const pods = collection('v1', 'Pod', 'pods');
const configMaps = collection('v1', 'ConfigMap', 'configmaps');
const secrets = collection('v1', 'Secret', 'secrets');
const accounts = collection('v1', 'ServiceAccount', 'serviceaccounts');
const claims = collection('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims');
const volumes = clusterCollection('v1', 'PersistentVolume', 'persistentvolumes');

function spec(members: JsonObject): JsonObject {
  return { spec: { ports: [{ port: 80 }], ...members } };
}

const serviceRows: readonly Step[] = [
  ...tries(
    services,
    {},
    spec({}),
    spec({ type: 'NodePort' }),
    spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }),
    spec({ type: 'LoadBalancer' }),
    spec({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', allocateLoadBalancerNodePorts: false }),
    { spec: { clusterIP: 'None' } },
    spec({ clusterIP: 'None', selector: { a: 'b' } }),
    { spec: { type: 'ExternalName', externalName: 'a.b' } },
    { spec: { type: 'ExternalName' } },
    { spec: { type: 'ExternalName', externalName: 'A_', clusterIP: '10.0.0.3' } },
    spec({ type: 'X' }),
    spec({ sessionAffinity: 'ClientIP' }),
    spec({ sessionAffinity: 'Z', internalTrafficPolicy: 'Q', selector: { 'a b': 'c d' } }),
    spec({ externalIPs: ['x'], loadBalancerSourceRanges: ['y'] }),
    spec({ externalTrafficPolicy: 'Local' }),
    spec({ ports: [{ port: 0 }, { port: 70_000, protocol: 'X', name: 'A_' }] }),
    spec({
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'b' },
        { port: 82, name: 'a' },
      ],
    }),
    spec({ ports: [{ port: 80 }, { port: 81 }] }),
    spec({
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
    }),
    spec({
      ports: [
        { port: 80, name: 'a', targetPort: 'A_' },
        { port: 81, name: 'b', targetPort: 70_000 },
      ],
    }),
    spec({ ports: [{ port: 80, nodePort: 30_080 }] }),
    spec({ clusterIP: 'x' }),
    spec({ clusterIP: '10.0.0.55' }),
    spec({ ipFamilyPolicy: 'RequireDualStack' }),
    spec({ ipFamilyPolicy: 'PreferDualStack' }),
    spec({ ipFamilies: ['IPv6'] }),
    { ...spec({}), metadata: { name: 'a.b' } },
    { ...spec({}), metadata: { name: '1a' } },
  ),
  create(services, 'far', spec({ clusterIP: '10.1.0.55' })),
  create(services, 'low', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })),
  create(services, 'one', spec({ clusterIP: '10.0.0.77', selector: { a: 'b' } })),
  create(services, 'two', spec({ clusterIP: '10.0.0.77' })),
  create(services, 'node', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_077 }] })),
  create(services, 'node2', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_077 }] })),
  replace(services, 'one', spec({ selector: { a: 'c' } })),
  merge(services, 'one', { spec: { clusterIP: '10.0.0.78', clusterIPs: ['10.0.0.78'] } }),
  merge(services, 'one', { spec: { type: 'NodePort' } }),
  merge(services, 'one', { spec: { type: 'ClusterIP', ports: [{ port: 80 }] } }),
  merge(services, 'one', { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }, '/status'),
  list(services, '?fieldSelector=metadata.name%3Done'),
  ...['one', 'one:80', 'one:81', 'none', 'none:80', 'none:http', 'x:one:80', 'a:b:c:d'].map((name) =>
    get(services, name, '/proxy/'),
  ),
  get(pods, 'none', '/proxy/'),
  get(pods, 'a:b:c:d', '/proxy/healthz?a=b'),
  remove(services, 'one'),
  remove(services, 'node'),
  get(services, 'one'),
  replace(services, 'put', spec({})),
  remove(services, 'put'),
];

const configRows: readonly Step[] = [
  ...tries(
    configMaps,
    {},
    { data: { a: 'b' }, binaryData: { c: 'AP8Q' } },
    { data: { 'a b': 'x', '..a': 'y', '': 'z', d: '1' }, binaryData: { d: 'AA==' } },
    { data: { a: 'x'.repeat(1_048_577) } },
    { data: { a: 1 } },
    { binaryData: { a: '!' } },
    { data: [] },
  ),
  create(configMaps, 'fixed', { data: { a: 'b' }, immutable: true }),
  merge(configMaps, 'fixed', { data: { a: 'c' } }),
  merge(configMaps, 'fixed', { binaryData: { b: 'AA==' } }),
  merge(configMaps, 'fixed', { immutable: false }),
  merge(configMaps, 'fixed', { metadata: { labels: { a: 'b' } } }),
  remove(configMaps, 'fixed'),
  ...tries(
    secrets,
    {},
    { stringData: { a: 'b' } },
    { data: { a: 'AA==' }, stringData: { a: 'x' } },
    { data: { a: 'b!' } },
    { data: { 'a b': '' }, stringData: { 'c d': 'x' } },
    { type: 'kubernetes.io/tls' },
    { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
    { type: 'kubernetes.io/service-account-token' },
    { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } },
    { type: 'kubernetes.io/dockerconfigjson' },
    { type: 'kubernetes.io/basic-auth' },
    { type: 'kubernetes.io/ssh-auth' },
  ),
  create(secrets, 'key', { stringData: { a: 'b' } }),
  merge(secrets, 'key', { stringData: { c: 'd' } }),
  merge(secrets, 'key', { type: 'other' }),
  merge(secrets, 'key', { immutable: true }),
  merge(secrets, 'key', { data: { a: 'AA==' } }),
  list(secrets, '?fieldSelector=type%3DOpaque'),
  remove(secrets, 'key'),
  create(accounts, 'robot', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'r' }] }),
  get(accounts, 'robot'),
  remove(accounts, 'robot'),
];

const claimRows: readonly Step[] = [
  ...tries(
    claims,
    {},
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSource: { kind: 'PersistentVolumeClaim', name: 'other' },
      },
    },
    {
      spec: {
        accessModes: ['X', 'ReadWriteOncePod', 'ReadWriteOnce'],
        resources: { requests: { storage: '0' } },
        volumeMode: 'Y',
        storageClassName: 'S_',
      },
    },
  ),
  ...tries(
    volumes,
    {},
    { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } } },
    {
      spec: {
        accessModes: ['X'],
        capacity: { storage: '0' },
        hostPath: { path: '' },
        persistentVolumeReclaimPolicy: 'Z',
      },
    },
  ),
  create(claims, 'data', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  merge(claims, 'data', { status: { phase: 'Bound' } }, '/status'),
  remove(claims, 'data'),
  merge(claims, 'data', { metadata: { finalizers: null } }),
  get(claims, 'data'),
];

/** Rows about services, configuration and storage. */
export const serviceSteps: Readonly<Record<string, readonly Step[]>> = {
  'services: addresses, ports, validation': serviceRows,
  'configuration: config maps, secrets, service accounts': configRows,
  'storage: claims and volumes': claimRows,
};
