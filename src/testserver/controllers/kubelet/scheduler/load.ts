/** Pods of a cluster by node, kept up to date with every change. */

import { array, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { isDeleting, nameOf, namespaceOf } from '../../../store/object-facts.ts';
import type { Cluster } from '../../cluster.ts';
import { pods } from '../../workloads/paths.ts';
import { isFinished, number } from '../../workloads/values.ts';
import { requiredTerms } from './node-affinity.ts';
import { type Amounts, combined, requestsOf } from './resources.ts';

/** Pods of one node. */
export interface NodeLoad {
  readonly pods: ReadonlyMap<string, JsonObject>;
  readonly count: number;
  readonly requested: Amounts;
}

const unused: NodeLoad = { pods: new Map(), count: 0, requested: new Map() };

/** A pod on a node, or one that waits for a node. */
interface Place {
  readonly pod: JsonObject;
  readonly node: string;
  readonly requests: Amounts;
}

interface MutableLoad {
  readonly pods: Map<string, JsonObject>;
  readonly requested: Map<string, bigint>;
}

/** The pods that count for the scheduler: those that have not ended. */
export class PodPlaces {
  readonly #places = new Map<string, Place>();
  readonly #nodes = new Map<string, MutableLoad>();
  readonly #waiting = new Map<string, JsonObject>();
  /** Those of the waiting pods that depend on the places of others. */
  readonly #related = new Map<string, JsonObject>();
  /** Those of the waiting pods that preempt others. */
  readonly #nominees = new Map<string, JsonObject>();
  readonly #exclusive = new Map<string, JsonObject>();

  constructor(cluster: Cluster) {
    for (const pod of cluster.list(pods)) this.update(pod);
  }

  /** Records the state of a pod. */
  update(pod: JsonObject): void {
    const uid = text(pod, 'metadata', 'uid');
    const known = this.#places.get(uid);
    const node = isFinished(pod) ? '' : text(pod, 'spec', 'nodeName');
    if (node === '' && !isFinished(pod)) this.#wait(uid, pod);
    else this.#forget(uid);
    if (known !== undefined && known.node === node) {
      this.#keep(uid, known, pod);
      return;
    }
    if (known !== undefined) this.#leave(uid, known);
    if (node !== '') this.#enter(uid, { pod, node, requests: requestsOf(pod) });
  }

  remove(pod: JsonObject): void {
    const uid = text(pod, 'metadata', 'uid');
    const known = this.#places.get(uid);
    this.#forget(uid);
    if (known !== undefined) this.#leave(uid, known);
  }

  #wait(uid: string, pod: JsonObject): void {
    this.#waiting.set(uid, pod);
    if (isRelated(pod)) this.#related.set(uid, pod);
    if (text(pod, 'status', 'nominatedNodeName') !== '') this.#nominees.set(uid, pod);
  }

  #forget(uid: string): void {
    this.#waiting.delete(uid);
    this.#related.delete(uid);
    this.#nominees.delete(uid);
  }

  /** Replaces the state of a pod that stays on its node. */
  #keep(uid: string, known: Place, pod: JsonObject): void {
    const isSame = own(known.pod, 'spec') === own(pod, 'spec');
    if (!isSame) {
      this.#leave(uid, known);
      this.#enter(uid, { pod, node: known.node, requests: requestsOf(pod) });
      return;
    }
    this.#places.set(uid, { ...known, pod });
    this.#nodes.get(known.node)?.pods.set(uid, pod);
    if (this.#exclusive.has(uid)) this.#exclusive.set(uid, pod);
  }

  #enter(uid: string, place: Place): void {
    this.#places.set(uid, place);
    const load = this.#nodes.get(place.node) ?? { pods: new Map(), requested: new Map() };
    load.pods.set(uid, place.pod);
    for (const [name, each] of place.requests)
      load.requested.set(name, (load.requested.get(name) ?? 0n) + each);
    this.#nodes.set(place.node, load);
    if (array(place.pod, 'spec', 'affinity', 'podAntiAffinity', requiredTerms).length > 0)
      this.#exclusive.set(uid, place.pod);
  }

  #leave(uid: string, { node, requests }: Place): void {
    this.#places.delete(uid);
    this.#exclusive.delete(uid);
    const load = this.#nodes.get(node);
    load?.pods.delete(uid);
    for (const [name, each] of requests) load?.requested.set(name, (load.requested.get(name) ?? 0n) - each);
  }

  /** Returns the pods of a node. */
  of(node: string): NodeLoad {
    const load = this.#nodes.get(node);
    return load === undefined
      ? unused
      : { pods: load.pods, count: load.pods.size, requested: load.requested };
  }

  /** Returns whether a pod on a node excludes others. */
  get hasExclusive(): boolean {
    return this.#exclusive.size > 0;
  }

  /** Returns the keys of the pods without a node: the highest priority first, then the oldest. */
  waiting(): readonly string[] {
    if (this.#waiting.size === 0) return [];
    return [...this.#waiting.values()]
      .map((pod, index) => ({ pod, index }))
      .sort((a, b) => priorityOf(b.pod) - priorityOf(a.pod) || a.index - b.index)
      .map(({ pod }) => keyOfPod(pod));
  }

  /** Returns the keys of the pods of a namespace without a node. */
  waitingIn(namespace: string): readonly string[] {
    return this.waiting().filter((key) => key.startsWith(`${namespace}/`));
  }

  /** Returns the keys of the waiting pods that depend on the places of others. */
  waitingForPods(): readonly string[] {
    return [...this.#related.values()].map(keyOfPod);
  }

  /** Returns the keys of the pods on a node. */
  keysOn(node: string): readonly string[] {
    return [...this.of(node).pods.values()].map(keyOfPod);
  }

  /** Returns the waiting pods that preempted others on a node, with at least the priority of `pod`. */
  nominated(node: string, pod: JsonObject): readonly JsonObject[] {
    return [...this.#nominees.values()].filter(
      (each) =>
        text(each, 'status', 'nominatedNodeName') === node &&
        text(each, 'metadata', 'uid') !== text(pod, 'metadata', 'uid') &&
        priorityOf(each) >= priorityOf(pod) &&
        !isDeleting(each),
    );
  }
}

function keyOfPod(pod: JsonObject): string {
  return `${namespaceOf(pod)}/${nameOf(pod)}`;
}

/** Returns whether the place of a pod depends on those of others. */
export function isRelated(pod: JsonObject): boolean {
  const spec = object(pod, 'spec');
  const affinity = object(spec, 'affinity');
  return (
    array(spec, 'topologySpreadConstraints').length > 0 ||
    own(affinity, 'podAffinity') !== undefined ||
    own(affinity, 'podAntiAffinity') !== undefined
  );
}

/** Returns the priority of a pod. */
export function priorityOf(pod: JsonObject): number {
  return number(pod, 0, 'spec', 'priority');
}

/** Returns the load without some pods, and with others. */
export function changedLoad(
  load: NodeLoad,
  without: readonly JsonObject[],
  more: readonly JsonObject[] = [],
): NodeLoad {
  if (without.length === 0 && more.length === 0) return load;
  const left = new Map(load.pods);
  let { requested } = load;
  for (const pod of without) {
    left.delete(text(pod, 'metadata', 'uid'));
    requested = combined(requested, requestsOf(pod), (a, b) => a - b);
  }
  for (const pod of more) {
    left.set(text(pod, 'metadata', 'uid'), pod);
    requested = combined(requested, requestsOf(pod), (a, b) => a + b);
  }
  return { pods: left, count: left.size, requested };
}

/** Returns a label of a node. */
export function labelOf(node: JsonObject, key: string): string | undefined {
  const found = own(object(node, 'metadata', 'labels'), key);
  return typeof found === 'string' ? found : undefined;
}
