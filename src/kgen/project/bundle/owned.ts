/** Definitions in a ClusterServiceVersion: those of the operator, with descriptors. Pure. */
import { array, isObject, type JsonObject, own, strings, text } from '@kgen/schema/values/json';
import { descriptorsOf, wordsOf } from './descriptors.ts';
import type { OperatorParts } from './operator.ts';

/** A served version of a definition. */
export interface OwnedVersion {
  /** Name of the definition. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  /** Entry of `spec.versions`. */
  readonly json: JsonObject;
  /** File of the definition. */
  readonly file: string;
}

/** Returns the served versions. */
export function ownedVersions({ definitions }: Pick<OperatorParts, 'definitions'>): readonly OwnedVersion[] {
  return definitions.flatMap(({ value, file }) => {
    const [name, group, kind] = [
      text(value, 'metadata', 'name'),
      text(value, 'spec', 'group'),
      text(value, 'spec', 'names', 'kind'),
    ];
    const served = array(value, 'spec', 'versions')
      .filter(isObject)
      .filter((each) => own(each, 'served') === true);
    return served.map((json) => ({ name, group, kind, version: text(json, 'name'), json, file }));
  });
}

/** Returns the description of a version for consoles. */
export function ownedDefinition(
  { name, kind, version, json }: OwnedVersion,
  operator: string,
  parts: OperatorParts,
): JsonObject {
  const described = text(json, 'schema', 'openAPIV3Schema', 'description');
  const created = createdKinds(parts);
  const [specDescriptors, statusDescriptors] = [descriptorsOf(json, 'spec'), descriptorsOf(json, 'status')];
  return {
    ...{ name, version, kind },
    displayName: wordsOf(kind),
    description: described === '' ? `${wordsOf(kind)}, which ${operator} manages.` : described,
    // An operator without objects of its own changes the custom resource itself.
    resources: created.length > 0 ? created : [{ kind, name, version }],
    ...(specDescriptors.length > 0 && { specDescriptors }),
    ...(statusDescriptors.length > 0 && { statusDescriptors }),
  };
}

/** Built-in resources that operators create, with their kinds. */
const createdResources: Readonly<Record<string, string>> = {
  'apps/daemonsets': 'DaemonSet',
  'apps/deployments': 'Deployment',
  'apps/statefulsets': 'StatefulSet',
  'autoscaling/horizontalpodautoscalers': 'HorizontalPodAutoscaler',
  'batch/cronjobs': 'CronJob',
  'batch/jobs': 'Job',
  '/configmaps': 'ConfigMap',
  '/namespaces': 'Namespace',
  '/persistentvolumeclaims': 'PersistentVolumeClaim',
  '/pods': 'Pod',
  '/secrets': 'Secret',
  '/serviceaccounts': 'ServiceAccount',
  '/services': 'Service',
  'networking.k8s.io/ingresses': 'Ingress',
  'networking.k8s.io/networkpolicies': 'NetworkPolicy',
  'policy/poddisruptionbudgets': 'PodDisruptionBudget',
  'rbac.authorization.k8s.io/clusterrolebindings': 'ClusterRoleBinding',
  'rbac.authorization.k8s.io/clusterroles': 'ClusterRole',
  'rbac.authorization.k8s.io/rolebindings': 'RoleBinding',
  'rbac.authorization.k8s.io/roles': 'Role',
};

/** Returns the kinds that the permissions of an operator let it create. */
function createdKinds({ permissions, clusterPermissions }: OperatorParts): readonly JsonObject[] {
  const writing = [...permissions, ...clusterPermissions].filter((rule) =>
    strings(rule, 'verbs').some((verb) => ['create', 'patch', '*'].includes(verb)),
  );
  const names = writing.flatMap((rule) =>
    strings(rule, 'apiGroups').flatMap((group) =>
      strings(rule, 'resources').map((resource) => `${group}/${resource}`),
    ),
  );
  return Object.entries(createdResources).flatMap(([resource, kind]) =>
    names.includes(resource)
      ? [{ kind, name: '', version: resource.startsWith('autoscaling/') ? 'v2' : 'v1' }]
      : [],
  );
}
