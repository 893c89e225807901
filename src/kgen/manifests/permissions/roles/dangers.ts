/** Permissions with which a program, or an attacker in its place, gains others. A table. */
import type { Need } from '../needs.ts';

/** A dangerous permission, with the reason. */
export interface Danger {
  readonly need: Need;
  readonly verbs: readonly string[];
  readonly reason: string;
}

/** A row: it applies to each need that it matches. */
interface DangerRow {
  /** Group and resource; `*` is any group. */
  readonly of: string;
  readonly verbs: readonly string[];
  /** Whether it is dangerous only in all namespaces. */
  readonly inCluster?: boolean;
  readonly reason: string;
}

const anyVerb = ['*'];
const reads = ['get', 'list', 'watch'];
const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const changes = ['create', 'update', 'patch'];
const connects = ['create', 'get'];

/** @see https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks */
const rows: readonly DangerRow[] = [
  {
    of: '/secrets',
    verbs: reads,
    inCluster: true,
    reason: 'reads the Secrets of all namespaces, also tokens of service accounts',
  },
  {
    of: '/secrets',
    verbs: changes,
    inCluster: true,
    reason: 'creates tokens of any service account, by Secrets',
  },
  { of: '*/*', verbs: ['escalate'], reason: 'grants permissions that it does not have' },
  { of: '*/*', verbs: ['bind'], reason: 'binds roles with permissions that it does not have' },
  { of: '*/*', verbs: ['impersonate'], reason: 'acts as other users' },
  {
    of: 'rbac.authorization.k8s.io/roles',
    verbs: changes,
    reason: 'changes roles, up to its own permissions',
  },
  {
    of: 'rbac.authorization.k8s.io/clusterroles',
    verbs: changes,
    reason: 'changes roles, up to its own permissions',
  },
  {
    of: 'rbac.authorization.k8s.io/rolebindings',
    verbs: changes,
    reason: 'binds roles, up to its own permissions',
  },
  {
    of: 'rbac.authorization.k8s.io/clusterrolebindings',
    verbs: changes,
    reason: 'binds roles, up to its own permissions',
  },
  { of: '/pods/exec', verbs: connects, reason: 'runs commands in containers' },
  { of: '/pods/attach', verbs: connects, reason: 'connects to processes in containers' },
  { of: '/pods/portforward', verbs: connects, reason: 'connects to ports of pods, past network policies' },
  { of: '/pods/ephemeralcontainers', verbs: changes, reason: 'adds containers to running pods' },
  { of: '/nodes/proxy', verbs: anyVerb, reason: 'uses the API of kubelets, past admission and audit logs' },
  { of: '/nodes', verbs: writes, reason: 'changes nodes, and so the place of all pods' },
  { of: '/pods/proxy', verbs: anyVerb, reason: 'sends requests to ports of pods, past network policies' },
  { of: '/services/proxy', verbs: anyVerb, reason: 'sends requests to services, past network policies' },
  { of: '/serviceaccounts/token', verbs: ['create'], reason: 'creates tokens of service accounts' },
  { of: '/persistentvolumes', verbs: ['create'], reason: 'creates volumes of files of nodes' },
  {
    of: '/namespaces',
    verbs: ['update', 'patch', 'delete', 'deletecollection'],
    reason: 'changes labels of namespaces, such as their pod security, or deletes all of a namespace',
  },
  {
    of: 'admissionregistration.k8s.io/validatingwebhookconfigurations',
    verbs: writes,
    reason: 'sees the requests of all users, or prevents them',
  },
  {
    of: 'admissionregistration.k8s.io/mutatingwebhookconfigurations',
    verbs: writes,
    reason: 'changes the requests of all users',
  },
  {
    of: 'admissionregistration.k8s.io/validatingadmissionpolicies',
    verbs: writes,
    reason: 'prevents requests of all users',
  },
  {
    of: 'admissionregistration.k8s.io/mutatingadmissionpolicies',
    verbs: writes,
    reason: 'changes the requests of all users',
  },
  {
    of: 'apiextensions.k8s.io/customresourcedefinitions',
    verbs: writes,
    reason: 'changes schemas, or deletes all objects of a kind',
  },
  {
    of: 'apiregistration.k8s.io/apiservices',
    verbs: writes,
    reason: 'receives the requests of an API group',
  },
  {
    of: 'certificates.k8s.io/certificatesigningrequests/approval',
    verbs: changes,
    reason: 'approves certificates of any user',
  },
  { of: 'certificates.k8s.io/signers', verbs: ['approve', 'sign'], reason: 'signs certificates of any user' },
];

/** Returns the dangerous ones of the needs, in their order. */
export function dangersOf(needs: readonly Need[]): readonly Danger[] {
  return needs.flatMap((need) => {
    const wildcards = [
      ...(need.verbs.includes('*')
        ? [{ need, verbs: ['*'], reason: 'has all verbs, also those of later releases' }]
        : []),
      ...(need.resource.includes('*') || need.group === '*'
        ? [{ need, verbs: need.verbs, reason: 'has all resources, also those of later releases' }]
        : []),
    ];
    return [...wildcards, ...rows.flatMap((row) => dangerOf(row, need))];
  });
}

function dangerOf({ of, verbs, inCluster = false, reason }: DangerRow, need: Need): readonly Danger[] {
  const [group, ...resource] = of.split('/');
  const isSame = group === '*' || (group === need.group && resource.join('/') === need.resource);
  const isEverywhere = need.scope.type === 'cluster' || need.scope.type === 'watched';
  if (!isSame || (inCluster && !isEverywhere)) return [];
  const isAny = verbs.includes('*');
  const found = need.verbs.filter((verb) => isAny || verb === '*' || verbs.includes(verb));
  return found.length === 0 ? [] : [{ need, verbs: found, reason }];
}
