/**
 * Fields of built-in kinds that field selectors accept, by group and plural. No document contains them. Every
 * API server since 1.33 accepts and compares these fields, whatever the version of the group, besides
 * `metadata.name` and `metadata.namespace`. Omitted are `spec.host` of pods, an old name of `spec.nodeName`,
 * and their `status.podIPs`, which is accepted and never matches.
 */
const builtInFields: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '/events',
    [
      'involvedObject.apiVersion',
      'involvedObject.fieldPath',
      'involvedObject.kind',
      'involvedObject.name',
      'involvedObject.namespace',
      'involvedObject.resourceVersion',
      'involvedObject.uid',
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  ],
  ['/namespaces', ['status.phase']],
  ['/nodes', ['spec.unschedulable']],
  [
    '/pods',
    [
      'spec.hostNetwork',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.nominatedNodeName',
      'status.phase',
      'status.podIP',
    ],
  ],
  ['/replicationcontrollers', ['status.replicas']],
  ['/secrets', ['type']],
  ['/services', ['spec.clusterIP', 'spec.type']],
  ['batch/jobs', ['status.successful']],
  ['certificates.k8s.io/certificatesigningrequests', ['spec.signerName']],
  [
    'events.k8s.io/events',
    [
      'reason',
      'regarding.apiVersion',
      'regarding.fieldPath',
      'regarding.kind',
      'regarding.name',
      'regarding.namespace',
      'regarding.resourceVersion',
      'regarding.uid',
      'reportingController',
      'type',
    ],
  ],
  ['resource.k8s.io/resourceslices', ['spec.driver', 'spec.nodeName']],
]);

/** Returns the fields of a built-in kind that field selectors accept besides name and namespace. */
export function builtInSelectableFields(group: string, plural: string): readonly string[] {
  return builtInFields.get(`${group}/${plural}`) ?? [];
}
