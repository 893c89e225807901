import { parseSchema, type Schema } from '../schema/structural.ts';
import type { ResourceType } from './type.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const COMMON = {
  categories: [],
  namespaced: false,
  scale: undefined,
  selectable: [],
  deprecation: undefined,
  webhookConversion: false,
  status: true,
} as const;

const DEFINITION_SCHEMA: Schema = parseSchema({
  type: 'object',
  properties: {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  required: ['spec'],
});

const NAMESPACE_SCHEMA: Schema = parseSchema({
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
export const DEFINITIONS: ResourceType = {
  ...COMMON,
  schema: DEFINITION_SCHEMA,
  storageSchema: DEFINITION_SCHEMA,
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
  verbs: VERBS,
};

/** Core `v1` Namespace. */
export const NAMESPACES: ResourceType = {
  ...COMMON,
  schema: NAMESPACE_SCHEMA,
  storageSchema: NAMESPACE_SCHEMA,
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
  verbs: VERBS.filter((verb) => verb !== 'deletecollection'),
};
