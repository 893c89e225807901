/** The ReplicaSets of a Deployment: the one of its template, its annotations and its revision. */

import {
  array,
  compact,
  equal,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { Failure } from '../../errors/status.ts';
import { controllerOf, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference } from '../cluster.ts';
import { recordEvent } from '../events.ts';
import { deployments, replicaSets } from './paths.ts';
import { byCreation, hashOf, number, scaled, withCondition, withoutLabel } from './values.ts';

/** Label of the pods and ReplicaSets of a Deployment, with the hash of their template. */
const hashLabel = 'pod-template-hash';
const revisionKey = 'deployment.kubernetes.io/revision';
const historyKey = 'deployment.kubernetes.io/revision-history';
const desiredKey = 'deployment.kubernetes.io/desired-replicas';
const maximumKey = 'deployment.kubernetes.io/max-replicas';

/** Annotations of a Deployment that its ReplicaSets do not have. */
const skipped: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionKey,
  historyKey,
  desiredKey,
  maximumKey,
  'deprecated.deployment.rollback.to',
]);

/** The ReplicaSets of a Deployment. */
export interface Sets {
  /** The Deployment after possible changes of its status. */
  readonly deployment: JsonObject;
  /** The ReplicaSet of the current template. */
  readonly current: JsonObject | undefined;
  /** The others, oldest first. */
  readonly old: readonly JsonObject[];
}

/** Returns all ReplicaSets. */
export function allSets({ current, old }: Sets): readonly JsonObject[] {
  return current === undefined ? old : [...old, current];
}

/** Returns the requested replicas of ReplicaSets. */
export function requested(sets: readonly JsonObject[]): number {
  return sum(sets, (set) => replicasOf(set));
}

/** Returns the sum of a member of the status of ReplicaSets. */
export function counted(sets: readonly JsonObject[], member: string): number {
  return sum(sets, (set) => number(set, 0, 'status', member));
}

function sum(sets: readonly JsonObject[], count: (set: JsonObject) => number): number {
  return sets.reduce((total, set) => total + count(set), 0);
}

/** Returns `spec.replicas`. */
export function replicasOf(value: JsonObject): number {
  return number(value, 1, 'spec', 'replicas');
}

/** Numbers of pods beyond and below the requested replicas that a rolling update allows. */
export function limitsOf(deployment: JsonObject): { readonly surge: number; readonly unavailable: number } {
  if (text(deployment, 'spec', 'strategy', 'type') === 'Recreate') return { surge: 0, unavailable: 0 };
  const rolling = object(deployment, 'spec', 'strategy', 'rollingUpdate');
  const replicas = replicasOf(deployment);
  const surge = scaled(own(rolling, 'maxSurge'), replicas, Math.ceil);
  const unavailable = scaled(own(rolling, 'maxUnavailable'), replicas, Math.floor);
  return { surge, unavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas) };
}

/** Returns the ReplicaSets without changing them. */
export function findSets(cluster: Cluster, deployment: JsonObject): Sets {
  const sets = cluster.controlled(replicaSets, deployment).toSorted(byCreation);
  const template = bare(object(deployment, 'spec', 'template'));
  const current = sets.find((set) => equal(bare(object(set, 'spec', 'template')), template));
  return { deployment, current, old: sets.filter((set) => set !== current) };
}

function bare(template: JsonObject): JsonObject {
  return withoutLabel(template, hashLabel);
}

/** Returns the ReplicaSets after their annotations and the revision of the Deployment are up to date. */
export function* syncSets(cluster: Cluster, deployment: JsonObject, create: boolean): Verb<Sets> {
  const sets = findSets(cluster, deployment);
  const revision = sets.old.map(revisionOf).reduce((a, b) => (b > a ? b : a), 0n) + 1n;
  if (sets.current !== undefined) return yield* syncCurrent(cluster, sets, sets.current, revision);
  return create ? yield* createSet(cluster, sets, revision) : sets;
}

function* syncCurrent(cluster: Cluster, sets: Sets, current: JsonObject, revision: bigint): Verb<Sets> {
  const annotations = annotationsOf(sets.deployment, current, revision);
  const minReadySeconds = number(sets.deployment, 0, 'spec', 'minReadySeconds');
  if (
    !equal(annotations, object(current, 'metadata', 'annotations')) ||
    minReadySeconds !== number(current, 0, 'spec', 'minReadySeconds')
  ) {
    const annotated = putAt(current, ['metadata', 'annotations'], annotations);
    const next = putAt(annotated, ['spec', 'minReadySeconds'], minReadySeconds);
    const updated = yield* cluster.update(replicaSets, next);
    return { ...sets, current: updated };
  }
  const message = `Found new replica set ${JSON.stringify(nameOf(current))}`;
  const deployment = yield* recordRevision(
    cluster,
    sets.deployment,
    annotation(current, revisionKey),
    (known) => (known ? undefined : { reason: 'FoundNewReplicaSet', message }),
  );
  return { ...sets, deployment };
}

