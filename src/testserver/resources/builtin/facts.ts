/** Facts about the built-in resources of Kubernetes 1.36 that their descriptors do not have. */

/** Groups in the order of discovery. Groups of custom resources follow. */
export const groupOrder: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
];

/** The apiVersion of stored objects, if it is not the first served version of the group. */
export const storageVersions: Readonly<Record<string, string>> = {
  'events.events.k8s.io': 'v1',
  'mutatingadmissionpolicies.admissionregistration.k8s.io': 'admissionregistration.k8s.io/v1beta1',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': 'admissionregistration.k8s.io/v1beta1',
  'customresourcedefinitions.apiextensions.k8s.io': 'apiextensions.k8s.io/v1beta1',
  'leasecandidates.coordination.k8s.io': 'coordination.k8s.io/v1beta1',
  'devicetaintrules.resource.k8s.io': 'resource.k8s.io/v1alpha3',
};

/** A kind with its group and version. The members are empty for kinds of the group version itself. */
export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Kinds of subresources that are not the kind of their resource. */
export const subresourceKinds: Readonly<Record<string, BodyKind>> = {
  'nodes/proxy': { group: '', version: '', kind: 'NodeProxyOptions' },
  'pods/attach': { group: '', version: '', kind: 'PodAttachOptions' },
  'pods/binding': { group: '', version: '', kind: 'Binding' },
  'pods/eviction': { group: 'policy', version: 'v1', kind: 'Eviction' },
  'pods/exec': { group: '', version: '', kind: 'PodExecOptions' },
  'pods/portforward': { group: '', version: '', kind: 'PodPortForwardOptions' },
  'pods/proxy': { group: '', version: '', kind: 'PodProxyOptions' },
  'services/proxy': { group: '', version: '', kind: 'ServiceProxyOptions' },
  'serviceaccounts/token': { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
};

export const scaleKind: BodyKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Verbs of connect subresources in discovery, whose methods the server maps to verbs. */
export const connectVerbs: Readonly<Record<string, readonly string[]>> = {
  attach: ['create', 'get'],
  exec: ['create', 'get'],
  portforward: ['create', 'get'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
};

/** Kinds whose list of objects is not stored. */
export const virtualStorage: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/**
 * Warnings of deprecated versions, without the kind at the beginning: `{ deprecated, removed, replacement }`.
 */
interface Deprecation {
  readonly since: string;
  readonly removed?: string;
  readonly use?: string;
}

const deprecations: Readonly<Record<string, Deprecation>> = {
  'v1 ComponentStatus': { since: '1.19' },
  'v1 Endpoints': { since: '1.33', use: 'discovery.k8s.io/v1 EndpointSlice' },
  'networking.k8s.io/v1beta1': { since: '1.34', removed: '1.37' },
  'storage.k8s.io/v1beta1 VolumeAttributesClass': {
    since: '1.34',
    removed: '1.37',
    use: 'storage.k8s.io/v1 VolumeAttributesClass',
  },
  'admissionregistration.k8s.io/v1alpha1': { since: '1.35', removed: '1.38' },
  'coordination.k8s.io/v1beta1': { since: '1.36', removed: '1.39' },
  'coordination.k8s.io/v1alpha2': { since: '1.35', removed: '1.38' },
  'resource.k8s.io/v1beta2 DeviceTaintRule': { since: '' },
  'resource.k8s.io/v1beta2': { since: '1.36', removed: '1.39' },
  'resource.k8s.io/v1beta1': { since: '1.35', removed: '1.38' },
  'resource.k8s.io/v1alpha3 DeviceTaintRule': { since: '1.36', removed: '1.39' },
};

/** Returns the warning of a deprecated kind, which every response contains. */
export function deprecationOf(apiVersion: string, kind: string): string | undefined {
  const found = deprecations[`${apiVersion} ${kind}`] ?? deprecations[apiVersion];
  if (found === undefined || found.since === '') return undefined;
  const removed = found.removed === undefined ? '' : `, unavailable in v${found.removed}+`;
  const use = found.use === undefined ? '' : `; use ${found.use}`;
  return `${apiVersion} ${kind} is deprecated in v${found.since}+${removed}${use}`;
}
