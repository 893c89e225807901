/** The status that a kubelet writes, as a function of a pod and its containers. */

import { compact, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { formatTime } from '../../cluster.ts';
import { conditionsOf } from './conditions.ts';
import type { ContainerProcess } from './container-process.ts';
import type { PodProcess } from './pod-process.ts';
import { isRestarted } from './restarts.ts';
import type { ContainerRole } from './roles.ts';
import { type ContainerEnd, removed } from './termination.ts';

/** Returns the status of a scheduled pod. */
export function statusOf(pod: JsonObject, process: PodProcess, hostIP: string, now: number): JsonObject {
  const before = object(pod, 'status');
  const isHost = own(object(pod, 'spec'), 'hostNetwork') === true;
  const ip = isHost ? hostIP : process.ip;
  const phase = phaseOf(process);
  const statuses = (...roles: readonly ContainerRole[]): readonly Json[] | undefined => {
    const found = process.containers.filter(({ role }) => roles.includes(role));
    return found.length === 0 ? undefined : found.map((each) => containerStatus(each, process, now));
  };
  const expired = process.isExpired ? { reason: 'DeadlineExceeded', message: deadlineMessage } : {};
  const hasAddress = process.hasStarted;
  return compact({
    ...before,
    observedGeneration: own(object(pod, 'metadata'), 'generation'),
    phase,
    conditions: conditionsOf(pod, process, phase, now),
    ...expired,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP: hasAddress ? ip : undefined,
    podIPs: hasAddress ? [{ ip }] : undefined,
    startTime: text(before, 'startTime') || formatTime(process.scheduledAt),
    initContainerStatuses: statuses('init', 'sidecar'),
    containerStatuses: statuses('main'),
    ephemeralContainerStatuses: statuses('ephemeral'),
  });
}

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/** Returns the phase of a pod. */
function phaseOf(process: PodProcess): string {
  const { pod, containers } = process;
  const main = containers.filter(({ role }) => role === 'main');
  if (process.isEnded) {
    if (process.isExpired || process.hasFailedInit) return 'Failed';
    const isSucceeded = main.every(({ phase, end }) => phase === 'ended' && end?.code === 0);
    return isSucceeded ? 'Succeeded' : 'Failed';
  }
  const hasNew = main.some(({ phase, end }) => phase === 'waiting' && end === undefined);
  const isWaiting = !process.isInitialized || hasNew;
  const isOver = main.every((each) => each.phase === 'ended' && !isRestarted(pod, each));
  return isWaiting && !isOver ? 'Pending' : 'Running';
}

function containerStatus(container: ContainerProcess, process: PodProcess, now: number): JsonObject {
  const { phase, restarts, end, spec, role } = container;
  const hasRun = phase !== 'waiting';
  const image = text(container.started, 'image') || text(spec, 'image');
  const isBackingOff = phase === 'ended' && isWaitingToRestart(container, process);
  const last = phase !== 'ended' || isBackingOff ? end : container.previousEnd;
  const resources = own(object(spec), 'resources');
  const requests = own(object(resources), 'requests');
  return compact({
    name: container.name,
    image,
    imageID: hasRun ? image : '',
    lastState: last === undefined ? {} : { terminated: terminated(container, last, process) },
    ready: role === 'init' ? end?.code === 0 && phase === 'ended' : container.isReadyAt(now),
    started: phase === 'running' && container.isStarted,
    restartCount: restarts,
    containerID: hasRun
      ? idOf(container, process, phase === 'running' ? restarts : (end?.run ?? 0))
      : undefined,
    allocatedResources: role === 'ephemeral' ? undefined : requests,
    resources: role === 'ephemeral' || !isFilled(resources) ? undefined : resources,
    state: stateOf(container, process, isBackingOff),
  });
}

function isFilled(value: Json | undefined): boolean {
  return Object.keys(object(value)).length > 0;
}

/** Whether a container waits for the end of its back-off. */
function isWaitingToRestart(container: ContainerProcess, { pod, isEnded }: PodProcess): boolean {
  return !isEnded && isRestarted(pod, container);
}

function idOf({ name }: ContainerProcess, { pod }: PodProcess, run: number): string {
  return `test://${text(pod, 'metadata', 'uid')}/${name}/${run}`;
}

function stateOf(container: ContainerProcess, process: PodProcess, isBackingOff: boolean): JsonObject {
  const { phase, end } = container;
  if (phase === 'running') return { running: { startedAt: formatTime(container.startedAt) } };
  if (end === undefined || phase === 'waiting') return { waiting: waitingOf(container, process) };
  if (!isBackingOff) return { terminated: terminated(container, end, process) };
  if (container.problem !== undefined)
    return { waiting: { reason: 'CreateContainerConfigError', message: container.problem } };
  const { pod } = process;
  const name = `${text(pod, 'metadata', 'name')}_${text(pod, 'metadata', 'namespace')}`;
  const target = `container=${container.name} pod=${name}(${text(pod, 'metadata', 'uid')})`;
  const delay = `${duration(container.backoffMs)}`;
  const message = `back-off ${delay} restarting failed ${target}`;
  return { waiting: { reason: 'CrashLoopBackOff', message } };
}

/** Returns a duration as Go prints it: `10s`, `1m20s`. */
function duration(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1_000) % 60];
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds}s`;
}

function waitingOf(container: ContainerProcess, process: PodProcess): JsonObject {
  const { containers, rule } = process;
  if (container.end !== undefined && container.problem === undefined) return removed;
  const isMain = container.role === 'main';
  const hasInit = containers.some(({ role }) => role === 'init' || role === 'sidecar');
  if (isMain && hasInit && !process.isInitialized) return { reason: 'PodInitializing' };
  if (process.isPulling) return { reason: 'ImagePullBackOff', message: rule.pullError ?? '' };
  if (container.problem !== undefined)
    return { reason: 'CreateContainerConfigError', message: container.problem };
  const isFirst = containers[0] === container;
  return {
    reason: !isMain && !isFirst ? 'PodInitializing' : hasInit ? 'PodInitializing' : 'ContainerCreating',
  };
}

function terminated(container: ContainerProcess, end: ContainerEnd, process: PodProcess): JsonObject {
  return compact({
    exitCode: end.code,
    reason: end.reason,
    message: end.message,
    startedAt: formatTime(end.startedAt),
    finishedAt: formatTime(end.finishedAt),
    containerID: idOf(container, process, end.run),
  });
}
