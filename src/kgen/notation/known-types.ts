/** Types of Kubernetes that authors use, with their schemas. */
import type { JsonObject } from '@kgen/schema/values/json';

const intOrString: JsonObject = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

const texts: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };

/** Schemas by the name that marks the type. */
export const knownTypes: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['int32', { type: 'integer', format: 'int32' }],
  ['int64', { type: 'integer', format: 'int64' }],
  ['double', { type: 'number', format: 'double' }],
  ['int-or-string', intOrString],
  [
    'quantity',
    {
      ...intOrString,
      pattern:
        '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
    },
  ],
  ['duration', { type: 'string' }],
  ['date-time', { type: 'string', format: 'date-time' }],
  ['byte', { type: 'string', format: 'byte' }],
  ['json-object', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  [
    'embedded-resource',
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  ],
  [
    'condition',
    {
      type: 'object',
      properties: {
        lastTransitionTime: {
          description: 'Time at which `status` changed last.',
          type: 'string',
          format: 'date-time',
        },
        message: { description: 'Explanation for users.', type: 'string', maxLength: 32_768 },
        observedGeneration: {
          description: 'Generation of the object that the condition describes.',
          type: 'integer',
          format: 'int64',
          minimum: 0,
        },
        reason: {
          description: 'Reason for programs, in camel case.',
          type: 'string',
          minLength: 1,
          maxLength: 1_024,
          pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
        },
        status: {
          description: 'Whether the condition holds.',
          type: 'string',
          enum: ['True', 'False', 'Unknown'],
        },
        type: {
          description: 'Aspect of the object, such as `Ready`.',
          type: 'string',
          maxLength: 316,
          pattern:
            '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
        },
      },
      required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    },
  ],
  [
    'label-selector',
    {
      type: 'object',
      properties: {
        matchExpressions: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              key: { type: 'string' },
              operator: { type: 'string' },
              values: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
            },
            required: ['key', 'operator'],
          },
          'x-kubernetes-list-type': 'atomic',
        },
        matchLabels: texts,
      },
      'x-kubernetes-map-type': 'atomic',
    },
  ],
  [
    'object-meta',
    {
      type: 'object',
      properties: {
        annotations: texts,
        finalizers: { type: 'array', items: { type: 'string' } },
        labels: texts,
        name: { type: 'string' },
        namespace: { type: 'string' },
      },
    },
  ],
]);

/** Names of the runtime's own types, with the name that marks the type. */
export const knownAliases: ReadonlyMap<string, string> = new Map([
  ['ClusterMeta', 'object-meta'],
  ['Condition', 'condition'],
  ['EmbeddedObject', 'embedded-resource'],
  ['LabelSelector', 'label-selector'],
  ['MicroTime', 'date-time'],
  ['ObjectMeta', 'object-meta'],
  ['Quantity', 'quantity'],
  ['Time', 'date-time'],
]);

/** Returns whether a file declares the types of Kubernetes that authors use. */
export function declaresKnownTypes(path: string): boolean {
  return /\/(?:runtime\/(?:dist\/)?api\/meta|kgen\/(?:dist\/)?api)\.(?:d\.)?ts$/.test(
    path.replaceAll('\\', '/'),
  );
}
