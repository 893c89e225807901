/**
 * Kubernetes' own API groups: those of client-go, of the clients of its extensions, its aggregator and its
 * metrics, and the shared types (`meta`). Their accessors are equal in every output, whatever other groups it
 * contains.
 */
const knownGroups: ReadonlySet<string> = new Set([
  '',
  'admission.k8s.io',
  'admissionregistration.k8s.io',
  'apidiscovery.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'imagepolicy.k8s.io',
  'internal.apiserver.k8s.io',
  'lifecycle.k8s.io',
  'meta',
  'metrics.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Returns whether a group belongs to Kubernetes itself. */
export function isKnownGroup(group: string): boolean {
  return knownGroups.has(group);
}

/** By the name of the group's Go package: the first label, with these exceptions. */
const groupsByPackage: ReadonlyMap<string, string> = new Map([
  ...[...knownGroups].map((group) => [group.split('.', 1)[0] ?? '', group] as const),
  ['core', ''],
  ['apiserverinternal', 'internal.apiserver.k8s.io'],
]);

/**
 * Returns the group version of a package of Kubernetes' own definitions, such as `io.k8s.api.core.v1`, or
 * `undefined`.
 */
export function knownGroupVersion(
  packageName: string,
): { readonly group: string; readonly version: string } | undefined {
  const [, label = '', version = ''] = knownPackage.exec(packageName) ?? [];
  const group = groupsByPackage.get(label);
  return group === undefined || version === '' ? undefined : { group, version };
}

const knownPackage = /^io\.k8s\.(?:api|[a-z-]+\.pkg\.apis)\.([a-z]+)\.(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)$/;
