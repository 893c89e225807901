/** Types that the server itself needs: definitions and namespaces. */
import { definitionSchema } from './definitions/schema.ts';
import type { ResourceType } from './type.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const common = {
  categories: [],
  namespaced: false,
  scale: undefined,
  selectable: [],
  deprecation: undefined,
  status: true,
} as const;

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

/** Namespaces, whose type is that of the descriptor: the names that code about other kinds needs. */
export const namespaces = { group: '', plural: 'namespaces', storage: 'namespaces' } as const;
