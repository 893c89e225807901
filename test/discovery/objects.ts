/** Objects that change the resources of a server. */

/** A definition with every property of a mapping. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'comets.late.example.com' },
  spec: {
    group: 'late.example.com',
    scope: 'Cluster',
    names: { plural: 'comets', singular: 'comet', kind: 'Comet', shortNames: ['cmt'], categories: ['sky'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
} as const;

/** An API whose Service does not exist. */
export const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.down.example.com' },
  spec: {
    group: 'down.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', name: 'nobody' },
  },
} as const;
