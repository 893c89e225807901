/** Conditions that a kubelet writes. */

import { array, compact, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { conditionOf, isConditionTrue } from '../../../store/object-facts.ts';
import { formatTime } from '../../cluster.ts';
import type { ContainerProcess } from './container-process.ts';
import type { PodProcess } from './pod-process.ts';
import { mayRestartAll } from './restarts.ts';

interface Why {
  readonly reason: string;
  readonly message?: string;
}

/** Returns the conditions of a pod: its own, and those of others. */
export function conditionsOf(
  pod: JsonObject,
  process: PodProcess,
  phase: string,
  now: number,
): readonly Json[] {
  const main = process.containers.filter(({ role }) => role === 'main' || role === 'sidecar');
  const ended = endedReason(phase);
  const isReady = ended === undefined && main.every((each) => each.isReadyAt(now));
  const unready = ended ?? why('ContainersNotReady', 'unready', main, (each) => !each.isReadyAt(now));
  const closed = closedGates(pod);
  const gated = { reason: 'ReadinessGatesNotReady', message: closed.join(', ') };
  // A pod whose containers all restart stays initialized.
  const isInitialized = (process.isInitialized && process.hasStarted) || isConditionTrue(pod, 'Initialized');
  const hasInit = process.containers.some(({ role }) => role === 'init' || role === 'sidecar');
  const uninitialized = why('ContainersNotInitialized', 'incomplete', process.containers, isIncomplete);
  const isCompleted = phase === 'Succeeded';
  const made = [
    next('PodReadyToStartContainers', process.hasStarted && !process.isEnded, undefined),
    isCompleted
      ? { ...next('Initialized', true, undefined), reason: 'PodCompleted' }
      : next('Initialized', isInitialized || !hasInit, uninitialized),
    next('Ready', isReady && closed.length === 0, isReady ? gated : unready),
    next('ContainersReady', isReady, unready),
    next('PodScheduled', true, undefined),
    ...(mayRestartAll(process) ? [next('AllContainersRestarting', false, ended)] : []),
  ];
  return merged(pod, made, formatTime(now));
}

function isIncomplete({ role, phase, end, isStarted }: ContainerProcess): boolean {
  if (role === 'init') return phase !== 'ended' || end?.code !== 0;
  return role === 'sidecar' && !isStarted;
}

function endedReason(phase: string): Why | undefined {
  if (phase === 'Succeeded') return { reason: 'PodCompleted' };
  return phase === 'Failed' ? { reason: 'PodFailed' } : undefined;
}

function why(
  reason: string,
  state: string,
  containers: readonly ContainerProcess[],
  isListed: (container: ContainerProcess) => boolean,
): Why {
  const names = containers.filter(isListed).map(({ name }) => name);
  return { reason, message: `containers with ${state} status: [${names.join(' ')}]` };
}

/** Returns messages of the readiness gates that are not open. */
function closedGates(pod: JsonObject): readonly string[] {
  return array(pod, 'spec', 'readinessGates').flatMap((gate) => {
    const type = text(gate, 'conditionType');
    const condition = conditionOf(pod, type);
    if (condition === undefined)
      return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
    const status = text(condition, 'status');
    return status === 'True'
      ? []
      : [`the status of pod readiness gate "${type}" is not "True", but ${status}`];
  });
}

function next(type: string, isTrue: boolean, reason: Why | undefined): JsonObject {
  const status = isTrue ? 'True' : 'False';
  return compact({ type, status, lastProbeTime: null, ...(isTrue ? {} : reason) });
}

/** Returns the conditions of others and the new ones, which keep the time of their last transition. */
function merged(pod: JsonObject, made: readonly JsonObject[], time: string): readonly Json[] {
  const known = array(pod, 'status', 'conditions');
  const types = made.map((condition) => text(condition, 'type'));
  const others = known.filter((condition) => !types.includes(text(condition, 'type')));
  const observedGeneration = own(object(pod, 'metadata'), 'generation');
  return [
    ...others,
    ...made.map((condition) => {
      const before = known.find((each) => text(each, 'type') === text(condition, 'type'));
      const isSame = before !== undefined && text(before, 'status') === text(condition, 'status');
      const lastTransitionTime = isSame ? (own(before, 'lastTransitionTime') ?? time) : time;
      return compact({ observedGeneration, ...condition, lastTransitionTime });
    }),
  ];
}
