/** Processes and times of pods and nodes that no object of the cluster records. */

import { array, equal, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { nameOf } from '../../store/object-facts.ts';
import type { Change } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { isFinished } from '../workloads/values.ts';
import type { RecordEvent } from './events.ts';
import { PodProcess } from './pods/pod-process.ts';
import type { PodRule } from './rules.ts';
import { PodPlaces } from './scheduler/load.ts';
import { serveProcesses } from './streams.ts';

/** Processes of pods, their places on nodes, and times that no object records. */
export class KubeletState {
  readonly places: PodPlaces;
  readonly record: RecordEvent;
  readonly #cluster: Cluster;
  readonly #processes = new Map<string, PodProcess>();
  readonly #seen = new Map<string, number>();
  /** Keys of pods that wait for ConfigMaps or Secrets. */
  readonly #waiting = new Set<string>();
  /** Times at which nodes were deleted. */
  readonly #lost = new Map<string, number>();
  /** Times at which taints were seen, by node and taint. */
  readonly #taints = new Map<string, number>();
  #addresses = 0;
  #isServing = false;

  constructor(cluster: Cluster, record: RecordEvent) {
    this.#cluster = cluster;
    this.record = record;
    this.places = new PodPlaces(cluster);
  }

  /** Returns the time at which the scheduler first saw a pod. */
  seenAt(pod: JsonObject): number {
    const uid = text(pod, 'metadata', 'uid');
    const known = this.#seen.get(uid) ?? this.#cluster.now();
    this.#seen.set(uid, known);
    return known;
  }

  /** Returns the containers of a pod. */
  processOf(cluster: Cluster, pod: JsonObject, rule: PodRule): PodProcess {
    const uid = text(pod, 'metadata', 'uid');
    const known = this.#processes.get(uid);
    if (known !== undefined) return known;
    this.#addresses += 1;
    const ip = text(pod, 'status', 'podIP') || addressOf(this.#addresses);
    const created = new PodProcess(cluster, pod, rule, { ip, record: this.record });
    this.#processes.set(uid, created);
    if (!this.#isServing && (rule.run !== undefined || rule.handle !== undefined)) {
      this.#isServing = true;
      serveProcesses(cluster, (each) => this.#processes.get(text(each, 'metadata', 'uid')));
    }
    return created;
  }

  /** Records a change of a pod. Returns the keys of the pods that it concerns. */
  podChanged({ type, object: pod, previous, key }: Change): readonly string[] {
    const uid = text(pod, 'metadata', 'uid');
    if (type === 'DELETED') {
      this.places.remove(pod);
      for (const map of [this.#processes, this.#seen]) map.delete(uid);
      this.#waiting.delete(key);
      return this.places.waiting();
    }
    this.places.update(pod);
    const isFreed = isFinished(pod) && !isFinished(previous) && previous !== undefined;
    const isPlaced = text(pod, 'spec', 'nodeName') !== text(previous, 'spec', 'nodeName');
    const isRelabelled = !equal(object(pod, 'metadata', 'labels'), object(previous, 'metadata', 'labels'));
    if (isFreed) return [key, ...this.places.waiting()];
    return isPlaced || isRelabelled ? [key, ...this.places.waitingForPods()] : [key];
  }

  /** Records a change of a node. Returns the keys of the pods that it concerns. */
  nodeChanged({ type, object: node, previous, key }: Change): readonly string[] {
    if (type === 'DELETED') {
      this.#lost.set(key, this.#cluster.now());
      return this.places.keysOn(key);
    }
    this.#lost.delete(key);
    const isTainted = !equal(own(object(node, 'spec'), 'taints'), own(object(previous, 'spec'), 'taints'));
    if (isTainted) this.#forgetTaints(node);
    return [...(isTainted ? this.places.keysOn(key) : []), ...this.places.waiting()];
  }

  #forgetTaints(node: JsonObject): void {
    const names = new Set(array(node, 'spec', 'taints').map((taint) => taintKey(node, taint)));
    const prefix = `${nameOf(node)} `;
    for (const name of this.#taints.keys())
      if (name.startsWith(prefix) && !names.has(name)) this.#taints.delete(name);
  }

  /** Returns the time at which a node was deleted. */
  lostAt(node: string): number | undefined {
    return this.#lost.get(node);
  }

  /** Returns the time since which a node has a taint. */
  taintedAt(node: JsonObject, taint: Json): number {
    const name = taintKey(node, taint);
    const known = this.#taints.get(name) ?? this.#cluster.now();
    this.#taints.set(name, known);
    return known;
  }

  /** Records whether a pod waits for ConfigMaps or Secrets. */
  setWaiting(key: string, isWaiting: boolean): void {
    if (isWaiting) this.#waiting.add(key);
    else this.#waiting.delete(key);
  }

  /** Returns the keys of the pods of a namespace that wait for ConfigMaps or Secrets. */
  waitingForObjects(namespace: string): readonly string[] {
    if (this.#waiting.size === 0) return [];
    return [...this.#waiting].filter((key) => key.startsWith(`${namespace}/`));
  }
}

function taintKey(node: JsonObject, taint: Json): string {
  return [nameOf(node), text(taint, 'key'), text(taint, 'value'), text(taint, 'effect')].join(' ');
}

function addressOf(index: number): string {
  return `10.244.${Math.floor(index / 254) % 256}.${(index % 254) + 1}`;
}