function annotation(value: JsonObject, key: string): string {
  return text(value, 'metadata', 'annotations', key);
}

/** Returns the annotations of a ReplicaSet: those of its Deployment, and its revisions. */
function annotationsOf(deployment: JsonObject, set: JsonObject, revision: bigint): JsonObject {
  const inherited = Object.entries(object(deployment, 'metadata', 'annotations')).filter(
    ([key]) => !skipped.has(key),
  );
  const before = object(set, 'metadata', 'annotations');
  const known = annotation(set, revisionKey);
  const merged = { ...before, ...Object.fromEntries(inherited) };
  if (!isNotation(known) || revisionOf(set) >= revision) return merged;
  const history = [annotation(set, historyKey), known].filter(Boolean).join(',');
  return {
    ...merged,
    [revisionKey]: String(revision),
    ...(known === '' ? {} : { [historyKey]: history }),
  };
}

/** Writes the revision of the Deployment, and the condition of its progress. */
function* recordRevision(
  cluster: Cluster,
  deployment: JsonObject,
  revision: string,
  progress: (known: boolean) => { readonly reason: string; readonly message: string } | undefined,
): Verb<JsonObject> {
  const conditions = array(deployment, 'status', 'conditions');
  const known = conditions.some((condition) => text(condition, 'type') === 'Progressing');
  const news = hasDeadline(deployment) ? progress(known) : undefined;
  const next =
    news === undefined
      ? conditions
      : withCondition(conditions, condition(cluster, 'Progressing', 'True', news));
  const isRevised = annotation(deployment, revisionKey) === revision;
  const annotations = { ...object(deployment, 'metadata', 'annotations'), [revisionKey]: revision };
  if (isRevised && next === conditions) return deployment;
  // The status subresource writes annotations too, and does not count them as a new generation.
  const revised = putAt(deployment, ['metadata', 'annotations'], annotations);
  return yield* cluster.update(deployments, putAt(revised, ['status', 'conditions'], next), 'status');
}

/** Returns a condition of a Deployment. */
export function condition(
  cluster: Cluster,
  type: string,
  status: string,
  { reason, message }: { readonly reason: string; readonly message: string },
): JsonObject {
  const now = cluster.timestamp();
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

/** Returns whether a Deployment reports a lack of progress. */
export function hasDeadline(deployment: JsonObject): boolean {
  return number(deployment, 2 ** 31 - 1, 'spec', 'progressDeadlineSeconds') !== 2 ** 31 - 1;
}

function* createSet(cluster: Cluster, sets: Sets, revision: bigint): Verb<Sets> {
  const { deployment, old } = sets;
  const set = newSet(deployment, old, revision);
  try {
    const created = yield* cluster.create(replicaSets, set);
    recordScale(cluster, deployment, created, 0);
    const message = `Created new replica set ${JSON.stringify(nameOf(created))}`;
    const revised = yield* recordRevision(cluster, deployment, String(revision), () => ({
      reason: 'NewReplicaSetCreated',
      message,
    }));
    return { deployment: revised, current: created, old };
  } catch (error) {
    if (error instanceof Failure) yield* recordFailure(cluster, deployment, set, error);
    throw error;
  }
}

/** Another template may have the same hash; the next one then includes the number of collisions. */
function* recordFailure(
  cluster: Cluster,
  deployment: JsonObject,
  set: JsonObject,
  { problem }: Failure,
): Verb<void> {
  const status = object(deployment, 'status');
  const latest = cluster.get(deployments, `${namespaceOf(deployment)}/${nameOf(deployment)}`) ?? deployment;
  if (problem.reason === 'AlreadyExists') {
    const existing = cluster.get(replicaSets, `${namespaceOf(set)}/${nameOf(set)}`);
    const isOwn = text(controllerOf(existing), 'uid') === text(deployment, 'metadata', 'uid');
    if (isOwn) return;
    const collisionCount = number(status, 0, 'collisionCount') + 1;
    yield* cluster.updateStatus(deployments, latest, { ...status, collisionCount });
    return;
  }
  const causes = problem.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'NamespaceTerminating')) return;
  const message = `Failed to create new replica set ${JSON.stringify(nameOf(set))}: ${problem.message}`;
  const news = { reason: 'ReplicaSetCreateError', message };
  recordEvent(cluster, deployments, deployment, { ...news, type: 'Warning' });
  if (!hasDeadline(deployment)) return;
  const failed = condition(cluster, 'Progressing', 'False', news);
  const conditions = withCondition(array(status, 'conditions'), failed);
  yield* cluster.updateStatus(deployments, latest, { ...status, conditions });
}

