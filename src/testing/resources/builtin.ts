import { parseSchema, type Schema } from '../schema/structural.ts';
import { definitionSchema } from './definition-schema.ts';
import type { ResourceType } from './type.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const common = {
  categories: [],
  namespaced: false,
  scale: undefined,
  selectable: [],
  deprecation: undefined,
  webhookConversion: false,
  status: true,
} as const;

const namespaceSchema: Schema = parseSchema({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { finalizers: { type: 'array', items: { type: 'string' } } } },
    status: {
      type: 'object',
      properties: {
        phase: { type: 'string' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  },
});

/** `apiextensions.k8s.io/v1` CustomResourceDefinition. */
export const definitions: ResourceType = {
  ...common,
  schema: definitionSchema,
  storageSchema: definitionSchema,
  group: 'apiextensions.k8s.io',
  version: 'v1',
  apiVersion: 'apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  kind: 'CustomResourceDefinition',
  listKind: 'CustomResourceDefinitionList',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  storage: 'customresourcedefinitions.apiextensions.k8s.io',
  storageApiVersion: 'apiextensions.k8s.io/v1',
  strategy: 'definition',
  verbs: verbs,
};

/** Core `v1` Namespace. */
export const namespaces: ResourceType = {
  ...common,
  schema: namespaceSchema,
  storageSchema: namespaceSchema,
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  plural: 'namespaces',
  singular: 'namespace',
  kind: 'Namespace',
  listKind: 'NamespaceList',
  shortNames: ['ns'],
  storage: 'namespaces',
  storageApiVersion: 'v1',
  strategy: 'namespace',
  // As on a real server, namespaces cannot be deleted as a collection.
  verbs: verbs.filter((verb) => verb !== 'deletecollection'),
};
