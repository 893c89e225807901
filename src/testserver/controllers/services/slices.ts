/** EndpointSlices of services: labels, names, and the keys of services that their changes concern. */
import { type JsonObject, text } from '@kgen/schema/values/json';
import { namespaceOf } from '../../store/object-facts.ts';
import type { Change } from '../../store/store.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import { endpointSlices } from '../workloads/paths.ts';
import { hashOf } from '../workloads/values.ts';

export const serviceLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** Annotation with the time of the change that caused a write of Endpoints or a slice. */
export const triggerKey = 'endpoints.kubernetes.io/last-change-trigger-time';
export const lastAppliedKey = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the slices of a service that a controller manages. */
export function managedSlices(
  cluster: Cluster,
  namespace: string,
  service: string,
  manager: string,
): readonly JsonObject[] {
  return cluster
    .list(endpointSlices, namespace)
    .filter((slice) => text(slice, 'metadata', 'labels', serviceLabel) === service)
    .filter((slice) => text(slice, 'metadata', 'labels', managedByLabel) === manager);
}

/** Returns the keys of the services whose slice was changed or deleted, before and after the change. */
export function sliceKeys({ resource, object: value, previous }: Change, manager: string): readonly string[] {
  if (resource !== storageOf(endpointSlices)) return [];
  const states = [value, previous].filter((slice) => slice !== undefined);
  const keys = states
    .filter((slice) => text(slice, 'metadata', 'labels', managedByLabel) === manager)
    .map((slice) => keyOf(namespaceOf(slice), text(slice, 'metadata', 'labels', serviceLabel)));
  return [...new Set(keys)];
}

/** Returns a name for a new slice, which no slice has: not even one whose labels a client changed. */
export function sliceName(cluster: Cluster, namespace: string, service: string, seed: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const name = `${service}-${hashOf(seed, attempt).slice(0, 5)}`;
    if (cluster.get(endpointSlices, keyOf(namespace, name)) === undefined) return name;
  }
}
