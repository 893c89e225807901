/** Drivers of volumes without storage: they create, expand and delete volumes as CSI drivers do. */
import { compact, equal, type JsonObject, object, own, putAt, strings, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { classOfClaim } from '../../resources/kinds/claims.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { withFinalizers } from '../../verbs/deletion.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { withoutFinalizer } from '../workloads/ownership.ts';
import { storageClasses, volumeAttributesClasses, volumeClaims, volumes } from '../workloads/paths.ts';
import { annotation, annotations, hasAnnotation, storageIn } from './matching.ts';
import { referenceTo } from './writes.ts';

/** Holds a volume until its driver has deleted the storage. */
const finalizer = 'external-provisioner.volume.kubernetes.io/finalizer';

/** Provisions volumes for claims of every StorageClass with a driver. */
export const provisioner: Controller = {
  name: 'volumeProvisioner',
  keys: ({ resource, key }, cluster) => {
    if (resource === storageOf(volumeClaims)) return [`claim ${key}`];
    if (resource === storageOf(volumes)) return [`volume ${key}`];
    return resource === storageOf(volumeAttributesClasses) ? allClaims(cluster) : [];
  },
  *reconcile(id, cluster) {
    const [kind = '', key = ''] = id.split(' ');
    if (kind === 'volume') yield* syncVolume(cluster, key);
    else yield* syncClaim(cluster, key);
  },
};

function allClaims(cluster: Cluster): readonly string[] {
  return cluster.list(volumeClaims).map((claim) => `claim ${keyOf(namespaceOf(claim), nameOf(claim))}`);
}

function* syncClaim(cluster: Cluster, key: string): Verb<void> {
  const claim = cluster.get(volumeClaims, key);
  if (claim === undefined || isDeleting(claim)) return;
  const driver = annotation(claim, annotations.provisioner);
  const storageClass = cluster.get(storageClasses, classOfClaim(claim));
  const volumeName = text(claim, 'spec', 'volumeName');
  if (volumeName === '') {
    if (driver === '' || storageClass === undefined) return;
    if (cluster.get(volumes, volumeNameOf(claim)) !== undefined) return;
    yield* cluster.create(volumes, volumeFor(claim, storageClass, driver));
  } else if (text(claim, 'status', 'phase') === 'Bound') {
    const volume = cluster.get(volumes, volumeName);
    if (volume !== undefined && text(volume, 'spec', 'csi', 'driver') !== '') {
      yield* modify(cluster, claim, volume);
    }
  }
}

function volumeNameOf(claim: JsonObject): string {
  return `pvc-${text(claim, 'metadata', 'uid')}`;
}

function volumeFor(claim: JsonObject, storageClass: JsonObject, driver: string): JsonObject {
  const name = volumeNameOf(claim);
  const { accessModes = [], resources = {}, volumeMode = 'Filesystem' } = object(claim, 'spec');
  const policy = text(storageClass, 'reclaimPolicy') || 'Delete';
  const fsType = text(storageClass, 'parameters', 'csi.storage.k8s.io/fstype') || 'ext4';
  return {
    metadata: {
      name,
      annotations: { [annotations.provisionedBy]: driver },
      ...(policy === 'Delete' ? { finalizers: [finalizer] } : {}),
    },
    spec: compact({
      accessModes,
      capacity: { storage: own(object(resources, 'requests'), 'storage') ?? '0' },
      claimRef: referenceTo(claim),
      csi: { driver, volumeHandle: name, ...(volumeMode === 'Block' ? {} : { fsType }) },
      mountOptions: own(storageClass, 'mountOptions'),
      persistentVolumeReclaimPolicy: policy,
      storageClassName: nameOf(storageClass),
      volumeAttributesClassName: own(object(claim, 'spec'), 'volumeAttributesClassName'),
      volumeMode,
    }),
  };
}

/** Expands a volume to the size that its claim requests, and gives it the attributes class of the claim. */
function* modify(cluster: Cluster, claim: JsonObject, volume: JsonObject): Verb<void> {
  const [sized, capacity] = expanded(claim, volume);
  const [next, className] = withAttributes(cluster, claim, sized);
  if (!equal(next, volume)) yield* cluster.update(volumes, next);
  const before = object(claim, 'status');
  const status = { ...before, ...capacity, ...className };
  if (!equal(before, status)) yield* cluster.updateStatus(volumeClaims, claim, status);
}

type Modified = readonly [volume: JsonObject, status: JsonObject];

function expanded(claim: JsonObject, volume: JsonObject): Modified {
  const requests = object(claim, 'spec', 'resources', 'requests');
  if (storageIn(requests) <= storageIn(object(claim, 'status', 'capacity'))) return [volume, {}];
  const capacity = { storage: own(requests, 'storage') ?? '0' };
  const isSmaller = storageIn(object(volume, 'spec', 'capacity')) < storageIn(requests);
  return [isSmaller ? putAt(volume, ['spec', 'capacity'], capacity) : volume, { capacity }];
}

function withAttributes(cluster: Cluster, claim: JsonObject, volume: JsonObject): Modified {
  const name = text(claim, 'spec', 'volumeAttributesClassName');
  if (name === '' || name === text(claim, 'status', 'currentVolumeAttributesClassName')) return [volume, {}];
  const driver = text(cluster.get(volumeAttributesClasses, name), 'driverName');
  if (driver !== text(volume, 'spec', 'csi', 'driver')) return [volume, {}];
  return [
    putAt(volume, ['spec', 'volumeAttributesClassName'], name),
    { currentVolumeAttributesClassName: name },
  ];
}

/** Deletes a released volume, and holds one that is to be deleted with its storage. */
function* syncVolume(cluster: Cluster, name: string): Verb<void> {
  const volume = cluster.get(volumes, name);
  if (volume === undefined || !hasAnnotation(volume, annotations.provisionedBy)) return;
  const isDeleted = text(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete';
  const isReleased = text(volume, 'status', 'phase') === 'Released';
  const finalizers = strings(volume, 'metadata', 'finalizers');
  const isHeld = finalizers.includes(finalizer);
  if (isDeleted && isReleased && !isDeleting(volume)) yield* cluster.remove(volumes, volume);
  else if (isHeld && (!isDeleted || (isReleased && isDeleting(volume)))) {
    yield* cluster.update(volumes, withoutFinalizer(volume, finalizer));
  } else if (isDeleted && !isHeld && !isDeleting(volume)) {
    yield* cluster.update(volumes, withFinalizers(volume, [...finalizers, finalizer]));
  }
}
