/**
 * Roles and bindings that every cluster has, as far as programs and people rely on them.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings
 */

import type { JsonObject } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { randomUid, timestamp } from '../environment/environment.ts';
import { authenticatedGroup, mastersGroup, unauthenticatedGroup } from '../identity/user.ts';
import { roleStorage } from './roles.ts';

/** Creates the roles and bindings that a new server has. */
export function createDefaultRoles(state: ServerState): void {
  for (const [name, rules] of Object.entries(rulesByRole)) {
    const labels = name.startsWith(aggregated)
      ? { [aggregationLabel(name.slice(aggregated.length))]: 'true' }
      : {};
    store(state, roleStorage.clusterRoles, name, { kind: 'ClusterRole', labels, rules });
  }
  for (const [name, parent] of Object.entries(parents)) {
    const labels = parent === undefined ? {} : { [aggregationLabel(parent)]: 'true' };
    const clusterRoleSelectors = [{ matchLabels: { [aggregationLabel(name)]: 'true' } }];
    const role = { kind: 'ClusterRole', labels, rules: null, aggregationRule: { clusterRoleSelectors } };
    store(state, roleStorage.clusterRoles, name, role);
  }
  for (const [name, groups] of Object.entries(groupsByBinding)) {
    const subjects = groups.map((group) => ({ kind: 'Group', apiGroup, name: group }));
    const roleRef = { apiGroup, kind: 'ClusterRole', name };
    store(state, roleStorage.clusterRoleBindings, name, {
      kind: 'ClusterRoleBinding',
      labels: {},
      subjects,
      roleRef,
    });
  }
  const reader = { kind: 'Role', labels: {}, namespace: 'kube-system', rules: readerRules };
  store(state, roleStorage.roles, 'extension-apiserver-authentication-reader', reader);
}

const apiGroup = 'rbac.authorization.k8s.io';
const aggregated = 'system:aggregate-to-';

function aggregationLabel(role: string): string {
  return `${apiGroup}/aggregate-to-${role}`;
}

/** Rules of the roles that people are given, which are aggregated, with the role that includes each. */
const parents: Readonly<Record<string, string | undefined>> = {
  admin: undefined,
  edit: 'admin',
  view: 'edit',
};

/** Groups that cluster roles are bound to, by bindings of the same names. */
const groupsByBinding: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': [mastersGroup],
  'system:basic-user': [authenticatedGroup],
  'system:discovery': [authenticatedGroup],
  'system:monitoring': ['system:monitoring'],
  'system:public-info-viewer': [authenticatedGroup, unauthenticatedGroup],
  'system:service-account-issuer-discovery': ['system:serviceaccounts'],
};

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const readerRules: readonly JsonObject[] = [
  { ...on('core', 'configmaps', read), resourceNames: ['extension-apiserver-authentication'] },
];

const rulesByRole: Readonly<Record<string, readonly JsonObject[]>> = {
  'cluster-admin': [on('*', '*', ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }],
  'system:aggregate-to-admin': [
    on('authorization.k8s.io', 'localsubjectaccessreviews', ['create']),
    on('rbac.authorization.k8s.io', 'rolebindings roles', all),
  ],
  'system:aggregate-to-edit': [
    on('core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy', read),
    on('core', 'serviceaccounts', ['impersonate']),
    on('core', 'pods pods/attach pods/exec pods/portforward pods/proxy', write),
    on('core', 'pods/eviction', ['create']),
    on(
      'core',
      'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
      write,
    ),
    on('core', 'serviceaccounts/token', ['create']),
    on('core events.k8s.io', 'events', write),
    on(
      'apps',
      'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      write,
    ),
    on('autoscaling', 'horizontalpodautoscalers', write),
    on('batch', 'cronjobs jobs', write),
    on(
      'extensions',
      'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      write,
    ),
    on('policy', 'poddisruptionbudgets', write),
    on('networking.k8s.io', 'ingresses networkpolicies', write),
    on('coordination.k8s.io', 'leases', all),
    on('resource.k8s.io', 'resourceclaims resourceclaimtemplates', write),
  ],
  'system:aggregate-to-view': [
    on(
      'core',
      'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      read,
    ),
    on(
      'core',
      'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
      read,
    ),
    on('core', 'namespaces', read),
    on('core events.k8s.io', 'events', read),
    on('discovery.k8s.io', 'endpointslices', read),
    on(
      'apps',
      'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      read,
    ),
    on('autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status', read),
    on('batch', 'cronjobs cronjobs/status jobs jobs/status', read),
    on(
      'extensions',
      'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      read,
    ),
    on('policy', 'poddisruptionbudgets poddisruptionbudgets/status', read),
    on('networking.k8s.io', 'ingresses ingresses/status networkpolicies', read),
    on('resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates', read),
  ],
  'system:auth-delegator': [
    on('authentication.k8s.io', 'tokenreviews', ['create']),
    on('authorization.k8s.io', 'subjectaccessreviews', ['create']),
  ],
  'system:basic-user': [
    on('authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews', ['create']),
    on('authentication.k8s.io', 'selfsubjectreviews', ['create']),
  ],
  'system:discovery': [
    urls('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'),
  ],
  'system:monitoring': [
    urls('/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz'),
    on('core', 'nodes/metrics', ['get']),
  ],
  'system:public-info-viewer': [urls('/healthz /livez /readyz /version /version/')],
  'system:service-account-issuer-discovery': [
    urls(
      '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
    ),
  ],
};

/** Returns a rule about resources; group `core` is the empty one. */
function on(groups: string, resources: string, verbs: readonly string[]): JsonObject {
  const apiGroups = groups.split(' ').map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources: resources.split(' ') };
}

function urls(paths: string): JsonObject {
  return { verbs: ['get'], nonResourceURLs: paths.split(' ') };
}

interface DefaultObject {
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace?: string;
}

function store(
  { store, environment }: ServerState,
  resource: string,
  name: string,
  { kind, labels, namespace, ...rest }: DefaultObject & JsonObject,
): void {
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: randomUid(environment),
    creationTimestamp: timestamp(environment),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  store.put(resource, key, { kind, apiVersion: `${apiGroup}/v1`, metadata, ...rest });
}
