/** Requests about FlowSchemas and priority levels, and requests that these classify. */
import type { Json } from '../../src/schema/values/json.ts';
import type { Step } from './step.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const user = 'flow-{ns}';

const all = ['*'];
const schema = (rules: Json): Json => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: '{ns}' },
  spec: { matchingPrecedence: 300, priorityLevelConfiguration: { name: '{ns}' }, rules },
});
const level: Json = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: '{ns}' },
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
};

const subjects = [{ kind: 'User', user: { name: user } }];
const rules: Json = [
  {
    subjects,
    resourceRules: [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/status'], namespaces: ['{ns}'] },
      { verbs: ['create'], apiGroups: all, resources: all, clusterScope: true },
    ],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version', '/livez/*'] }],
  },
];

const read = (path: string): Step => ({ method: 'GET', path, user });
const pods = '/api/v1/namespaces/{ns}/pods';

/** Classified requests. */
const requests: readonly Step[] = [
  read(pods),
  read(`${pods}/a`),
  read(`${pods}/a/status`),
  read(`${pods}/a/log`),
  read('/api/v1/pods'),
  read('/api/v1/namespaces/default/pods'),
  read('/version'),
  read('/livez'),
  read('/livez/ping'),
  read('/healthz'),
  { method: 'POST', path: '/api/v1/namespaces', user, body: {} },
  { method: 'POST', path: pods, user, body: {} },
  { method: 'GET', path: '/version', user: 'system:serviceaccount:kube-system:x' },
  { method: 'GET', path: '/version', user: 'system:serviceaccount:default:x' },
  { method: 'GET', path: '/version', user: 'system:kube-scheduler' },
  { method: 'GET', path: '/version', query: { timeout: 'x' } },
];

/** All requests. */
export const flowSteps: readonly Step[] = [
  ...requests,
  { method: 'POST', path: `${group}/flowschemas`, body: schema(rules), settles: true },
  { method: 'GET', path: `${group}/flowschemas/{ns}` },
  ...requests.slice(0, 2),
  { method: 'POST', path: `${group}/prioritylevelconfigurations`, body: level, settles: true },
  { method: 'GET', path: `${group}/flowschemas/{ns}` },
  { method: 'GET', path: `${group}/prioritylevelconfigurations/{ns}` },
  ...requests,
  { method: 'DELETE', path: `${group}/prioritylevelconfigurations/{ns}`, settles: true },
  { method: 'GET', path: `${group}/flowschemas/{ns}` },
  ...requests.slice(0, 2),
  { method: 'DELETE', path: `${group}/flowschemas/{ns}` },
];
