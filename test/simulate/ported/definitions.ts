/** Definitions of the kinds of the ported operator. */
const string = { type: 'string' };
const integer = { type: 'integer', format: 'int32' };
const strings = { type: 'array', items: string };
const reference = { type: 'object', required: ['name'], properties: { name: string } };

function listOf(required: readonly string[], properties: object): object {
  return { type: 'array', items: { type: 'object', required, properties } };
}

function kindOf(kind: string, spec: object, status: object): { readonly kind: string } {
  const singular = kind.toLowerCase();
  const properties = { spec, status: { type: 'object', properties: status } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.keda.sh` },
    spec: {
      group: 'keda.sh',
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties } },
        },
      ],
    },
  };
  return definition;
}

const trigger = {
  type: string,
  name: string,
  metadata: { type: 'object', additionalProperties: string },
  authenticationRef: reference,
};

const autoscaler = { type: 'object', properties: { name: string } };

const scaledObjectSpec = {
  type: 'object',
  required: ['scaleTargetRef', 'triggers'],
  properties: {
    scaleTargetRef: { ...reference, properties: { name: string, apiVersion: string, kind: string } },
    pollingInterval: integer,
    cooldownPeriod: integer,
    idleReplicaCount: integer,
    minReplicaCount: integer,
    maxReplicaCount: integer,
    advanced: {
      type: 'object',
      properties: {
        restoreToOriginalReplicaCount: { type: 'boolean' },
        horizontalPodAutoscalerConfig: autoscaler,
      },
    },
    triggers: listOf(['type', 'metadata'], trigger),
  },
};

const scaledObjectStatus = {
  scaleTargetKind: string,
  scaleTargetGVKR: {
    type: 'object',
    properties: { group: string, version: string, kind: string, resource: string },
  },
  scaleTargetName: string,
  originalReplicaCount: integer,
  lastActiveTime: { type: 'string', format: 'date-time' },
  externalMetricNames: strings,
  resourceMetricNames: strings,
  conditions: listOf(['type', 'status'], { type: string, status: string, reason: string, message: string }),
  pausedReplicaCount: integer,
  hpaName: string,
  triggersTypes: string,
  authenticationsTypes: string,
};

const secretTargets = listOf(['parameter', 'name', 'key'], { parameter: string, name: string, key: string });

export const definitions: readonly { readonly kind: string }[] = [
  kindOf('ScaledObject', scaledObjectSpec, scaledObjectStatus),
  kindOf(
    'TriggerAuthentication',
    { type: 'object', properties: { secretTargetRef: secretTargets } },
    { scaledobjects: string },
  ),
];
