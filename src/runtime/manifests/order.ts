/** Order in which objects are created, so that their dependencies exist. */

/** Kinds that others depend on. */
const firstKinds: readonly (readonly [group: string, kind: string])[] = [
  ['', 'Namespace'],
  ['apiextensions.k8s.io', 'CustomResourceDefinition'],
  ['scheduling.k8s.io', 'PriorityClass'],
  ['node.k8s.io', 'RuntimeClass'],
  ['storage.k8s.io', 'StorageClass'],
  ['', 'ResourceQuota'],
  ['', 'LimitRange'],
  ['networking.k8s.io', 'NetworkPolicy'],
  ['', 'ServiceAccount'],
  ['', 'Secret'],
  ['', 'ConfigMap'],
  ['', 'PersistentVolume'],
  ['', 'PersistentVolumeClaim'],
  ['rbac.authorization.k8s.io', 'ClusterRole'],
  ['rbac.authorization.k8s.io', 'ClusterRoleBinding'],
  ['rbac.authorization.k8s.io', 'Role'],
  ['rbac.authorization.k8s.io', 'RoleBinding'],
  ['', 'Service'],
];

/** Kinds that redirect requests of the server, created when their targets exist. */
const lastKinds: readonly (readonly [group: string, kind: string])[] = [
  ['apiregistration.k8s.io', 'APIService'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding'],
  ['admissionregistration.k8s.io', 'MutatingAdmissionPolicy'],
  ['admissionregistration.k8s.io', 'MutatingAdmissionPolicyBinding'],
  ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'],
  ['admissionregistration.k8s.io', 'MutatingWebhookConfiguration'],
];

/** API group and kind of an object. */
export interface ObjectKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Returns objects in the order in which `applyManifests` creates them: namespaces and definitions first,
 * webhooks last, otherwise unchanged.
 */
export function orderManifests<K extends ObjectKind>(objects: readonly K[]): readonly K[] {
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

function rank(kind: ObjectKind): number {
  const first = place(firstKinds, kind);
  if (first >= 0) return first;
  return firstKinds.length + 1 + place(lastKinds, kind);
}

function place(kinds: readonly (readonly [string, string])[], { group, kind }: ObjectKind): number {
  return kinds.findIndex(([ofGroup, name]) => ofGroup === group && name === kind);
}

/** Returns whether objects of this kind contain others, which are deleted with them. */
export function isContainer(kind: ObjectKind): boolean {
  return isNamespace(kind) || isDefinition(kind);
}

export function isNamespace({ group, kind }: ObjectKind): boolean {
  return group === '' && kind === 'Namespace';
}

export function isDefinition({ group, kind }: ObjectKind): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}
