/** Persistent volumes and claims. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import { forbidden } from '../../errors/failures.ts';
import type { Failure } from '../../errors/status.ts';
import type { Store } from '../../store/store.ts';
import { quantityNanos } from '../builtin/quantity.ts';
import { affinityValues, nodeSelector } from './pods/spec.ts';
import { hostPath } from './pods/volumes.ts';
import {
  all,
  below,
  type Check,
  immutable,
  isEmpty,
  members,
  named,
  oneOf,
  optional,
  present,
  valid,
  whole,
} from './support/checks.ts';
import { dataSource, sameSource, withDataSources, withKnownSource } from './support/data-sources.ts';
import { type Fill, fill } from './support/fill.ts';
import { subdomainProblem } from './support/names.ts';
import type { Cluster, KindRules, KindWrite } from './support/rules.ts';
import { selector } from './support/selectors.ts';

/** Defaults of `spec` of claims and claim templates. */
export const claimSpecDefaults: Fill = { set: { volumeMode: 'Filesystem' } };

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const claimModes: Check = (value, path) =>
  isEmpty(value) ? [required(path, 'at least 1 access mode is required')] : modeErrors(strings(value), path);

function modeErrors(given: readonly string[], path: string): readonly FieldError[] {
  return [
    ...given.filter((mode) => !modes.includes(mode)).map((mode) => notSupported(path, mode, modes)),
    ...(given.includes('ReadWriteOncePod') && given.length > 1
      ? [forbiddenField(path, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ];
}

const storageRequest: Check = whole((value, path) => {
  const storage = own(object(value, 'requests'), 'storage');
  if (storage === undefined) return [required(`${path}[storage]`)];
  return positiveQuantity(storage, `${path}[storage]`);
});

function positiveQuantity(value: Json, path: string): readonly FieldError[] {
  return (quantityNanos(String(value)) ?? 0n) > 0n
    ? []
    : [invalidValue(path, String(value), 'must be greater than zero')];
}

const className = optional(valid((name) => (name === '' ? undefined : subdomainProblem(name))));

/** Validates `spec` of claims and claim templates. */
export const claimSpec: Check = all(
  sameSource,
  members({
    dataSource: optional(dataSource),
    dataSourceRef: optional(dataSource),
    accessModes: claimModes,
    selector: optional(selector),
    resources: storageRequest,
    storageClassName: className,
    volumeMode: optional(oneOf('Block', 'Filesystem')),
  }),
);

/** Adds the finalizer that protects an object while it is used. */
export function withProtection(value: JsonObject, finalizer: string): JsonObject {
  const finalizers = strings(value, 'metadata', 'finalizers');
  return finalizers.includes(finalizer)
    ? value
    : putAt(value, ['metadata', 'finalizers'], [...finalizers, finalizer]);
}

/** Returns the storage class of a claim or a volume; empty if it has none. */
export function classOfClaim(value: Json | undefined): string {
  return text(value, 'metadata', 'annotations', betaClass) || text(value, 'spec', 'storageClassName');
}

/** Returns the attribute classes that a claim or a volume uses. */
export function attributesClassesOf(value: JsonObject): readonly string[] {
  return [
    text(value, 'spec', 'volumeAttributesClassName'),
    text(value, 'status', 'currentVolumeAttributesClassName'),
    text(value, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
}

const betaClass = 'volume.beta.kubernetes.io/storage-class';

/** Returns whether a claim names a storage class, also if its name is empty. */
export function hasStorageClass(claim: JsonObject): boolean {
  return (
    own(object(claim, 'metadata', 'annotations'), betaClass) !== undefined ||
    typeof own(object(claim, 'spec'), 'storageClassName') === 'string'
  );
}

/** Returns the name of the newest storage class that is marked as the default, or `undefined`. */
export function defaultStorageClass(store: Store): string | undefined {
  const marked = store
    .list('storageclasses.storage.k8s.io')
    .filter(([, value]) => isDefaultClass(value))
    .map(([name, value]) => ({ name, created: text(value, 'metadata', 'creationTimestamp') }));
  return marked.reduce<(typeof marked)[number] | undefined>(
    (best, each) => (best === undefined || each.created > best.created ? each : best),
    undefined,
  )?.name;
}

function isDefaultClass(value: JsonObject): boolean {
  const notes = object(value, 'metadata', 'annotations');
  return ['', 'beta.'].some(
    (prefix) => own(notes, `storageclass.${prefix}kubernetes.io/is-default-class`) === 'true',
  );
}

const claims: KindRules = {
  defaults: (value) =>
    putAt(fill(value, { in: { spec: claimSpecDefaults } }), ['status'], {
      phase: 'Pending',
      ...object(value, 'status'),
    }),
  admit: (value, old, { store }) => {
    if (old !== undefined) return checkExpansion(value, old, store);
    const named = withProtection(value, 'kubernetes.io/pvc-protection');
    const className = hasStorageClass(named) ? undefined : defaultStorageClass(store);
    return className === undefined ? named : putAt(named, ['spec', 'storageClassName'], className);
  },
  create: (value) => ({
    ...value,
    spec: withDataSources(withKnownSource(object(value, 'spec'))),
    status: { phase: 'Pending' },
  }),
  check: members({ spec: claimSpec }),
  checkUpdate: claimUpdate,
};

type KindUpdate = KindWrite & { readonly old: JsonObject };

/**
 * Admission plugin PersistentVolumeClaimResize.
 * @throws {Failure} 403 if the class of a claim does not allow its expansion
 */
function checkExpansion(value: JsonObject, old: JsonObject, store: Store): JsonObject {
  if (requestOf(value) <= requestOf(old)) return value;
  const refuse = (why: string): Failure =>
    forbidden({ group: '', plural: 'persistentvolumeclaims' }, text(value, 'metadata', 'name'), why);
  if (text(old, 'status', 'phase') !== 'Bound')
    throw refuse('Only bound persistent volume claims can be expanded');
  const name = classOfClaim(value);
  const isAllowed =
    name !== '' &&
    name === classOfClaim(old) &&
    own(store.get('storageclasses.storage.k8s.io', name), 'allowVolumeExpansion') === true;
  if (isAllowed) return value;
  const condition = 'the storageclass that provisions the pvc must support resize';
  throw refuse(`only dynamically provisioned pvc can be resized and ${condition}`);
}

function requestOf(claim: JsonObject): bigint {
  return quantityNanos(text(claim, 'spec', 'resources', 'requests', 'storage')) ?? 0n;
}

function claimUpdate({ value, old }: KindUpdate): readonly FieldError[] {
  const [spec, before] = [object(value, 'spec'), object(old, 'spec')];
  const isBound = text(object(old, 'status'), 'phase') === 'Bound';
  const changeable = [
    'dataSource',
    'dataSourceRef',
    'resources',
    ...(text(before, 'volumeName') === '' ? ['volumeName'] : []),
    ...(hasStorageClass(old) ? [] : ['storageClassName']),
    ...(isBound ? ['volumeAttributesClassName'] : []),
  ];
  const fixed = (item: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(item).filter(([key]) => !changeable.includes(key)));
  const [size, sizeBefore] = [requestOf(value), requestOf(old)];
  const source = own(before, 'dataSourceRef');
  const isMoved = source !== undefined && !equal(own(spec, 'dataSourceRef') ?? null, source);
  return [
    ...(!equal(fixed(spec), fixed(before)) || isMoved || (!isBound && size !== sizeBefore)
      ? [
          forbiddenField(
            'spec',
            'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n',
          ),
        ]
      : []),
    ...(size < sizeBefore && size <= (quantityNanos(text(old, 'status', 'capacity', 'storage')) ?? 0n)
      ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : []),
    ...attributesClassUpdate(spec, before, text(old, 'status', 'currentVolumeAttributesClassName')),
  ];
}

/** A class that was applied can be replaced, and not removed. */
function attributesClassUpdate(spec: JsonObject, before: JsonObject, current: string): readonly FieldError[] {
  const [name, old] = [own(spec, 'volumeAttributesClassName'), own(before, 'volumeAttributesClassName')];
  if (current === '' || equal(name ?? null, old ?? null)) return [];
  if (name !== undefined && name !== null && name !== '') return [];
  const target = name === '' ? 'empty string' : 'nil';
  const why = `update to ${target} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbiddenField('spec.volumeAttributesClassName', why)];
}

const plain = [
  'accessModes',
  'capacity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeMode',
  'mountOptions',
  'nodeAffinity',
  'claimRef',
  'volumeAttributesClassName',
];

const volumeAffinity = optional(
  members({
    required: (value, path) =>
      isObject(value)
        ? [...nodeSelector(value, path), ...affinityValues(value, path)]
        : [required(path, 'must specify required node constraints')],
  }),
);

const volumeSpec: Check = whole((value, path) => {
  const capacity = object(value, 'capacity');
  const shown = isObject(own(value, 'capacity')) ? capacity : null;
  const sources = Object.keys(value).filter((key) => !plain.includes(key));
  return [
    ...(array(value, 'accessModes').length === 0
      ? [required(below(path, 'accessModes'))]
      : modeErrors(strings(value, 'accessModes'), below(path, 'accessModes'))),
    ...(Object.keys(capacity).length === 0 ? [required(below(path, 'capacity'))] : []),
    ...(own(capacity, 'storage') === undefined || Object.keys(capacity).length > 1
      ? [notSupported(below(path, 'capacity'), shown, ['storage'])]
      : []),
    ...Object.entries(capacity).flatMap(([name, item]) =>
      positiveQuantity(item, `${path}.capacity[${name}]`),
    ),
    ...optional(oneOf('Delete', 'Recycle', 'Retain'))(
      own(value, 'persistentVolumeReclaimPolicy'),
      below(path, 'persistentVolumeReclaimPolicy'),
    ),
    ...(sources.length === 0 ? [required(path, 'must specify a volume type')] : []),
    ...sources
      .slice(1)
      .map((name) => forbiddenField(below(path, name), 'may not specify more than 1 volume type')),
    ...optional(hostPath)(own(value, 'hostPath'), below(path, 'hostPath')),
    ...optional(members({ driver: named(subdomainProblem), volumeHandle: present() }))(
      own(value, 'csi'),
      below(path, 'csi'),
    ),
    ...volumeAffinity(own(value, 'nodeAffinity'), below(path, 'nodeAffinity')),
    ...className(own(value, 'storageClassName'), below(path, 'storageClassName')),
    ...optional(oneOf('Block', 'Filesystem'))(own(value, 'volumeMode'), below(path, 'volumeMode')),
  ];
});

const volumes: KindRules = {
  defaults: (value) =>
    putAt(
      fill(value, {
        in: {
          spec: {
            set: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
            in: {
              hostPath: {
                when: (source) => (own(source, 'type') === undefined ? { ...source, type: '' } : source),
              },
              iscsi: { set: { iscsiInterface: 'default' } },
              rbd: { set: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
              azureDisk: {
                set: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
              },
              scaleIO: { set: { storageMode: 'ThinProvisioned', fsType: 'xfs' } },
            },
          },
        },
      }),
      ['status'],
      { phase: 'Pending', ...object(value, 'status') },
    ),
  admit: (value, old) => (old === undefined ? withProtection(value, 'kubernetes.io/pv-protection') : value),
  create: (value, cluster) => ({
    ...value,
    status: { phase: 'Pending', lastPhaseTransitionTime: cluster.now() },
  }),
  updateStatus: withTransition,
  check: members({ spec: volumeSpec }),
  checkUpdate: ({ value, old }) => {
    const source = (item: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(object(item, 'spec')).filter(([key]) => !plain.includes(key)));
    if (!equal(source(value), source(old))) {
      return [
        forbiddenField(
          'spec.persistentvolumesource',
          'spec.persistentvolumesource is immutable after creation\n',
        ),
      ];
    }
    const [spec, before] = [object(value, 'spec'), object(old, 'spec')];
    return [
      ...affinityUpdate(own(spec, 'nodeAffinity') ?? null, own(before, 'nodeAffinity') ?? null),
      ...immutable('spec.volumeMode', own(spec, 'volumeMode'), own(before, 'volumeMode')),
    ];
  },
};

/** Labels of nodes that have other names since. */
const betaLabels: readonly (readonly [beta: string, stable: string])[] = [
  ['failure-domain.beta.kubernetes.io/', 'topology.kubernetes.io/'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ['beta.kubernetes.io/', 'kubernetes.io/'],
];

/** The nodes of a volume do not change, apart from new names of their labels. */
function affinityUpdate(value: Json, old: Json): readonly FieldError[] {
  const renamed = betaLabels.reduce(
    (all, [beta, stable]) => all.replaceAll(`"key":"${beta}`, `"key":"${stable}`),
    JSON.stringify(old),
  );
  if (old === null || equal(value, old) || JSON.stringify(value) === renamed) return [];
  const detail = 'field is immutable, except for updating from beta label to GA';
  return [invalidValue('nodeAffinity', value, detail)];
}

/** A new phase has the time of its begin, unless the client sets one. */
function withTransition(value: JsonObject, old: JsonObject, cluster: Cluster): JsonObject {
  const [status, before] = [object(value, 'status'), object(old, 'status')];
  const [time, timeBefore] = [own(status, transition), own(before, transition)];
  if (text(status, 'phase') !== text(before, 'phase')) {
    const isSet = typeof time === 'string' && time !== timeBefore;
    return isSet ? value : putAt(value, ['status', transition], cluster.now());
  }
  return typeof time === 'string' || timeBefore === undefined
    ? value
    : putAt(value, ['status', transition], timeBefore);
}

const transition = 'lastPhaseTransitionTime';

/** Rules by storage key. */
export const claimRules: Readonly<Record<string, KindRules>> = {
  persistentvolumeclaims: claims,
  persistentvolumes: volumes,
};
