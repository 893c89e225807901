/**
 * Permissions of users, as rows of requests and expected responses, which hold for the server in memory and
 * for a real one. `{ns}` is a namespace, `{id}` a prefix of names of cluster-scoped objects; both are unique
 * to one run.
 */

/** One request with the expected response. */
export interface Row {
  /** Impersonated user with its groups; the administrator by default. `token` uses the last issued token. */
  readonly as?: readonly [user: string, ...groups: readonly string[]] | 'token' | 'nobody' | 'invalid';
  readonly request: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly code: number;
  /** `message` of the Status. */
  readonly message?: string;
  /** Members that the response has at least. */
  readonly contains?: unknown;
}

const rbac = 'rbac.authorization.k8s.io';
const apiVersion = `${rbac}/v1`;
const roles = `/apis/${apiVersion}/namespaces/{ns}/roles`;
const roleBindings = `/apis/${apiVersion}/namespaces/{ns}/rolebindings`;
const clusterRoles = `/apis/${apiVersion}/clusterroles`;
const clusterRoleBindings = `/apis/${apiVersion}/clusterrolebindings`;
const configMaps = '/api/v1/namespaces/{ns}/configmaps';

type Rule = Readonly<Record<string, readonly string[]>>;

const rule = (verbs: string, apiGroups: string, resources: string, names?: string): Rule => ({
  verbs: verbs.split(' '),
  apiGroups: [apiGroups],
  resources: resources.split(' '),
  ...(names === undefined ? {} : { resourceNames: names.split(' ') }),
});

const role = (name: string, ...rules: readonly Rule[]): object => ({
  apiVersion,
  kind: 'Role',
  metadata: { name },
  rules,
});
const clusterRole = (name: string, ...rules: readonly Rule[]): object => ({
  ...role(name, ...rules),
  kind: 'ClusterRole',
});
const roleBinding = (name: string, kind: string, of: string, ...users: readonly string[]): object => ({
  apiVersion,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: rbac, kind, name: of },
  subjects: users.map((user) => subject(user)),
});
const clusterRoleBinding = (name: string, of: string, ...users: readonly string[]): object => ({
  ...roleBinding(name, 'ClusterRole', of, ...users),
  kind: 'ClusterRoleBinding',
});

function subject(user: string): object {
  if (user.startsWith('group:')) return { kind: 'Group', apiGroup: rbac, name: user.slice(6) };
  const [namespace, name] = user.split('/');
  if (name === undefined) return { kind: 'User', apiGroup: rbac, name: user };
  return { kind: 'ServiceAccount', namespace, name };
}

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

const cannot = (user: string, verb: string, resource: string, where: string, group = ''): string => {
  const [plural = ''] = resource.split('/');
  const qualified = group === '' ? plural : `${plural}.${group}`;
  const scope = where === '' ? 'at the cluster scope' : `in the namespace "${where}"`;
  return `${qualified} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${scope}`;
};

const applied = { 'Content-Type': 'application/apply-patch+yaml' };
const services = '/api/v1/namespaces/{ns}/services';
const service = (name: string): object => ({
  ...configMap(name),
  kind: 'Service',
  spec: { ports: [{ port: 80 }] },
});

const accounts = '/api/v1/namespaces/{ns}/serviceaccounts';
const serviceAccount = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name },
});
const sar = (kind: string, spec: object): object => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
const review = (spec: object): object => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  spec,
});
const token = (spec: object): object => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec,
});
const get = (resource: string, namespace?: string): object => ({
  resourceAttributes: { verb: 'get', resource, ...(namespace === undefined ? {} : { namespace }) },
});

