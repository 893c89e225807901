/** Reclaim policies of volumes whose claims are deleted. */
import { type JsonObject, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { nameOf } from '../../store/object-facts.ts';
import type { Cluster } from '../cluster.ts';
import { volumes } from '../workloads/paths.ts';
import { annotations, hasAnnotation } from './matching.ts';
import { setPhase, unbind } from './writes.ts';

/** Reports a volume as released, and recycles or deletes it if its policy requires that. */
export function* reclaim(cluster: Cluster, volume: JsonObject): Verb<void> {
  const isReported = ['Released', 'Failed'].includes(text(volume, 'status', 'phase'));
  const released = isReported ? volume : yield* setPhase(cluster, volume, 'Released');
  const policy = text(volume, 'spec', 'persistentVolumeReclaimPolicy');
  if (policy === 'Recycle') yield* recycle(cluster, released);
  else if (policy === 'Delete' && !hasOwnDriver(volume)) yield* remove(cluster, released);
}

/** The volumes of drivers are deleted by their provisioner. */
function hasOwnDriver(volume: JsonObject): boolean {
  const { spec = {} } = volume;
  return hasAnnotation(volume, annotations.provisionedBy) || own(spec, 'csi') !== undefined;
}

function* recycle(cluster: Cluster, volume: JsonObject): Verb<void> {
  const { spec = {} } = volume;
  if (['hostPath', 'nfs'].some((source) => own(spec, source) !== undefined)) yield* unbind(cluster, volume);
  else yield* setPhase(cluster, volume, 'Failed', 'No recycler plugin found for the volume!');
}

function* remove(cluster: Cluster, volume: JsonObject): Verb<void> {
  const problem = deletionProblem(volume);
  if (problem === undefined) yield* cluster.remove(volumes, volume);
  else yield* setPhase(cluster, volume, 'Failed', problem);
}

/** Returns why Kubernetes itself cannot delete a volume: it only can delete folders in `/tmp` of one node. */
function deletionProblem(volume: JsonObject): string | undefined {
  const { spec = {} } = volume;
  const hostPath = own(spec, 'hostPath');
  if (hostPath !== undefined) {
    const path = text(hostPath, 'path');
    if (/\/tmp\/.+/.test(path)) return undefined;
    return `host_path deleter only supports /tmp/.+ but received provided ${path}`;
  }
  const isNamed = ['nfs', 'local'].some((source) => own(spec, source) !== undefined);
  const reason = isNamed ? 'no deletable volume plugin matched' : 'no volume plugin matched';
  return `error getting deleter volume plugin for volume ${JSON.stringify(nameOf(volume))}: ${reason}`;
}
