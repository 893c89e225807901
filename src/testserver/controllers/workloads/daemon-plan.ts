/** Rules for which pods of a DaemonSet are created and deleted. */
import { array, type Json, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import { isDeleting, isReady, nameOf } from '../../store/object-facts.ts';
import {
  fits,
  hasAffinity,
  isNamed,
  requiredTerms,
  untolerated,
} from '../kubelet/scheduler/node-affinity.ts';
import { daemonSets } from './paths.ts';
import { revisionLabel, revisionNameOf } from './revisions.ts';
import { byCreation, earliest, isFinished, number, podOf, scaled, untilAvailable } from './values.ts';

/** A DaemonSet, the nodes of its cluster and its pods. */
export interface DaemonView {
  readonly set: JsonObject;
  /** Hash of the current template. */
  readonly hash: string;
  readonly now: number;
  readonly nodes: readonly DaemonNode[];
  /** Pods by the name of their node, those on a node first, then the oldest. */
  readonly pods: ReadonlyMap<string, readonly JsonObject[]>;
}

/** A node as a DaemonSet uses it. */
export interface DaemonNode {
  readonly name: string;
  /** Whether a new pod may run on the node. */
  readonly accepts: boolean;
  /** Whether an existing pod may stay on the node. */
  readonly keeps: boolean;
}

/** Pods that a DaemonSet creates and deletes. */
export interface DaemonChanges {
  /** Names of nodes. */
  readonly created: readonly string[];
  readonly deleted: readonly JsonObject[];
  /** Milliseconds until a failed pod is deleted. */
  readonly next?: number | undefined;
}

/** Returns the nodes and the pods of a DaemonSet, without pods that ended and are being deleted. */
export function daemonView(
  set: JsonObject,
  hash: string,
  nodes: readonly JsonObject[],
  controlled: readonly JsonObject[],
  now: number,
): DaemonView {
  const pod = { spec: tolerantSpec(set) };
  const byNode = new Map<string, JsonObject[]>();
  for (const each of controlled.toSorted(byPlace)) {
    const name = nodeOf(each);
    if (name === '' || (isFinished(each) && isDeleting(each))) continue;
    byNode.set(name, [...(byNode.get(name) ?? []), each]);
  }
  return { set, hash, now, nodes: nodes.map((node) => daemonNode(pod, node)), pods: byNode };
}

function daemonNode(pod: JsonObject, node: JsonObject): DaemonNode {
  const isSelected = isNamed(pod, node) && hasAffinity(pod, node);
  return {
    name: nameOf(node),
    accepts: fits(pod, node),
    keeps: isSelected && untolerated(pod, node, ['NoExecute']).length === 0,
  };
}

function byPlace(a: JsonObject, b: JsonObject): number {
  const [left, right] = [a, b].map((pod) => text(pod, 'spec', 'nodeName') === '');
  if (left !== right) return left === true ? 1 : -1;
  return byCreation(a, b);
}

/** Returns the node of a pod, or the one that its affinity requires. */
function nodeOf(pod: JsonObject): string {
  const required = object(pod, 'spec', 'affinity', 'nodeAffinity', requiredTerms);
  const fields = array(required, 'nodeSelectorTerms').flatMap((term) => array(term, 'matchFields'));
  const [name] = fields.flatMap((field) => array(field, 'values'));
  return text(pod, 'spec', 'nodeName') || (typeof name === 'string' ? name : '');
}

/** Returns the changes by which every node has one pod, and two of different revisions during a surge. */
export function placement(view: DaemonView): DaemonChanges {
  const changes = view.nodes.map((node) => nodeChanges(view, node));
  const names = new Set(view.nodes.map(({ name }) => name));
  const lost = [...view.pods]
    .filter(([name]) => !names.has(name))
    .flatMap(([, pods]) => pods.filter((pod) => text(pod, 'spec', 'nodeName') === ''));
  return {
    created: changes.flatMap(({ created }) => created),
    deleted: [...changes.flatMap(({ deleted }) => deleted), ...lost],
    next: earliest(changes.flatMap(({ next }) => next ?? [])),
  };
}

/** Shortest life of a failed pod: a kubelet may reject every one. */
const shortestLifeMs = 1_000;

function nodeChanges(view: DaemonView, { name, accepts, keeps }: DaemonNode): DaemonChanges {
  const found = view.pods.get(name);
  if (accepts && found === undefined) return { created: [name], deleted: [] };
  const pods = (found ?? []).filter((pod) => !isDeleting(pod));
  if (!keeps) return { created: [], deleted: pods };
  const ended = pods.filter(isFinished);
  const waits = ended.map((pod) => {
    const created = Date.parse(text(pod, 'metadata', 'creationTimestamp')) || 0;
    const isFailed = text(pod, 'status', 'phase') === 'Failed';
    return { pod, left: isFailed ? Math.max(0, created + shortestLifeMs - view.now) : 0 };
  });
  const running = pods.filter((pod) => !isFinished(pod));
  return {
    created: allowsSurge(view.set) && running.length === 0 && accepts ? [name] : [],
    deleted: [
      ...waits.filter(({ left }) => left === 0).map(({ pod }) => pod),
      ...(allowsSurge(view.set) ? surplusOfSurge(view, running) : running.slice(1)),
    ],
    next: earliest(waits.map(({ left }) => left).filter((left) => left > 0)),
  };
}

/** Returns the pods beyond the oldest of each revision, and the old one once the new one replaces it. */
function surplusOfSurge(view: DaemonView, running: readonly JsonObject[]): readonly JsonObject[] {
  const current = running.filter((pod) => revisionNameOf(pod) === view.hash);
  const others = running.filter((pod) => revisionNameOf(pod) !== view.hash);
  const surplus = [...current.slice(1), ...others.slice(1)];
  const [next, old] = [current[0], others[0]];
  if (next === undefined || old === undefined) return surplus;
  return !isReady(old) || isAvailable(view, next) ? [...surplus, old] : surplus;
}

/** Returns the changes of a rolling update, for a DaemonSet whose nodes have their pods. */
export function rollout(view: DaemonView): DaemonChanges {
  if (!isRolling(view.set)) return { created: [], deleted: [] };
  const desired = view.nodes.filter(({ accepts }) => accepts).length;
  const [surge, allowed] = [
    limitOf(view.set, 'maxSurge', desired),
    limitOf(view.set, 'maxUnavailable', desired),
  ];
  const names = [
    ...new Set([...view.nodes.filter(({ accepts }) => accepts).map(({ name }) => name), ...view.pods.keys()]),
  ];
  const places = names.map((name) => placeOf(view, name));
  if (surge > 0) return surging(view, places, surge, desired);
  return replacing(view, places, desired > 0 && allowed === 0 ? 1 : allowed);
}

/** The pods on one node. */
interface DaemonPlace {
  readonly name: string;
  readonly current: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  /** Whether there are more pods than one of each. */
  readonly isCrowded: boolean;
}

function placeOf(view: DaemonView, name: string): DaemonPlace {
  const pods = (view.pods.get(name) ?? []).filter((pod) => !isDeleting(pod));
  const current = pods.filter((pod) => isUpdated(view, pod));
  const old = pods.filter((pod) => !isUpdated(view, pod));
  return { name, current: current[0], old: old[0], isCrowded: current.length > 1 || old.length > 1 };
}

/** Deletes old pods, as many as may be unavailable. */
function replacing(view: DaemonView, places: readonly DaemonPlace[], allowed: number): DaemonChanges {
  const lasting = places.filter(
    ({ current, old, isCrowded }) => !isCrowded && current === undefined && old !== undefined,
  );
  const olds = lasting.map(({ old }) => old).filter((pod) => pod !== undefined);
  const broken = olds.filter((pod) => !isAvailable(view, pod));
  const healthy = olds.filter((pod) => isAvailable(view, pod));
  const changing = places.filter(
    (place) =>
      !lasting.includes(place) &&
      (place.isCrowded ||
        place.old !== undefined ||
        place.current === undefined ||
        !isAvailable(view, place.current)),
  );
  const left = Math.max(0, allowed - broken.length - changing.length);
  return { created: [], deleted: [...broken, ...healthy.slice(0, left)] };
}

/** Creates pods beside old ones, as many as the surge allows, and deletes the old ones that are replaced. */
function surging(
  view: DaemonView,
  places: readonly DaemonPlace[],
  surge: number,
  desired: number,
): DaemonChanges {
  const sparse = places.filter(({ isCrowded }) => !isCrowded);
  const isUp = (pod: JsonObject | undefined): boolean => pod !== undefined && isAvailable(view, pod);
  const accepted = new Set(view.nodes.filter(({ accepts }) => accepts).map(({ name }) => name));
  const lasting = sparse.filter(({ current, old }) => current === undefined && old !== undefined);
  const doubled = sparse.filter(({ current, old }) => current !== undefined && old !== undefined);
  const broken = lasting.filter(({ old }) => !isUp(old));
  const healthy = lasting.filter(({ old }) => isUp(old));
  const inUse = places.length - sparse.length + doubled.filter(({ current }) => !isUp(current)).length;
  const available = sparse.filter(({ current, old }) => isUp(old ?? current)).length;
  const leaving = healthy.filter(({ name }) => !accepted.has(name));
  const deleted = [
    ...doubled.filter(({ current }) => isUp(current)),
    ...broken.filter(({ name }) => !accepted.has(name)),
    // Pods leave nodes that do not fit any more once others are available.
    ...leaving.slice(0, Math.max(0, available - desired)),
  ];
  const candidates = healthy.filter(({ name }) => accepted.has(name));
  const created = [
    ...broken.filter(({ name }) => accepted.has(name)),
    ...candidates.slice(0, Math.max(0, surge - inUse)),
  ];
  return {
    created: created.map(({ name }) => name),
    deleted: deleted.map(({ old }) => old).filter((pod) => pod !== undefined),
  };
}

function isAvailable({ set, now }: DaemonView, pod: JsonObject): boolean {
  return untilAvailable(pod, number(set, 0, 'spec', 'minReadySeconds'), now) === 0;
}

/** Returns whether a pod has the current template. */
export function isUpdated({ set, hash }: DaemonView, pod: JsonObject): boolean {
  const generation = generationOf(set);
  const isSame = generation !== '' && text(pod, 'metadata', 'labels', generationLabel) === generation;
  return isSame || revisionNameOf(pod) === hash;
}

const generationLabel = 'pod-template-generation';

function generationOf(set: JsonObject): string {
  return text(set, 'metadata', 'annotations', 'deprecated.daemonset.template.generation');
}

function isRolling(set: JsonObject): boolean {
  return text(set, 'spec', 'updateStrategy', 'type') === 'RollingUpdate';
}

function allowsSurge(set: JsonObject): boolean {
  return isRolling(set) && limitOf(set, 'maxSurge', 1) > 0;
}

function limitOf(set: JsonObject, member: 'maxSurge' | 'maxUnavailable', total: number): number {
  return scaled(own(object(set, 'spec', 'updateStrategy', 'rollingUpdate'), member), total, Math.ceil);
}

/** Tolerations that the pods of DaemonSets have besides those of their template. */
const tolerations: readonly JsonObject[] = [
  ...['not-ready', 'unreachable'].map((name) => toleration(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    toleration(name, 'NoSchedule'),
  ),
];

function toleration(name: string, effect: string): JsonObject {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
}

/** Returns the specification of a pod with the tolerations of DaemonSets. */
function tolerantSpec(set: JsonObject): JsonObject {
  const spec = object(set, 'spec', 'template', 'spec');
  const isOnHost = own(spec, 'hostNetwork') === true;
  const implied = isOnHost ? [...tolerations, toleration('network-unavailable', 'NoSchedule')] : tolerations;
  const given = array(spec, 'tolerations');
  const idOf = (item: Json): string => `${text(item, 'key')} ${text(item, 'effect')}`;
  const known = given.map(idOf);
  return { ...spec, tolerations: [...given, ...implied.filter((item) => !known.includes(idOf(item)))] };
}

/** Returns a pod for a node. Its affinity names the node alone: the other terms hold for this node. */
export function daemonPod(set: JsonObject, hash: string, node: string): JsonObject {
  const template = object(set, 'spec', 'template');
  const generation = generationOf(set);
  const labels = {
    ...object(template, 'metadata', 'labels'),
    [revisionLabel]: hash,
    ...(generation === '' ? {} : { [generationLabel]: generation }),
  };
  const spec = tolerantSpec(set);
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const affinity = putAt(object(spec, 'affinity'), ['nodeAffinity', requiredTerms], required);
  const pod = podOf(template, daemonSets, set, { generateName: `${nameOf(set)}-`, labels });
  return { ...pod, spec: { ...spec, affinity } };
}