/** Chapters of rows, which run in order. */
export const chapters: Readonly<Record<string, readonly Row[]>> = {
  'an update that creates an object needs the permission to create it': [
    {
      request: `POST ${roles}`,
      body: role('write', rule('get patch update', '', 'configmaps services')),
      code: 201,
    },
    { request: `POST ${roleBindings}`, body: roleBinding('write', 'Role', 'write', 'jane'), code: 201 },
    {
      as: ['jane'],
      request: `PATCH ${configMaps}/a?fieldManager=jane`,
      headers: applied,
      body: configMap('a'),
      code: 403,
      message:
        'configmaps "a" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "{ns}"',
      contains: { reason: 'Forbidden', details: { name: 'a', kind: 'configmaps' } },
    },
    {
      as: ['jane'],
      request: `PATCH ${configMaps}/a?fieldManager=jane`,
      headers: applied,
      body: { ...configMap('a'), data: 1 },
      code: 500,
    },
    {
      as: ['jane'],
      request: `PATCH ${configMaps}/a?fieldManager=jane&dryRun=All`,
      headers: applied,
      body: { ...configMap('a'), data: { 'a/b': '' } },
      code: 422,
    },
    {
      as: ['jane'],
      request: `PUT ${services}/a`,
      body: service('a'),
      code: 403,
      message:
        'services "a" is forbidden: User "jane" cannot create resource "services" in API group "" in the namespace "{ns}"',
    },
    { request: `POST ${configMaps}`, body: configMap('a'), code: 201 },
    {
      as: ['jane'],
      request: `PATCH ${configMaps}/a?fieldManager=jane`,
      headers: applied,
      body: configMap('a'),
      code: 200,
    },
  ],
  'requests without permission': [
    {
      as: ['jane'],
      request: 'GET /api/v1/namespaces',
      code: 403,
      message: cannot('jane', 'list', 'namespaces', ''),
    },
    {
      as: ['jane'],
      request: `GET ${configMaps}`,
      code: 403,
      message: cannot('jane', 'list', 'configmaps', '{ns}'),
    },
    {
      as: ['jane'],
      request: 'GET /api/v1/configmaps?watch=1',
      code: 403,
      message: cannot('jane', 'watch', 'configmaps', ''),
    },
    {
      as: ['jane'],
      request: `POST ${configMaps}`,
      body: configMap('a'),
      code: 403,
      message: cannot('jane', 'create', 'configmaps', '{ns}'),
    },
    {
      as: ['jane'],
      request: `DELETE ${configMaps}`,
      code: 403,
      message: cannot('jane', 'deletecollection', 'configmaps', '{ns}'),
    },
    {
      as: ['jane'],
      request: `PATCH ${configMaps}/a`,
      body: {},
      code: 403,
      message:
        'configmaps "a" is forbidden: User "jane" cannot patch resource "configmaps" in API group "" in the namespace "{ns}"',
      contains: { reason: 'Forbidden', details: { name: 'a', kind: 'configmaps' }, code: 403 },
    },
    {
      as: ['jane'],
      request: `PUT ${roles}/a`,
      body: {},
      code: 403,
      message: `roles.${rbac} "a" is forbidden: User "jane" cannot update resource "roles" in API group "${rbac}" in the namespace "{ns}"`,
      contains: { details: { name: 'a', group: rbac, kind: 'roles' } },
    },
    {
      as: ['jane'],
      request: `GET ${configMaps}?fieldSelector=metadata.name%3Dfoo`,
      code: 403,
      message:
        'configmaps "foo" is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "{ns}"',
    },
    {
      as: ['jane'],
      request: 'GET /api/v1/namespaces/{ns}/pods/x/log',
      code: 403,
      message:
        'pods "x" is forbidden: User "jane" cannot get resource "pods/log" in API group "" in the namespace "{ns}"',
    },
    {
      as: ['jane'],
      request: 'GET /api/v1/namespaces/{ns}',
      code: 403,
      message:
        'namespaces "{ns}" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "{ns}"',
    },
    {
      as: ['jane'],
      request: 'GET /api/v1/namespaces/{ns}/status',
      code: 403,
      message:
        'namespaces "{ns}" is forbidden: User "jane" cannot get resource "namespaces/status" in API group "" in the namespace "{ns}"',
    },
    {
      as: ['jane'],
      request: 'GET /metrics',
      code: 403,
      message: 'forbidden: User "jane" cannot get path "/metrics"',
      contains: { details: {} },
    },
    {
      as: ['jane'],
      request: 'POST /foo',
      code: 403,
      message: 'forbidden: User "jane" cannot post path "/foo"',
    },
    {
      as: ['jane'],
      request: 'GET /apis/test.example.com/v1/nothings',
      code: 403,
      message: cannot('jane', 'list', 'nothings', '', 'test.example.com'),
    },
    {
      as: ['<&>'],
      request: 'GET /api/v1/nodes',
      code: 403,
      message: cannot('&lt;&amp;&gt;', 'list', 'nodes', ''),
    },
    ...['/api', '/apis', '/version', '/healthz'].map(
      (path): Row => ({ as: ['jane'], request: `GET ${path}`, code: 200 }),
    ),
  ],
  'requests without credentials': [
    {
      as: 'nobody',
      request: 'GET /api/v1/namespaces',
      code: 403,
      message: cannot('system:anonymous', 'list', 'namespaces', ''),
    },
    {
      as: 'nobody',
      request: 'GET /api',
      code: 403,
      message: 'forbidden: User "system:anonymous" cannot get path "/api"',
    },
    ...['/healthz', '/livez', '/readyz', '/version'].map(
      (path): Row => ({ as: 'nobody', request: `GET ${path}`, code: 200 }),
    ),
    {
      as: 'invalid',
      request: 'GET /version',
      code: 401,
      message: 'Unauthorized',
      contains: { reason: 'Unauthorized' },
    },
    { as: 'invalid', request: 'POST /api/v1/namespaces', body: {}, code: 401, message: 'Unauthorized' },
  ],
  'roles and bindings': [
    { request: `POST ${roles}`, body: role('reader', rule('get list', '', 'configmaps')), code: 201 },
    {
      request: `POST ${roleBindings}`,
      body: roleBinding('readers', 'Role', 'reader', 'bob', 'group:{id}-readers'),
      code: 201,
    },
    { as: ['bob'], request: `GET ${configMaps}`, code: 200 },
    { as: ['eve', '{id}-readers'], request: `GET ${configMaps}`, code: 200 },
    { as: ['eve'], request: `GET ${configMaps}`, code: 403 },
    {
      as: ['bob'],
      request: 'GET /api/v1/configmaps',
      code: 403,
      message: cannot('bob', 'list', 'configmaps', ''),
    },
    { as: ['bob'], request: 'GET /api/v1/namespaces/default/configmaps', code: 403 },
    {
      as: ['bob'],
      request: `GET ${configMaps}?watch=true`,
      code: 403,
      message: cannot('bob', 'watch', 'configmaps', '{ns}'),
    },
    { as: ['bob'], request: `GET ${configMaps}/none`, code: 404 },
    {
      as: ['bob'],
      request: `POST ${configMaps}`,
      body: configMap('a'),
      code: 403,
      message: cannot('bob', 'create', 'configmaps', '{ns}'),
    },
    // Rules with names.
    {
      request: `POST ${roles}`,
      body: role('one', rule('get update list', '', 'configmaps', 'a')),
      code: 201,
    },
    { request: `POST ${roleBindings}`, body: roleBinding('ones', 'Role', 'one', 'carol'), code: 201 },
    { request: `POST ${configMaps}`, body: configMap('a'), code: 201 },
    { as: ['carol'], request: `GET ${configMaps}/a`, code: 200 },
    { as: ['carol'], request: `GET ${configMaps}/b`, code: 403 },
    { as: ['carol'], request: `GET ${configMaps}`, code: 403 },
    { as: ['carol'], request: `GET ${configMaps}?fieldSelector=metadata.name%3Da`, code: 200 },
    // Cluster roles: bound in a namespace, and everywhere; URLs; subresources.
    {
      request: `POST ${clusterRoles}`,
      body: clusterRole('{id}-maps', rule('*', '', 'configmaps'), {
        verbs: ['get'],
        nonResourceURLs: ['/metrics', '/foo/*'],
      }),
      code: 201,
    },
    {
      request: `POST ${roleBindings}`,
      body: roleBinding('maps', 'ClusterRole', '{id}-maps', '{ns}/robot'),
      code: 201,
    },
    {
      as: ['system:serviceaccount:{ns}:robot'],
      request: `POST ${configMaps}`,
      body: configMap('b'),
      code: 201,
    },
    { as: ['system:serviceaccount:{ns}:robot'], request: 'GET /api/v1/configmaps', code: 403 },
    { as: ['system:serviceaccount:{ns}:robot'], request: 'GET /foo/x', code: 403 },
    {
      request: `POST ${clusterRoleBindings}`,
      body: clusterRoleBinding('{id}-maps', '{id}-maps', 'dave'),
      code: 201,
    },
    { as: ['dave'], request: 'GET /api/v1/configmaps', code: 200 },
    { as: ['dave'], request: 'GET /foo/x', code: 404 },
    { as: ['dave'], request: 'GET /food', code: 403 },
    { request: `POST ${roles}`, body: role('scales', rule('get', '', '*/status')), code: 201 },
    { request: `POST ${roleBindings}`, body: roleBinding('scales', 'Role', 'scales', 'sam'), code: 201 },
    { as: ['sam'], request: 'GET /api/v1/namespaces/{ns}/status', code: 200 },
    { as: ['sam'], request: 'GET /api/v1/namespaces/{ns}', code: 403 },
    // The reason names a binding whose role does not exist.
    {
      request: `POST ${clusterRoleBindings}`,
      body: clusterRoleBinding('{id}-lost', '{id}-nowhere', 'lost'),
      code: 201,
    },
    {
      as: ['lost'],
      request: 'GET /api/v1/namespaces',
      code: 403,
      message: `${cannot('lost', 'list', 'namespaces', '')}: RBAC: clusterrole.${rbac} "{id}-nowhere" not found`,
    },
    // A changed role applies at once.
    { request: `PATCH ${roles}/reader`, body: { rules: [rule('list', '', 'configmaps')] }, code: 200 },
    { as: ['bob'], request: `GET ${configMaps}/a`, code: 403 },
    { request: `DELETE ${roleBindings}/readers`, code: 200 },
    { as: ['bob'], request: `GET ${configMaps}`, code: 403 },
  ],
  'privilege escalation': [
    {
      request: `POST ${clusterRoles}`,
      body: clusterRole(
        '{id}-maker',
        rule('create get update patch', rbac, '*'),
        rule('get list', '', 'pods'),
      ),
      code: 201,
    },
    {
      request: `POST ${clusterRoleBindings}`,
      body: clusterRoleBinding('{id}-maker', '{id}-maker', 'max'),
      code: 201,
    },
    {
      as: ['max'],
      request: `POST ${clusterRoles}`,
      body: clusterRole('{id}-a', rule('get list', '', 'pods')),
      code: 201,
    },
    {
      as: ['max', 'devs'],
      request: `POST ${clusterRoles}`,
      body: clusterRole(
        '{id}-b',
        { ...rule('get delete', '', 'pods secrets', 'x y'), apiGroups: ['', 'apps'] },
        {
          verbs: ['get', 'post'],
          nonResourceURLs: ['/metrics'],
        },
      ),
      code: 403,
      message: [
        `clusterroles.${rbac} "{id}-b" is forbidden: user "max" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:`,
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["delete"]}',
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["y"], Verbs:["delete"]}',
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["x"], Verbs:["get" "delete"]}',
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["y"], Verbs:["get" "delete"]}',
        '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["x"], Verbs:["get" "delete"]}',
        '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["y"], Verbs:["get" "delete"]}',
        '{APIGroups:["apps"], Resources:["secrets"], ResourceNames:["x"], Verbs:["get" "delete"]}',
        '{APIGroups:["apps"], Resources:["secrets"], ResourceNames:["y"], Verbs:["get" "delete"]}',
        '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
        '{NonResourceURLs:["/metrics"], Verbs:["post"]}',
      ].join('\n'),
      contains: { details: { name: '{id}-b', group: rbac, kind: 'clusterroles' } },
    },
    {
      as: ['max'],
      request: `POST ${clusterRoles}`,
      body: clusterRole(
        '{id}-c',
        rule('*', '', 'secrets'),
        rule('get', '', 'configmaps'),
        rule('delete', '', 'configmaps'),
      ),
      code: 403,
      message: [
        `clusterroles.${rbac} "{id}-c" is forbidden: user "max" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:`,
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["get" "delete"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["*"]}',
      ].join('\n'),
    },
    {
      as: ['max'],
      request: `POST ${clusterRoles}`,
      body: {
        ...clusterRole('{id}-d'),
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
      },
      code: 403,
      message: `clusterroles.${rbac} "{id}-d" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    },
    {
      as: ['max'],
      request: `POST ${roles}`,
      body: role('e', rule('delete', '', 'configmaps')),
      code: 403,
      message: `roles.${rbac} "e" is forbidden: user "max" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}`,
    },
    {
      as: ['max'],
      request: `PATCH ${clusterRoles}/{id}-a`,
      body: { rules: [rule('get', '', 'nodes')] },
      code: 403,
      message: `clusterroles.${rbac} "{id}-a" is forbidden: user "max" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}`,
    },
    {
      as: ['max'],
      request: `PATCH ${clusterRoles}/{id}-a`,
      body: { metadata: { labels: { a: 'b' } } },
      code: 200,
    },
    {
      as: ['max'],
      request: `POST ${roleBindings}`,
      body: roleBinding('f', 'ClusterRole', '{id}-a', 'jane'),
      code: 201,
    },
    {
      as: ['max'],
      request: `POST ${roleBindings}`,
      body: roleBinding('g', 'ClusterRole', 'system:auth-delegator', 'jane'),
      code: 403,
      message: `rolebindings.${rbac} "g" is forbidden: user "max" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["authentication.k8s.io"], Resources:["tokenreviews"], Verbs:["create"]}\n{APIGroups:["authorization.k8s.io"], Resources:["subjectaccessreviews"], Verbs:["create"]}`,
    },
    {
      as: ['max'],
      request: `POST ${roleBindings}`,
      body: roleBinding('h', 'Role', 'nothing', 'jane'),
      code: 404,
      message: `rolebindings.${rbac} "nothing" not found`,
    },
    // The verbs escalate and bind permit both.
    {
      request: `POST ${clusterRoles}`,
      body: clusterRole(
        '{id}-free',
        rule('escalate', rbac, 'roles'),
        rule('bind', rbac, 'clusterroles', 'system:auth-delegator'),
      ),
      code: 201,
    },
    {
      request: `POST ${clusterRoleBindings}`,
      body: clusterRoleBinding('{id}-free', '{id}-free', 'max'),
      code: 201,
    },
    { as: ['max'], request: `POST ${roles}`, body: role('e', rule('delete', '', 'configmaps')), code: 201 },
    {
      as: ['max'],
      request: `POST ${roleBindings}`,
      body: roleBinding('g', 'ClusterRole', 'system:auth-delegator', 'jane'),
      code: 201,
    },
    { as: ['max'], request: `POST ${roleBindings}`, body: roleBinding('i', 'Role', 'e', 'jane'), code: 403 },
  ],
  impersonation: [
    {
      request: 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: {},
      headers: {
        'Impersonate-User': 'bob',
        'Impersonate-Group': ['g1', 'g2'],
        'Impersonate-Uid': 'u1',
        'Impersonate-Extra-Example.com%2fTeam': 'red',
      },
      code: 201,
      contains: {
        status: {
          userInfo: {
            username: 'bob',
            uid: 'u1',
            groups: ['g1', 'g2', 'system:authenticated'],
            extra: { 'example.com/team': ['red'] },
          },
        },
      },
    },
    {
      as: ['system:serviceaccount:{ns}:robot'],
      request: 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: {},
      code: 201,
      contains: {
        status: {
          userInfo: {
            groups: ['system:serviceaccounts', 'system:serviceaccounts:{ns}', 'system:authenticated'],
          },
        },
      },
    },
    {
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-Group': 'g', 'Impersonate-Extra-Foo%2fBar': 'x', 'Impersonate-Uid': 'u' },
      code: 400,
      message:
        'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string{"g"}, Extra:map[string][]string{"foo/bar":[]string{"x"}}} without impersonating a user name',
    },
    // A user that is itself not the administrator: a service account with a token.
    { request: 'POST /api/v1/namespaces/{ns}/serviceaccounts', body: serviceAccount('robot'), code: 201 },
    { request: 'POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token', body: {}, code: 201 },
    {
      as: 'token',
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-User': 'bob' },
      code: 403,
      message: cannot('system:serviceaccount:{ns}:robot', 'impersonate-on:user-info:list', 'namespaces', ''),
    },
    {
      as: 'token',
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-User': 'system:serviceaccount:a:b' },
      code: 403,
      message: cannot(
        'system:serviceaccount:{ns}:robot',
        'impersonate-on:serviceaccount:list',
        'namespaces',
        '',
      ),
    },
    {
      as: 'token',
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-User': 'system:node:n1' },
      code: 403,
      message: cannot(
        'system:serviceaccount:{ns}:robot',
        'impersonate-on:arbitrary-node:list',
        'namespaces',
        '',
      ),
    },
    {
      as: 'token',
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-User': 'system:node:n1', 'Impersonate-Group': 'x' },
      code: 403,
      message:
        'users "system:node:n1" is forbidden: User "system:serviceaccount:{ns}:robot" cannot impersonate resource "users" in API group "" at the cluster scope',
    },
    {
      request: `POST ${clusterRoles}`,
      body: clusterRole(
        '{id}-actor',
        rule('impersonate', '', 'users', 'bob'),
        rule('impersonate', '', 'groups', 'devs'),
      ),
      code: 201,
    },
    {
      request: `POST ${clusterRoleBindings}`,
      body: clusterRoleBinding('{id}-actor', '{id}-actor', '{ns}/robot'),
      code: 201,
    },
    {
      as: 'token',
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-User': 'bob', 'Impersonate-Group': 'devs' },
      code: 403,
      message: cannot('bob', 'list', 'namespaces', ''),
    },
    {
      as: 'token',
      request: 'GET /api/v1/namespaces',
      headers: { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' },
      code: 403,
    },
  ],
  'access reviews': [
    {
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', {}),
      code: 422,
      message:
        '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', {
        user: 'jane',
        ...get('pods'),
        nonResourceAttributes: { verb: 'get', path: '/x' },
      }),
      code: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', { user: '{id}-nobody', ...get('pods') }),
      code: 201,
      contains: { status: { allowed: false } },
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', { user: 'jane', groups: ['system:masters'], ...get('pods') }),
      code: 201,
      contains: { spec: { user: 'jane', groups: ['system:masters'] }, status: { allowed: true } },
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', {
        user: 'jane',
        groups: ['system:unauthenticated'],
        nonResourceAttributes: { verb: 'get', path: '/version' },
      }),
      code: 201,
      contains: {
        status: {
          allowed: true,
          reason:
            'RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole "system:public-info-viewer" to Group "system:unauthenticated"',
        },
      },
    },
    { request: `POST ${roles}`, body: role('viewer', rule('get', '', 'pods')), code: 201 },
    {
      request: `POST ${roleBindings}`,
      body: roleBinding('viewers', 'Role', 'viewer', '{ns}/viewer', '{id}-vera'),
      code: 201,
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', { user: 'system:serviceaccount:{ns}:viewer', ...get('pods', '{ns}') }),
      code: 201,
      contains: {
        status: {
          allowed: true,
          reason:
            'RBAC: allowed by RoleBinding "viewers/{ns}" of Role "viewer" to ServiceAccount "viewer/{ns}"',
        },
      },
    },
    {
      as: ['{id}-vera'],
      request: 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: sar('SelfSubjectAccessReview', get('pods', '{ns}')),
      code: 201,
      contains: { status: { allowed: true } },
    },
    {
      as: ['{id}-vera'],
      request: 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: sar('SelfSubjectAccessReview', get('pods', 'default')),
      code: 201,
      contains: { status: { allowed: false } },
    },
    {
      as: ['{id}-vera'],
      request: 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: sar('SubjectAccessReview', { user: 'x', ...get('pods') }),
      code: 403,
      message: cannot('{id}-vera', 'create', 'subjectaccessreviews', '', 'authorization.k8s.io'),
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews',
      body: sar('LocalSubjectAccessReview', { user: '{id}-vera', ...get('pods', '{ns}') }),
      code: 201,
      contains: { metadata: { namespace: '{ns}' }, status: { allowed: true } },
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews',
      body: sar('LocalSubjectAccessReview', { user: 'x', ...get('pods', 'other') }),
      code: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews',
      body: sar('LocalSubjectAccessReview', {
        user: 'x',
        nonResourceAttributes: { path: '/x', verb: 'get' },
      }),
      code: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
    },
    {
      as: ['{id}-vera'],
      request: 'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      body: sar('SelfSubjectRulesReview', { namespace: '{ns}' }),
      code: 201,
      contains: {
        spec: {},
        status: {
          incomplete: false,
          resourceRules: [
            {
              verbs: ['create'],
              apiGroups: ['authorization.k8s.io'],
              resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
            },
            { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
            { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
          ],
        },
      },
    },
    {
      request: 'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      body: sar('SelfSubjectRulesReview', {}),
      code: 400,
      message: 'no namespace on request',
    },
    { request: 'GET /apis/authorization.k8s.io/v1/subjectaccessreviews', code: 405 },
  ],
  'tokens of service accounts': [
    { request: `POST ${accounts}`, body: serviceAccount('op'), code: 201 },
    {
      request: `POST ${accounts}/op/token`,
      body: token({ expirationSeconds: 1 }),
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
    },
    {
      request: `POST ${accounts}/op/token`,
      body: token({ expirationSeconds: 2 ** 33 }),
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds',
    },
    {
      request: `POST ${accounts}/op/token`,
      body: token({ boundObjectRef: { kind: 'Pod', name: 'x' } }),
      code: 404,
      message: 'pods "x" not found',
    },
    {
      request: `POST ${accounts}/op/token`,
      body: token({ boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } }),
      code: 400,
      message: 'cannot bind token to object of type /v1, Kind=ConfigMap',
    },
    {
      request: `POST ${accounts}/op/token`,
      body: { metadata: { name: 'zz' } },
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "op" is invalid: metadata.name: Invalid value: "zz": must match the service account name if specified',
    },
    {
      request: `POST ${accounts}/none/token`,
      body: token({}),
      code: 404,
      message: 'serviceaccounts "none" not found',
    },
    { as: ['jane'], request: `POST ${accounts}/op/token`, body: token({}), code: 403 },
    {
      request: `POST ${accounts}/op/token`,
      body: token({ audiences: ['x'] }),
      code: 201,
      contains: { spec: { audiences: ['x'], expirationSeconds: 3600 } },
    },
    { as: 'token', request: 'GET /version', code: 401, message: 'Unauthorized' },
    {
      request: 'POST /apis/authentication.k8s.io/v1/tokenreviews',
      body: review({ token: '{token}', audiences: ['x', 'y'] }),
      code: 201,
      contains: {
        status: {
          authenticated: true,
          user: { username: 'system:serviceaccount:{ns}:op' },
          audiences: ['x'],
        },
      },
    },
    {
      request: 'POST /apis/authentication.k8s.io/v1/tokenreviews',
      body: review({ token: '{token}' }),
      code: 201,
      contains: {
        status: {
          error:
            '[invalid bearer token, token audiences ["x"] is invalid for the target audiences ["https://kubernetes.default.svc"]]',
        },
      },
    },
    {
      request: 'POST /apis/authentication.k8s.io/v1/tokenreviews',
      body: review({ token: 'bad' }),
      code: 201,
      contains: { status: { user: {}, error: 'invalid bearer token' } },
    },
    {
      request: 'POST /apis/authentication.k8s.io/v1/tokenreviews',
      body: review({}),
      code: 400,
      message: 'token is required for TokenReview in authentication',
    },
    { request: `POST ${accounts}/op/token`, body: token({ expirationSeconds: 7200 }), code: 201 },
    {
      as: 'token',
      request: 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: {},
      code: 201,
      contains: {
        status: {
          userInfo: {
            username: 'system:serviceaccount:{ns}:op',
            groups: ['system:serviceaccounts', 'system:serviceaccounts:{ns}', 'system:authenticated'],
          },
        },
      },
    },
    {
      as: 'token',
      request: `GET ${configMaps}`,
      code: 403,
      message: cannot('system:serviceaccount:{ns}:op', 'list', 'configmaps', '{ns}'),
    },
    { request: `POST ${roles}`, body: role('ops', rule('list', '', 'configmaps')), code: 201 },
    { request: `POST ${roleBindings}`, body: roleBinding('ops', 'Role', 'ops', '{ns}/op'), code: 201 },
    { as: 'token', request: `GET ${configMaps}`, code: 200 },
  ],
};
