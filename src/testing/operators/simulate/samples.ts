/** Objects that the users of a simulation create. */
import type { KubernetesObject } from '@kgen/runtime';
import { type JsonObject, omit, putAt, text } from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import { samplesOfCustomResources } from '../custom-samples.ts';
import { type ClusterBase, idOf, SimulatedCluster } from './cluster.ts';

/** Objects that users create: those of `samplesOf`, or a list. */
export type SampleObjects =
  | readonly KubernetesObject[]
  | { readonly samples: readonly { readonly object: KubernetesObject }[] };

/** Objects of users, with the resources to which they belong. */
export interface Samples {
  readonly objects: readonly Sample[];
  /** Storage keys of the resources. */
  readonly resources: ReadonlySet<string>;
  /** Whether the caller has chosen them. */
  readonly areChosen: boolean;
}

/** An object, and the plural name of its resource. */
export interface Sample {
  readonly object: JsonObject;
  readonly plural: string;
}

/** Returns the objects that users create: those of the caller, or samples of the custom resources. */
export async function samplesIn(base: ClusterBase, source: SampleObjects | undefined): Promise<Samples> {
  const cluster = new SimulatedCluster(base, 0, () => undefined);
  const objects =
    source === undefined ? await samplesOfCustomResources(cluster.state.store) : objectsIn(source);
  if (objects.length === 0) throw new TypeError('simulate needs CRDs, or samples: objects that users create');
  const resources = new Set<string>();
  const placed = objects.map((value): Sample => {
    const json = copyOf(value);
    const type = cluster.typeOf(idOf(json));
    resources.add(type.storage);
    const namespace = text(json, 'metadata', 'namespace') || 'default';
    const own = omit(json, 'status');
    const object = type.namespaced ? putAt(own, ['metadata', 'namespace'], namespace) : own;
    return { object, plural: type.plural };
  });
  cluster.stop();
  return { objects: placed, resources, areChosen: source !== undefined };
}

function objectsIn(source: SampleObjects): readonly KubernetesObject[] {
  return 'samples' in source ? source.samples.map(({ object }) => object) : source;
}
