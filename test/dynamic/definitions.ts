import type { Unstructured } from '@kgen/runtime/dynamic';

const group = 'dynamic.example.com';
const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function definition(kind: string, scope: string, version: object, ...others: object[]): Unstructured {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, ...version }, ...others],
    },
  };
}

/** Widgets have a status, a scale, and their own columns. */
const widget = definition('Widget', 'Namespaced', {
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { ...replicas, 'x-kubernetes-preserve-unknown-fields': true },
        status: { ...open, properties: { ...replicas.properties, selector: { type: 'string' } } },
      },
    },
  },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Note', type: 'string', jsonPath: '.spec.note' },
    { name: 'Selector', type: 'string', jsonPath: '.status.selector', priority: 1 },
  ],
});

/** Gadgets are cluster-scoped and have no status, scale or columns. */
const gadget = definition('Gadget', 'Cluster', {
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
});

/** Gizmos can be scaled, but not in the version that the server prefers. */
const gizmo = definition(
  'Gizmo',
  'Namespaced',
  { schema: { openAPIV3Schema: open } },
  {
    name: 'v1beta1',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: open },
    subresources: {
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
  },
);

export const definitions: readonly Unstructured[] = [widget, gadget, gizmo];
