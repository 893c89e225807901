/** The labels that field selectors support, by kind, with the messages about others. */
import type { ResourceType } from '../resources/type.ts';

/** A field that can be selected. */
export interface SelectableField {
  /** The label after conversion to that of the server's own representation. */
  readonly label: string;
  /** Paths of keys from the root: the first one with a value counts. None for a field that is never set. */
  readonly paths: readonly (readonly string[])[];
  /** The value if the field is absent. */
  readonly otherwise: string;
}

/** Supported labels of one kind. */
export interface FieldLabels {
  readonly fields: ReadonlyMap<string, SelectableField>;
  /** Returns the message about an unsupported label. */
  readonly unsupported: (label: string) => string;
}

const cache = new WeakMap<ResourceType, FieldLabels>();

/** Returns the labels of a kind. */
export function fieldLabels(type: ResourceType): FieldLabels {
  const known = cache.get(type);
  if (known !== undefined) return known;
  const labels = labelsOf(type);
  cache.set(type, labels);
  return labels;
}

/**
 * Labels besides `metadata.name`, in the notation of `parseLabel`, and whether `metadata.namespace` is
 * missing too.
 */
interface BuiltIn {
  readonly labels: readonly string[];
  readonly clusterScoped?: boolean;
  readonly unsupported?: (label: string) => string;
}

function labelsOf(type: ResourceType): FieldLabels {
  const metadata = type.namespaced ? ['metadata.name', 'metadata.namespace'] : ['metadata.name'];
  if (type.strategy === 'custom') return toLabels([...metadata, ...type.selectable], notSupported);
  const known = builtIn[`${type.apiVersion} ${type.kind}`];
  if (known === undefined) return toLabels(['metadata.name', 'metadata.namespace'], notKnown);
  const common = known.clusterScoped === true ? ['metadata.name'] : ['metadata.name', 'metadata.namespace'];
  return toLabels([...common, ...known.labels], known.unsupported ?? notSupported);
}

function notSupported(label: string): string {
  return `field label not supported: ${label}`;
}

function notKnown(label: string): string {
  return `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function toLabels(labels: readonly string[], unsupported: FieldLabels['unsupported']): FieldLabels {
  return { fields: new Map(labels.map(parseLabel)), unsupported };
}

/**
 * Parses `label`, or `label->path,path` for a field in other places, each with `=value` for the value of an
 * absent field. `label->` is a field that is never set.
 */
function parseLabel(notation: string): [string, SelectableField] {
  const [front = '', otherwise = ''] = notation.split('=');
  const [label = '', places = label] = front.split('->');
  const paths = places === '' ? [] : places.split(',').map((path) => path.split('.'));
  return [label, { label: paths[0]?.join('.') ?? label, paths, otherwise }];
}

const events = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const signer: BuiltIn = { clusterScoped: true, labels: ['spec.signerName'] };
const slices: BuiltIn = {
  clusterScoped: true,
  labels: ['spec.nodeName', 'spec.driver'],
  unsupported: (label) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${label}`,
};

/** As registered by the conversions of the API groups of Kubernetes 1.36, by version and kind. */
const builtIn: Readonly<Record<string, BuiltIn>> = {
  'v1 Pod': {
    labels: [
      'spec.nodeName',
      'spec.host->spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork=false',
      'status.phase',
      'status.podIP',
      'status.podIPs->',
      'status.nominatedNodeName',
    ],
  },
  'v1 Node': { clusterScoped: true, labels: ['spec.unschedulable=false'] },
  'v1 ReplicationController': { labels: ['status.replicas=0'] },
  'v1 Event': {
    labels: [
      ...events.map((name) => `involvedObject.${name}`),
      'reason',
      'reportingComponent',
      'source->source.component,reportingComponent',
      'type',
    ],
  },
  'events.k8s.io/v1 Event': {
    labels: [...events.map((name) => `regarding.${name}`), 'reason', 'reportingController', 'type'],
  },
  'v1 Namespace': { clusterScoped: true, labels: ['status.phase'] },
  'v1 Secret': { labels: ['type'] },
  'v1 Service': { labels: ['spec.clusterIP', 'spec.type'] },
  'batch/v1 Job': {
    labels: ['status.successful->status.succeeded=0'],
    unsupported: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  },
  'certificates.k8s.io/v1 CertificateSigningRequest': signer,
  'certificates.k8s.io/v1beta1 ClusterTrustBundle': signer,
  'certificates.k8s.io/v1alpha1 ClusterTrustBundle': signer,
  'resource.k8s.io/v1 ResourceSlice': slices,
};
