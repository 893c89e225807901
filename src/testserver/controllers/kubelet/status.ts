/** The status that a kubelet writes, as a function of a pod, its rule and the times of its life. */

import { array, compact, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { conditionOf } from '../../store/object-facts.ts';
import { formatTime } from '../cluster.ts';
import { earliest } from '../workloads/values.ts';
import type { PodRule } from './rules.ts';

/** Times of a pod in milliseconds since the epoch. */
export interface PodLife {
  readonly scheduledAt: number;
  /** Start of the containers, again after every restart. */
  readonly startedAt: number;
  /** Ends of the containers so far. */
  readonly ends: number;
  /** The last end. */
  readonly endedAt: number | undefined;
}

/** Longest delay before a restart. */
const longestBackoffMs = 300_000;

/** State of the containers of a pod. */
export type ContainerState = 'pulling' | 'waiting' | 'running' | 'backoff' | 'ended';

/** State of a pod now, and when it changes. */
export interface PodState {
  readonly life: PodLife;
  readonly containers: ContainerState;
  readonly isReady: boolean;
  /** Time of the next change. `undefined` if there is none. */
  readonly wakeAt: number | undefined;
}

/** Returns the state of a scheduled pod: its containers start, become ready, end and start again. */
export function stateAt(pod: JsonObject, rule: PodRule, start: PodLife, now: number): PodState {
  if (rule.pullError !== undefined) {
    return { life: start, containers: 'pulling', isReady: false, wakeAt: undefined };
  }
  let life = start;
  // Each turn is one run of the containers. Restarts take at least ten seconds.
  for (;;) {
    const { startedAt } = life;
    if (now < startedAt) {
      return { life, containers: life.ends > 0 ? 'backoff' : 'waiting', isReady: false, wakeAt: startedAt };
    }
    const endAt = endOf(rule, life);
    if (endAt === undefined || now < endAt) return running(rule, life, endAt, now);
    const ended = { ...life, ends: life.ends + 1, endedAt: endAt };
    if (!isRestarted(pod, rule))
      return { life: ended, containers: 'ended', isReady: false, wakeAt: undefined };
    life = { ...ended, startedAt: endAt + backoffMs(ended.ends) };
  }
}

function running(rule: PodRule, life: PodLife, endAt: number | undefined, now: number): PodState {
  const delay = rule.readyAfterMs ?? 0;
  const readyAt = delay === false ? undefined : life.startedAt + delay;
  const isReady = readyAt !== undefined && now >= readyAt;
  const times = [isReady ? undefined : readyAt, endAt].filter((time) => time !== undefined);
  return {
    life,
    containers: 'running',
    isReady,
    wakeAt: earliest(times),
  };
}

function endOf({ exit }: PodRule, { startedAt, ends }: PodLife): number | undefined {
  if (exit === undefined || ends >= (exit.times ?? Number.POSITIVE_INFINITY)) return undefined;
  return startedAt + (exit.afterMs ?? 0);
}

function isRestarted(pod: JsonObject, { exit }: PodRule): boolean {
  const policy = text(pod, 'spec', 'restartPolicy') || 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && (exit?.code ?? 0) !== 0);
}

function backoffMs(ends: number): number {
  return Math.min(10_000 * 2 ** (ends - 1), longestBackoffMs);
}

/** Returns the status of a scheduled pod. */
export function statusOf(
  pod: JsonObject,
  rule: PodRule,
  state: PodState,
  ip: string,
  now: number,
): JsonObject {
  const before = object(pod, 'status');
  const runs = state.containers !== 'pulling' && state.containers !== 'waiting';
  const started = text(before, 'startTime') || formatTime(state.life.scheduledAt);
  return compact({
    ...before,
    phase: phaseOf(rule, state),
    conditions: conditionsOf(pod, state, now),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    podIP: runs ? ip : undefined,
    podIPs: runs ? [{ ip }] : undefined,
    startTime: started,
    initContainerStatuses: initStatuses(pod, rule, state),
    containerStatuses: array(pod, 'spec', 'containers').map((container) =>
      containerStatus(container, rule, state),
    ),
  });
}

const hostAddress = '10.0.0.1';

function phaseOf({ exit }: PodRule, { containers }: PodState): string {
  if (containers === 'pulling' || containers === 'waiting') return 'Pending';
  if (containers !== 'ended') return 'Running';
  return (exit?.code ?? 0) === 0 ? 'Succeeded' : 'Failed';
}