function newSet(deployment: JsonObject, old: readonly JsonObject[], revision: bigint): JsonObject {
  const template = object(deployment, 'spec', 'template');
  const hash = hashOf(template, number(deployment, 0, 'status', 'collisionCount'));
  const labels = { ...object(template, 'metadata', 'labels'), [hashLabel]: hash };
  const selector = object(deployment, 'spec', 'selector');
  const replicas = newReplicas(deployment, old, 0);
  const { surge } = limitsOf(deployment);
  const base: JsonObject = {
    metadata: compact({
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      ownerReferences: [controllerReference(deployments, deployment)],
    }),
    spec: {
      replicas,
      minReadySeconds: number(deployment, 0, 'spec', 'minReadySeconds'),
      selector: { ...selector, matchLabels: { ...object(selector, 'matchLabels'), [hashLabel]: hash } },
      template: putAt(template, ['metadata', 'labels'], labels),
    },
  };
  const annotations = {
    ...annotationsOf(deployment, base, revision),
    ...replicaAnnotations(deployment, surge),
  };
  return putAt(base, ['metadata', 'annotations'], annotations);
}

/** Returns the annotations that record the size of a Deployment, by which a change of it is found. */
export function replicaAnnotations(deployment: JsonObject, surge: number): JsonObject {
  const replicas = replicasOf(deployment);
  return { [desiredKey]: String(replicas), [maximumKey]: String(replicas + surge) };
}

/** Returns the size of a Deployment when a ReplicaSet was scaled last. */
export function recordedSize(set: JsonObject): { readonly desired: Json; readonly maximum: number } {
  const desired = annotation(set, desiredKey);
  return {
    desired: desired === '' ? null : Number(desired),
    maximum: Number(annotation(set, maximumKey)) || 0,
  };
}

/** Returns the revision of a ReplicaSet, which has up to 64 bits; 0 if the annotation is not an integer. */
export function revisionOf(set: JsonObject): bigint {
  const known = annotation(set, revisionKey);
  return known !== '' && isNotation(known) ? BigInt(known) : 0n;
}

/** Revisions in another notation, which programs of others may write, stay. */
function isNotation(revision: string): boolean {
  return /^(?:-?\d{1,19})?$/.test(revision) && BigInt.asIntN(64, BigInt(revision)) === BigInt(revision);
}

/** Returns the replicas of the current ReplicaSet: as many as the maximum of a rolling update leaves. */
export function newReplicas(deployment: JsonObject, old: readonly JsonObject[], current: number): number {
  const replicas = replicasOf(deployment);
  if (text(deployment, 'spec', 'strategy', 'type') === 'Recreate') return replicas;
  const room = replicas + limitsOf(deployment).surge - requested(old) - current;
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

/** Returns a ReplicaSet with a number of replicas, and whether the number changed. */
export function* scaleSet(
  cluster: Cluster,
  deployment: JsonObject,
  set: JsonObject,
  replicas: number,
  annotate = false,
): Verb<{ readonly set: JsonObject; readonly isScaled: boolean }> {
  const isScaled = replicasOf(set) !== replicas;
  const desired = replicaAnnotations(deployment, limitsOf(deployment).surge);
  const annotations = { ...object(set, 'metadata', 'annotations'), ...desired };
  const isAnnotated = equal(annotations, object(set, 'metadata', 'annotations'));
  if (!isScaled && (!annotate || isAnnotated)) return { set, isScaled };
  const changed = putAt(putAt(set, ['metadata', 'annotations'], annotations), ['spec', 'replicas'], replicas);
  const next = yield* cluster.update(replicaSets, changed);
  if (isScaled) recordScale(cluster, deployment, next, replicasOf(set));
  return { set: next, isScaled };
}

function recordScale(cluster: Cluster, deployment: JsonObject, set: JsonObject, before: number): void {
  const after = replicasOf(set);
  if (before === after) return;
  const direction = before < after ? 'up' : 'down';
  const message = `Scaled ${direction} replica set ${nameOf(set)} from ${before} to ${after}`;
  recordEvent(cluster, deployments, deployment, { reason: 'ScalingReplicaSet', message });
}
