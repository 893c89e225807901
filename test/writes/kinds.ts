/** Kinds of the histories: a custom resource with two versions, and built-in kinds. */

/** Value of a member of JSON. */
export type Fields = Record<string, unknown>;

export type KindName = 'thing' | 'configmap' | 'deployment';
/** Version of a custom resource; built-in kinds have `v1`. */
export type Version = 'v1' | 'v2';

/** A kind whose objects are written. */
export interface Kind {
  readonly name: KindName;
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly versions: readonly [Version, ...Version[]];
  /** Members that every body has. */
  readonly base: Fields;
}

const group = 'twins.example.com';
const podLabels = { app: 'web' };

export const kinds: Readonly<Record<KindName, Kind>> = {
  thing: { name: 'thing', group, resource: 'things', kind: 'Thing', versions: ['v1', 'v2'], base: {} },
  configmap: {
    name: 'configmap',
    group: '',
    resource: 'configmaps',
    kind: 'ConfigMap',
    versions: ['v1'],
    base: {},
  },
  deployment: {
    name: 'deployment',
    group: 'apps',
    resource: 'deployments',
    kind: 'Deployment',
    versions: ['v1'],
    base: {
      spec: {
        selector: { matchLabels: podLabels },
        template: { metadata: { labels: podLabels }, spec: { containers: [{ name: 'web', image: 'x' }] } },
      },
    },
  },
};

/** Kind of the objects whose keys are reconciled. */
export const owners = { group, version: 'v1', resource: 'owners', kind: 'Owner' } as const;

/** Name of the reconciled object. */
export const ownerName = 'owner';

export function apiVersionOf(kind: Kind, version: Version): string {
  return kind.group === '' ? version : `${kind.group}/${version}`;
}

/** Returns the path of an object; without a name, that of its collection. */
export function pathOf(
  of: Pick<Kind, 'group' | 'resource'>,
  version: string,
  namespace: string,
  ...rest: readonly string[]
): string {
  const root = of.group === '' ? '/api' : `/apis/${of.group}`;
  return [`${root}/${version}/namespaces/${namespace}/${of.resource}`, ...rest].join('/');
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const strings = { type: 'object', additionalProperties: string };
const keyed = (key: string, properties: Fields): Fields => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
  items: { type: 'object', required: [key], properties: { [key]: string, ...properties } },
});

const spec = {
  type: 'object',
  properties: {
    a: string,
    b: string,
    n: { ...integer, default: 3 },
    replicas: integer,
    sizeLimit: string,
    limits: strings,
    map: strings,
    whole: { ...strings, 'x-kubernetes-map-type': 'atomic' },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
    list: { type: 'array', items: string },
    keyed: keyed('name', { v: string, w: { ...string, default: 'd' }, map: strings }),
  },
};

const status = {
  type: 'object',
  properties: {
    ready: integer,
    replicas: integer,
    message: string,
    conditions: keyed('type', { status: string, reason: string }),
  },
};

const version = (name: string, storage: boolean): Fields => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
});

/** A CustomResourceDefinition. */
export interface Definition extends Fields {
  readonly metadata: { readonly name: string };
}

const definition = (plural: string, kind: string, versions: readonly Fields[]): Definition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions,
  },
});

/** Definitions of the custom resources. */
export const definitions: readonly Definition[] = [
  definition('things', 'Thing', [version('v1', true), version('v2', false)]),
  definition('owners', 'Owner', [version('v1', true)]),
];
