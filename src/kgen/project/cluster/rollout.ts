/** State of a rollout, and the reasons why Pods do not run. Pure. */
import { array, at, isObject, type Json, type JsonObject, object, text } from '@kgen/schema/values/json';
import { refOf } from './cluster.ts';

/** Objects of a rollout, as the server has them. */
export interface RolloutFacts {
  readonly deployment: JsonObject | undefined;
  readonly replicaSets: readonly JsonObject[];
  readonly pods: readonly JsonObject[];
  readonly events: readonly JsonObject[];
}

/** A reason why a Pod does not run. */
export interface PodProblem {
  readonly text: string;
  /** The log that has more: of the present container, or of the one before. */
  readonly log?: { readonly pod: string; readonly container: string; readonly previous: boolean };
}

/** State of a rollout. */
export interface RolloutState {
  readonly isDone: boolean;
  /** `1 of 2 Pods are available`. */
  readonly progress: string;
  readonly problems: readonly PodProblem[];
}

/** Returns the state of a rollout: complete if all Pods are of the present template, and available. */
export function rolloutState(facts: RolloutFacts): RolloutState {
  const { deployment } = facts;
  if (deployment === undefined)
    return { isDone: false, progress: 'the Deployment does not exist', problems: [] };
  const desired = number(deployment, 'spec', 'replicas') ?? 1;
  const status = (name: string): number => number(deployment, 'status', name) ?? 0;
  const isObserved = status('observedGeneration') >= (number(deployment, 'metadata', 'generation') ?? 0);
  const [updated, available] = [status('updatedReplicas'), status('availableReplicas')];
  const isDone = isObserved && updated >= desired && status('replicas') <= updated && available >= updated;
  const newest = newestReplicaSet(facts.replicaSets, deployment);
  const hash = newest === undefined ? '' : text(newest, 'metadata', 'labels', 'pod-template-hash');
  const pods = facts.pods.filter((pod) => text(pod, 'metadata', 'labels', 'pod-template-hash') === hash);
  const progress = `${Math.min(updated, available)} of ${desired} Pods are available`;
  const problems = [
    ...(newest === undefined ? [] : creationProblems(newest)),
    ...pods.flatMap((pod) => podProblems(pod, facts.events)),
  ];
  return { isDone, progress, problems: isDone ? [] : problems };
}

/** Returns the ReplicaSet of the present template of a Deployment. */
function newestReplicaSet(
  replicaSets: readonly JsonObject[],
  deployment: JsonObject,
): JsonObject | undefined {
  const { uid = '' } = refOf(deployment);
  return replicaSets
    .filter((each) => array(each, 'metadata', 'ownerReferences').some((owner) => text(owner, 'uid') === uid))
    .toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
}

function revisionOf(replicaSet: JsonObject): number {
  return Number(text(replicaSet, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'));
}

/** Returns why a ReplicaSet cannot create Pods. */
function creationProblems(replicaSet: JsonObject): readonly PodProblem[] {
  const failure = conditionOf(replicaSet, 'ReplicaFailure');
  if (text(failure, 'status') !== 'True') return [];
  const message = text(failure, 'message');
  const action = creationActions.find(([pattern]) => pattern.test(message))?.[1] ?? '';
  return [{ text: `Pods cannot be created: ${message}${action}` }];
}

const creationActions: readonly (readonly [pattern: RegExp, action: string])[] = [
  [
    /exceeded quota|must specify/,
    '; raise the ResourceQuota, or change resources of deployment in kgen.config',
  ],
  [/violates PodSecurity/, '; change the template in an overlay, or the labels of the namespace'],
  [/serviceaccount .* not found/, '; the account is in config/rbac: run kgen deploy again'],
  [/admission webhook/, '; a webhook of the cluster refuses them'],
];

/** Returns why a Pod does not run, or is not ready. */
export function podProblems(pod: JsonObject, events: readonly JsonObject[]): readonly PodProblem[] {
  const { name } = refOf(pod);
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (text(scheduled, 'status') === 'False')
    return [{ text: `Pod ${name} has no node: ${text(scheduled, 'message')}` }];
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((key) => array(pod, 'status', key));
  const found = statuses.flatMap((status) => containerProblems(name, status));
  if (found.length > 0 || text(conditionOf(pod, 'Ready'), 'status') === 'True') return found;
  const unhealthy = events.findLast((event) => text(event, 'reason') === 'Unhealthy' && isAbout(event, name));
  if (unhealthy !== undefined) {
    const [container = ''] = statuses.map((status) => text(status, 'name'));
    const log = { pod: name, container, previous: false };
    return [{ text: `Pod ${name} is not ready: ${text(unhealthy, 'message')}`, log }];
  }
  const warning = events.findLast((event) => text(event, 'type') === 'Warning' && isAbout(event, name));
  return warning === undefined ? [] : [{ text: `Pod ${name}: ${text(warning, 'message')}` }];
}

function isAbout(event: JsonObject, pod: string): boolean {
  return ['involvedObject', 'regarding'].some((key) => text(event, key, 'name') === pod);
}

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
const startReasons = ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];

function containerProblems(pod: string, status: Json): readonly PodProblem[] {
  const container = text(status, 'name');
  const [waiting, message] = [
    text(status, 'state', 'waiting', 'reason'),
    text(status, 'state', 'waiting', 'message'),
  ];
  const because = message === '' ? '' : `: ${message}`;
  if (imageReasons.includes(waiting)) {
    const image = text(status, 'image');
    const action = `push it, load it into the nodes (kind load docker-image ${image}), or add an imagePullSecret`;
    return [{ text: `Pod ${pod}: the image ${image} cannot be pulled (${waiting}${because}); ${action}` }];
  }
  if (startReasons.includes(waiting))
    return [{ text: `Pod ${pod}: the container ${container} cannot start (${waiting}${because})` }];
  const now = at(status, 'state', 'terminated');
  const last = now ?? at(status, 'lastState', 'terminated');
  const isCrashed = waiting === 'CrashLoopBackOff' || isObject(now);
  const code = number(last, 'exitCode') ?? 0;
  if (!isCrashed || !isObject(last) || (isObject(now) && code === 0)) return [];
  const isKilled = text(last, 'reason') === 'OOMKilled';
  const reason = isKilled
    ? 'it needed more memory than its limit: raise resources of deployment in kgen.config'
    : `exit code ${code}, ${number(status, 'restartCount') ?? 0} restarts`;
  const log = { pod, container, previous: !isObject(now) };
  return [{ text: `Pod ${pod}: the container ${container} has ended (${reason})`, log }];
}

/** Returns a condition of an object; empty if it has none. */
export function conditionOf(each: JsonObject, type: string): JsonObject {
  return object(array(each, 'status', 'conditions').find((condition) => text(condition, 'type') === type));
}

/** Returns the number at a path. */
export function number(value: Json | undefined, ...keys: readonly string[]): number | undefined {
  const found = at(value, ...keys);
  return typeof found === 'number' ? found : undefined;
}
