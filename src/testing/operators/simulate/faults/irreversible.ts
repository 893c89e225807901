/** Fields whose changes cannot be undone, by resource: what has run, or was allocated, remains so. */
const fields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    configmaps: ['immutable'],
    'jobs.batch': ['spec'],
    namespaces: ['spec'],
    nodes: ['spec'],
    persistentvolumeclaims: ['spec'],
    persistentvolumes: ['spec'],
    pods: ['spec'],
    secrets: ['immutable', 'type'],
    'statefulsets.apps': ['spec.podManagementPolicy', 'spec.serviceName', 'spec.volumeClaimTemplates'],
  }),
);

/** Returns the paths of the members of a resource whose changes cannot be undone. */
export function irreversibleFields(resource: string): readonly string[] {
  return fields.get(resource) ?? [];
}
