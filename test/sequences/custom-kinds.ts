/** Custom resources of sequences, and their definitions. */
import type { JsonObject } from '../../src/schema/values/json.ts';
import type { SequenceKind } from './kinds.ts';

const group = 'sequences.example.com';

const widgetSpec: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 10 },
    color: { type: 'string', enum: ['red', 'green', 'blue'], default: 'red' },
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
    replicas: { type: 'integer', format: 'int32', default: 1 },
    ratio: { type: 'number' },
    any: { 'x-kubernetes-int-or-string': true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    empty: { type: 'string', nullable: true },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', maxItems: 4, items: { type: 'string' } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: {
          port: { type: 'integer' },
          protocol: { type: 'string', default: 'TCP' },
          name: { type: 'string' },
        },
      },
    },
    limits: { type: 'object', additionalProperties: { type: 'string' } },
    fixed: {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
    },
    atom: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
  },
  'x-kubernetes-validations': [
    { rule: "self.color != 'blue' || self.size > 1", message: 'blue widgets are large', fieldPath: '.size' },
    {
      rule: '!has(self.tags) || self.tags.all(t, size(t) < 5)',
      messageExpression: "'tags of ' + self.color",
    },
  ],
};

const widgetStatus: JsonObject = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    selector: { type: 'string' },
    phase: { type: 'string', enum: ['New', 'Done'] },
  },
};

function versionOf(name: string, storage: boolean, more: JsonObject): JsonObject {
  return { name, served: true, storage, ...more };
}

/** Definitions that exist before the first sequence. */
export const definitions: readonly JsonObject[] = [
  definitionOf(
    group,
    'Namespaced',
    { kind: 'Widget', plural: 'widgets', shortNames: ['wd'], categories: ['all'] },
    [
      versionOf('v1', true, {
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: widgetSpec, status: widgetStatus } },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        selectableFields: [{ jsonPath: '.spec.color' }],
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
        ],
      }),
      versionOf('v2', false, {
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' }, extra: { type: 'string', default: 'more' } },
              },
            },
          },
        },
        deprecated: true,
      }),
    ],
  ),
  definitionOf(group, 'Cluster', { kind: 'Planet', plural: 'planets' }, [
    versionOf('v1', true, {
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            mass: { type: 'number', default: 1.5 },
            moons: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    }),
  ]),
];

/** Returns a CustomResourceDefinition. */
export function definitionOf(
  group: string,
  scope: string,
  names: JsonObject & { readonly plural: string },
  versions: readonly JsonObject[],
): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope, names, versions },
  };
}

const widgetParts: readonly JsonObject[] = [
  { spec: { size: 7 } },
  { spec: { color: 'green' } },
  { spec: { color: 'blue', size: 2 } },
  { spec: { color: null } },
  { spec: { tags: ['a', 'b'] } },
  { spec: { ports: [{ port: 1 }, { port: 1, protocol: 'UDP', name: 'u' }] } },
  { spec: { limits: { cpu: '1', memory: '2' } } },
  { spec: { free: { deep: [{ a: null }, 1.5, true] } } },
  { spec: { any: '5%', ratio: 0.25 } },
  { spec: { any: 5, ratio: 1 } },
  { spec: { empty: null, replicas: 3 } },
  { spec: { fixed: 'x' } },
  { spec: { atom: { a: '1' } } },
  { spec: { atom: { b: '2' } } },
];

const widgetWrongs: readonly JsonObject[] = [
  { spec: { size: -1 } },
  { spec: { size: 'big' } },
  { spec: { size: 2.5 } },
  { spec: { size: null } },
  { spec: { color: 'pink' } },
  { spec: { color: 'blue', size: 1 } },
  { spec: { tags: ['long tag'] } },
  { spec: { tags: ['a', 'a'] } },
  { spec: { tags: ['a', 'b', 'c', 'd', 'e'] } },
  { spec: { ports: [{ port: 1 }, { port: 1 }] } },
  { spec: { ports: [{ name: 'x' }] } },
  { spec: { name: 'UPPER' } },
  { spec: { unknown: { a: 1 } } },
  { spec: { limits: { cpu: 1 } } },
  { spec: { fixed: 'y' } },
  { spec: { replicas: -5 } },
  { spec: { any: true } },
  { spec: null },
  { more: 'x' },
];

/** Custom resources: namespaced with two versions, and cluster-scoped. */
export const customKinds: readonly SequenceKind[] = [
  {
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    plural: 'widgets',
    base: { spec: { size: 1 } },
    parts: widgetParts,
    wrong: widgetWrongs,
    status: [
      { status: { replicas: 2, selector: 'a=b' } },
      { status: { phase: 'Wrong' } },
      { status: { phase: 'Done', unknown: 1 } },
      { status: null },
      { spec: { size: 9 }, status: { phase: 'New' } },
    ],
    hasScale: true,
    fields: ['spec.color=red', 'spec.color!=red', 'spec.size=1'],
  },
  {
    apiVersion: `${group}/v2`,
    kind: 'Widget',
    plural: 'widgets',
    base: { spec: { size: 1 } },
    parts: [{ spec: { extra: 'x' } }, { spec: { size: 50 } }, { spec: { color: 'blue' } }],
    wrong: [{ spec: { size: 'x' } }, { spec: 'x' }],
  },
  {
    apiVersion: `${group}/v1`,
    kind: 'Planet',
    plural: 'planets',
    isClusterScoped: true,
    base: {},
    parts: [{ mass: 2 }, { moons: ['a', 'b'] }, { moons: null }],
    wrong: [{ mass: 'x' }, { moons: [1] }, { rings: true }, { status: { a: 1 } }],
  },
];