function conditionsOf(pod: JsonObject, state: PodState, now: number): readonly Json[] {
  const runs = state.containers !== 'pulling' && state.containers !== 'waiting';
  const isCompleted = state.containers === 'ended';
  const gates = array(pod, 'spec', 'readinessGates').map((gate) => text(gate, 'conditionType'));
  const open = gates.filter((type) => text(conditionOf(pod, type), 'status') !== 'True');
  const names = array(pod, 'spec', 'containers').map((container) => text(container, 'name'));
  const unready = isCompleted
    ? { reason: 'PodCompleted' }
    : {
        reason: 'ContainersNotReady',
        message: `containers with unready status: [${names.join(' ')}]`,
      };
  const gated = { reason: 'ReadinessGatesNotReady', message: gatesMessage(open) };
  const time = formatTime(now);
  const own = [
    next('PodReadyToStartContainers', runs && !isCompleted, undefined),
    next(
      'Initialized',
      runs || array(pod, 'spec', 'initContainers').length === 0,
      isCompleted ? unready : undefined,
    ),
    next('Ready', state.isReady && open.length === 0, state.isReady ? gated : unready),
    next('ContainersReady', state.isReady, unready),
    next('PodScheduled', true, undefined),
  ];
  const known = array(pod, 'status', 'conditions');
  const types = own.map((condition) => text(condition, 'type'));
  const others = known.filter((condition) => !types.includes(text(condition, 'type')));
  return [...others, ...own.map((condition) => withTime(condition, known, time))];
}

function gatesMessage(types: readonly string[]): string {
  return types
    .map((type) => `corresponding condition of pod readiness gate "${type}" does not exist.`)
    .join(', ');
}

function next(
  type: string,
  isTrue: boolean,
  why: { readonly reason: string; readonly message?: string } | undefined,
): JsonObject {
  const isExplained = why !== undefined && (!isTrue || type === 'Initialized');
  return { type, status: isTrue ? 'True' : 'False', lastProbeTime: null, ...(isExplained ? why : {}) };
}

function withTime(condition: JsonObject, known: readonly Json[], time: string): JsonObject {
  const before = known.find((each) => text(each, 'type') === text(condition, 'type'));
  const isSame = before !== undefined && text(before, 'status') === text(condition, 'status');
  return { ...condition, lastTransitionTime: isSame ? (own(before, 'lastTransitionTime') ?? time) : time };
}

function initStatuses(pod: JsonObject, rule: PodRule, state: PodState): readonly Json[] | undefined {
  const containers = array(pod, 'spec', 'initContainers');
  if (containers.length === 0) return undefined;
  return containers.map((container) => {
    if (text(container, 'restartPolicy') === 'Always') return containerStatus(container, rule, state);
    const runs = state.containers !== 'pulling' && state.containers !== 'waiting';
    const startedAt = formatTime(state.life.scheduledAt);
    const done = {
      exitCode: 0,
      reason: 'Completed',
      startedAt,
      finishedAt: startedAt,
      containerID: idOf(container),
    };
    return {
      ...base(container),
      ready: runs,
      started: false,
      restartCount: 0,
      state: runs ? { terminated: done } : { waiting: { reason: 'PodInitializing' } },
    };
  });
}

function base(container: Json): JsonObject {
  const image = text(container, 'image');
  return { name: text(container, 'name'), image, imageID: image, lastState: {} };
}

function idOf(container: Json): string {
  return `test://${text(container, 'name')}`;
}

function containerStatus(container: Json, rule: PodRule, state: PodState): JsonObject {
  const { life, containers } = state;
  const restarts = containers === 'running' ? life.ends : Math.max(0, life.ends - 1);
  const last = life.endedAt === undefined ? undefined : terminated(container, rule, life);
  return {
    ...base(container),
    ready: state.isReady,
    started: containers === 'running',
    restartCount: restarts,
    ...(containers === 'pulling' || containers === 'waiting' ? {} : { containerID: idOf(container) }),
    ...(last !== undefined && containers !== 'ended' ? { lastState: { terminated: last } } : {}),
    state: stateOf(rule, state, last),
  };
}

function stateOf(rule: PodRule, { life, containers }: PodState, last: JsonObject | undefined): JsonObject {
  switch (containers) {
    case 'pulling':
      return { waiting: { reason: 'ImagePullBackOff', message: rule.pullError ?? '' } };
    case 'waiting':
      return { waiting: { reason: 'ContainerCreating' } };
    case 'backoff':
      return {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: `back-off ${backoffMs(life.ends) / 1_000}s restarting failed container`,
        },
      };
    case 'ended':
      return { terminated: last ?? {} };
    default:
      return { running: { startedAt: formatTime(life.startedAt) } };
  }
}

function terminated(container: Json, { exit }: PodRule, life: PodLife): JsonObject {
  const code = exit?.code ?? 0;
  const endedAt = life.endedAt ?? life.startedAt;
  return compact({
    exitCode: code,
    reason: exit?.reason ?? (code === 0 ? 'Completed' : 'Error'),
    message: exit?.message,
    startedAt: formatTime(Math.min(life.startedAt, endedAt)),
    finishedAt: formatTime(endedAt),
    containerID: idOf(container),
  });
}
