/** Controller of claims and volumes: binds them, and reclaims volumes whose claims are deleted. */
import { type JsonObject, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { classOfClaim, defaultStorageClass, hasStorageClass } from '../../resources/kinds/claims.ts';
import { nameOf, namespaceOf } from '../../store/object-facts.ts';
import type { Change } from '../../store/store.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { nodes, pods, storageClasses, volumeClaims, volumes } from '../workloads/paths.ts';
import { claimsOf, consumersOf } from './consumers.ts';
import {
  annotations,
  bestVolume,
  claimReference,
  hasAnnotation,
  hasMode,
  isBoundTo,
  isReachable,
  satisfies,
  waitsForConsumer,
} from './matching.ts';
import { reclaim } from './reclaiming.ts';
import { bind, setClaimStatus, setPhase, unbind, withAnnotations } from './writes.ts';

/** Binds claims to volumes, and reports the phases of both. */
export const volumeController: Controller = {
  name: 'persistentVolumes',
  keys: (change, cluster) => [
    ...relatedClaims(change, cluster).map((key) => `claim ${key}`),
    ...relatedVolumes(change, cluster).map((key) => `volume ${key}`),
  ],
  *reconcile(id, cluster) {
    const [kind = '', key = ''] = id.split(' ');
    if (kind === 'claim') yield* syncClaim(cluster, key);
    else yield* syncVolume(cluster, key);
  },
};

function relatedClaims(change: Change, cluster: Cluster): readonly string[] {
  const { resource, key, object: value } = change;
  if (resource === storageOf(volumeClaims)) return [key];
  if (resource === storageOf(pods)) {
    return text(value, 'spec', 'nodeName') === ''
      ? []
      : claimsOf(value).map(({ name }) => keyOf(namespaceOf(value), name));
  }
  if (resource === storageOf(volumes)) {
    const bound = claimReference(value);
    const own = bound === undefined ? [] : [keyOf(text(bound, 'namespace'), text(bound, 'name'))];
    return [...new Set([...own, ...pendingClaims(cluster)])];
  }
  return resource === storageOf(storageClasses) ? pendingClaims(cluster) : [];
}

function pendingClaims(cluster: Cluster): readonly string[] {
  return cluster
    .list(volumeClaims)
    .filter((claim) => !hasAnnotation(claim, annotations.bindCompleted))
    .map((claim) => keyOf(namespaceOf(claim), nameOf(claim)));
}

function relatedVolumes({ resource, key, object: value }: Change, cluster: Cluster): readonly string[] {
  if (resource === storageOf(volumes)) return [key];
  if (resource !== storageOf(volumeClaims)) return [];
  return cluster
    .list(volumes)
    .filter((volume) => {
      const reference = claimReference(volume);
      return text(reference, 'name') === nameOf(value) && text(reference, 'namespace') === namespaceOf(value);
    })
    .map(nameOf);
}

function* syncClaim(cluster: Cluster, key: string): Verb<void> {
  const claim = cluster.get(volumeClaims, key);
  if (claim === undefined) return;
  const volumeName = text(claim, 'spec', 'volumeName');
  const volume = volumeName === '' ? undefined : cluster.get(volumes, volumeName);
  if (hasAnnotation(claim, annotations.bindCompleted)) yield* syncBoundClaim(cluster, claim, volume);
  else if (volumeName === '') yield* findVolume(cluster, claim);
  else yield* bindToNamed(cluster, claim, volume);
}

/** A claim that has lost its volume never recovers by itself. */
function* syncBoundClaim(cluster: Cluster, claim: JsonObject, volume: JsonObject | undefined): Verb<void> {
  const reference = volume === undefined ? undefined : claimReference(volume);
  const isMine = reference === undefined || text(reference, 'uid') === text(claim, 'metadata', 'uid');
  if (volume !== undefined && isMine) yield* bind(cluster, volume, claim);
  else if (text(claim, 'status', 'phase') !== 'Lost') yield* setClaimStatus(cluster, claim, 'Lost');
}

function* bindToNamed(cluster: Cluster, claim: JsonObject, volume: JsonObject | undefined): Verb<void> {
  const isFree = volume !== undefined && claimReference(volume) === undefined;
  if (volume !== undefined && (isFree ? satisfies(volume, claim) : isBoundTo(volume, claim))) {
    yield* bind(cluster, volume, claim);
  } else yield* setClaimStatus(cluster, claim, 'Pending');
}

function* findVolume(cluster: Cluster, claim: JsonObject): Verb<void> {
  const className = classOfClaim(claim);
  const storageClass = className === '' ? undefined : cluster.get(storageClasses, className);
  const isDelayed = waitsForConsumer(storageClass);
  const node = isDelayed ? nodeOfConsumer(cluster, claim) : '';
  const volume = bestVolume(claim, volumesFor(cluster, node), isDelayed && node === '');
  if (volume !== undefined) {
    yield* bind(cluster, volume, claim);
    return;
  }
  const byDefault = hasStorageClass(claim) ? undefined : defaultStorageClass(cluster.state.store);
  if (byDefault !== undefined) {
    yield* cluster.update(volumeClaims, putAt(claim, ['spec', 'storageClassName'], byDefault));
  } else if (className === '') {
    yield* setClaimStatus(cluster, claim, 'Pending');
  } else if (storageClass !== undefined) {
    yield* requestVolume(cluster, claim, text(storageClass, 'provisioner'), isDelayed ? node : undefined);
  }
}

/** Returns the volumes that can be used on a node, or all of them without one. */
function volumesFor(cluster: Cluster, name: string): readonly JsonObject[] {
  const node = name === '' ? undefined : cluster.get(nodes, name);
  const all = cluster.list(volumes);
  return node === undefined ? all : all.filter((volume) => isReachable(volume, node));
}

/** Returns the node of a Pod that uses a claim; empty before one is scheduled. */
function nodeOfConsumer(cluster: Cluster, claim: JsonObject): string {
  const selected = text(claim, 'metadata', 'annotations', annotations.selectedNode);
  if (selected !== '') return selected;
  const names = consumersOf(cluster, claim).map((pod) => text(pod, 'spec', 'nodeName'));
  return names.find((name) => name !== '') ?? '';
}

/**
 * Requests a volume from the provisioner of a class.
 * @param node of the first consumer, for a class that waits for it; empty while there is none
 */
function* requestVolume(
  cluster: Cluster,
  claim: JsonObject,
  provisioner: string,
  node: string | undefined,
): Verb<void> {
  const driver = driverOf(provisioner);
  if (driver === undefined || node === '') return;
  const requested = withAnnotations(claim, {
    ...(node === undefined ? {} : { [annotations.selectedNode]: node }),
    [annotations.betaProvisioner]: driver,
    [annotations.provisioner]: driver,
  });
  if (requested !== claim) yield* cluster.update(volumeClaims, requested);
}

/** Drivers that replaced the provisioners inside Kubernetes. */
const migrated: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

/** Returns the driver that provisions volumes, or `undefined` for a class of volumes that people create. */
function driverOf(provisioner: string): string | undefined {
  return migrated.get(provisioner) ?? (provisioner.startsWith('kubernetes.io/') ? undefined : provisioner);
}

function* syncVolume(cluster: Cluster, name: string): Verb<void> {
  const volume = cluster.get(volumes, name);
  if (volume === undefined) return;
  const reference = claimReference(volume);
  const uid = text(reference, 'uid');
  if (reference === undefined || uid === '') {
    yield* setPhase(cluster, volume, 'Available');
    return;
  }
  const found = cluster.get(volumeClaims, keyOf(text(reference, 'namespace'), text(reference, 'name')));
  const claim = text(found, 'metadata', 'uid') === uid ? found : undefined;
  const boundName = text(claim, 'spec', 'volumeName');
  const isProvisioned =
    hasAnnotation(volume, annotations.provisionedBy) &&
    text(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete';
  if (claim === undefined || (boundName !== '' && boundName !== name && isProvisioned)) {
    yield* reclaim(cluster, volume);
  } else if (boundName === name) yield* setPhase(cluster, volume, 'Bound');
  else if (boundName !== '') yield* unbind(cluster, volume);
  else if (hasMode(volume, claim)) yield* syncClaim(cluster, keyOf(namespaceOf(claim), nameOf(claim)));
}
