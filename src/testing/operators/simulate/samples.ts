/** Objects that the users of a simulation create. */
import type { KubernetesObject } from '@kgen/runtime';
import { type JsonObject, omit, putAt, text } from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import { samplesOfCustomResources } from '../custom-samples.ts';
import { type ClusterBase, idOf, SimulatedCluster } from './cluster.ts';
import { isWrite } from './history.ts';
import { createdIn } from './run/elsewhere.ts';
import { edited, editsOf, kindOf, type UserEdit } from './schedule/edits.ts';
import { triedEdits } from './schedule/exploration.ts';
import type { Access } from './schedule/schedule.ts';

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

/** Returns changes that the server accepts, of the first objects of each kind. */
export async function acceptedEdits(
  base: ClusterBase,
  kinds: ReadonlyMap<string, JsonObject>,
  samples: readonly JsonObject[],
): Promise<ReadonlyMap<string, readonly UserEdit[]>> {
  const cluster = new SimulatedCluster(base, 0, () => undefined);
  const accepted = new Map<string, readonly UserEdit[]>();
  for (const [kind, value] of kinds) {
    const edits: UserEdit[] = [];
    for (const edit of triedEdits(value, editsOf(samples.filter((each) => kindOf(each) === kind))))
      if (await cluster.accepts(edited(value, edit))) edits.push(edit);
    accepted.set(kind, edits);
  }
  cluster.stop();
  return accepted;
}

/**
 * Returns the Secrets and ConfigMaps of a cluster that an operator reads, as a user would create them.
 * @param base `undefined` for a cluster without objects of users
 */
export function referencesIn(
  base: ClusterBase | undefined,
  accesses: readonly Access[],
): readonly JsonObject[] {
  const read = new Set(accesses.flatMap(({ verb, resource }) => (isWrite(verb) ? [] : [resource])));
  return ['configmaps', 'secrets'].flatMap((resource) => {
    const entries = (read.has(resource) ? base?.content.get(resource) : undefined) ?? [];
    return entries.flatMap(([, value]) => {
      const { namespace, name } = idOf(value);
      const isSystem = name === 'kube-root-ca.crt' || namespace.startsWith('kube-');
      return isSystem ? [] : [createdIn(value, namespace)];
    });
  });
}
