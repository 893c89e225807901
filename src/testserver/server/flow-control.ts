/** FlowSchemas and PriorityLevelConfigurations that every API server creates. */
import { compact, type Json, type JsonObject } from '@kgen/schema/values/json';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';
const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };

/** Shares, lendable percentage, and queues with their hand size. Without queues, requests are rejected. */
const levels: Readonly<
  Record<string, readonly [shares: number, lendable: number, queues?: number, hand?: number]>
> = {
  'catch-all': [5, 0],
  'global-default': [20, 50, 128, 6],
  'leader-election': [10, 0, 16, 4],
  'node-high': [40, 25, 64, 6],
  system: [30, 33, 64, 6],
  'workload-high': [40, 50, 128, 6],
  'workload-low': [100, 90, 128, 6],
};

interface Schema {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly distinguisher?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly JsonObject[];
  /** Default: all requests. */
  readonly rules?: JsonObject;
}

const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const systemAccounts: JsonObject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
};
const everybody = [group('system:unauthenticated'), group('system:authenticated')];

const all = ['*'];
const everything: JsonObject = {
  resourceRules: [{ verbs: all, apiGroups: all, resources: all, clusterScope: true, namespaces: all }],
  nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
};

const leases = (verbs: readonly string[]): JsonObject => ({
  verbs,
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  namespaces: all,
});

const schemas: readonly Schema[] = [
  { name: 'exempt', level: 'exempt', precedence: 1, subjects: [group('system:masters')] },
  {
    name: 'probes',
    level: 'exempt',
    precedence: 2,
    subjects: everybody,
    rules: { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
  },
  {
    name: 'system-leader-election',
    level: 'leader-election',
    precedence: 100,
    distinguisher: 'ByUser',
    subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler'), systemAccounts],
    rules: { resourceRules: [leases(['get', 'create', 'update'])] },
  },
  {
    name: 'system-node-high',
    level: 'node-high',
    precedence: 400,
    distinguisher: 'ByUser',
    subjects: [group('system:nodes')],
    rules: {
      resourceRules: [
        {
          verbs: all,
          apiGroups: [''],
          resources: ['nodes', 'nodes/status'],
          clusterScope: true,
          namespaces: all,
        },
        leases(all),
      ],
    },
  },
  {
    name: 'system-nodes',
    level: 'system',
    precedence: 500,
    distinguisher: 'ByUser',
    subjects: [group('system:nodes')],
  },
  ...['kube-controller-manager', 'kube-scheduler'].map(
    (name): Schema => ({
      name,
      level: 'workload-high',
      precedence: 800,
      distinguisher: 'ByNamespace',
      subjects: [user(`system:${name}`)],
    }),
  ),
  {
    name: 'kube-system-service-accounts',
    level: 'workload-high',
    precedence: 900,
    distinguisher: 'ByNamespace',
    subjects: [systemAccounts],
  },
  {
    name: 'service-accounts',
    level: 'workload-low',
    precedence: 9_000,
    distinguisher: 'ByUser',
    subjects: [group('system:serviceaccounts')],
  },
  {
    name: 'global-default',
    level: 'global-default',
    precedence: 9_900,
    distinguisher: 'ByUser',
    subjects: everybody,
  },
  { name: 'catch-all', level: 'catch-all', precedence: 10_000, distinguisher: 'ByUser', subjects: everybody },
];

/** Returns the objects as they are stored. */
export function flowControlObjects(now: string): readonly JsonObject[] {
  return [
    priorityLevel('exempt', {
      type: 'Exempt',
      exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 },
    }),
    ...Object.entries(levels).map(([name, [shares, lendablePercent, queues, handSize = 0]]) => {
      const limitResponse: JsonObject =
        queues === undefined
          ? { type: 'Reject' }
          : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } };
      const limited = { nominalConcurrencyShares: shares, limitResponse, lendablePercent };
      return priorityLevel(name, { type: 'Limited', limited });
    }),
    ...schemas.map((schema) => flowSchema(schema, now)),
  ];
}

function priorityLevel(name: string, spec: JsonObject): JsonObject {
  const metadata = { name, generation: 1, annotations };
  return { apiVersion, kind: 'PriorityLevelConfiguration', metadata, spec, status: {} };
}

function flowSchema(schema: Schema, now: string): JsonObject {
  const { name, level, precedence, distinguisher, subjects, rules = everything } = schema;
  const found: Json = {
    type: 'Dangling',
    status: 'False',
    lastTransitionTime: now,
    reason: 'Found',
    message: `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} and it exists`,
  };
  return {
    apiVersion,
    kind: 'FlowSchema',
    metadata: { name, generation: 1, annotations },
    spec: compact({
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      distinguisherMethod: distinguisher === undefined ? undefined : { type: distinguisher },
      rules: [{ subjects, ...rules }],
    }),
    status: { conditions: [found] },
  };
}
