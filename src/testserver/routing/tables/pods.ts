/** Columns of pods in tables, as `kubectl get pods` prints them. */
import { array, at, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { conditionOf, isConditionTrue, isDeleting, nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { age } from './duration.ts';
import { ageOf, count } from './values.ts';

/** Columns of pods. */
export const pods: Printer = {
  columns: parseColumns('Name,Ready,Status,Restarts,Age,+IP,+Node,+Nominated Node,+Readiness Gates'),
  cells: (pod, now) => {
    const summary = summaryOf(pod);
    return [
      nameOf(pod),
      `${summary.ready}/${summary.total}`,
      statusOf(pod, summary.reason),
      restartsOf(summary, now),
      ageOf(pod, now),
      text(array(pod, 'status', 'podIPs')[0], 'ip') || '<none>',
      text(pod, 'spec', 'nodeName') || '<none>',
      text(pod, 'status', 'nominatedNodeName') || '<none>',
      readinessGates(pod),
    ];
  },
  conditions: (pod) => {
    const completed = { type: 'Completed', status: 'True' };
    switch (text(pod, 'status', 'phase')) {
      case 'Succeeded':
        return [{ ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' }];
      case 'Failed':
        return [{ ...completed, reason: 'Failed', message: 'The pod failed.' }];
      default:
        return [];
    }
  },
};

interface Summary {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** Time of the last restart; empty without one. */
  readonly restarted: string;
}

/** State of the containers that are counted. */
interface Tally {
  ready: number;
  restarts: number;
  restarted: string;
}

function summaryOf(pod: JsonObject): Summary {
  const sidecars = array(pod, 'spec', 'initContainers').filter(isSidecar);
  const total = array(pod, 'spec', 'containers').length + sidecars.length;
  const init = initContainers(pod, new Set(sidecars.map((container) => text(container, 'name'))));
  if (init.reason !== undefined && !isConditionTrue(pod, 'Initialized')) {
    return { total, ...init.all, ready: init.sidecars.ready, reason: init.reason };
  }
  const tally = init.sidecars;
  const reason = mainContainers(pod, init.reason ?? initialReason(pod), tally);
  return { total, ...tally, reason };
}

function isSidecar(container: Json): boolean {
  return text(container, 'restartPolicy') === 'Always';
}

function initialReason(pod: JsonObject): string {
  const gated = text(conditionOf(pod, 'PodScheduled'), 'reason') === 'SchedulingGated';
  return gated ? 'SchedulingGated' : text(pod, 'status', 'reason') || text(pod, 'status', 'phase');
}

interface InitSummary {
  readonly all: Tally;
  readonly sidecars: Tally;
  /** The reason if a container has not completed its initialization. */
  readonly reason: string | undefined;
}

function initContainers(pod: JsonObject, sidecarNames: ReadonlySet<string>): InitSummary {
  const all = { ready: 0, restarts: 0, restarted: '' };
  const sidecars = { ready: 0, restarts: 0, restarted: '' };
  const total = array(pod, 'spec', 'initContainers').length;
  for (const [index, status] of array(pod, 'status', 'initContainerStatuses').entries()) {
    const sidecar = sidecarNames.has(text(status, 'name'));
    addRestarts(all, status);
    if (sidecar) addRestarts(sidecars, status);
    const terminated = at(status, 'state', 'terminated');
    if (isObject(terminated) && count(terminated, 'exitCode') === 0) continue;
    if (sidecar && own(status, 'started') === true) {
      if (own(status, 'ready') === true) sidecars.ready += 1;
      continue;
    }
    const waiting = text(status, 'state', 'waiting', 'reason');
    if (isObject(terminated)) return { all, sidecars, reason: `Init:${exitReason(terminated)}` };
    const reason = waiting !== '' && waiting !== 'PodInitializing' ? waiting : `${index}/${total}`;
    return { all, sidecars, reason: `Init:${reason}` };
  }
  return { all, sidecars, reason: undefined };
}

function addRestarts(tally: Tally, status: Json): void {
  tally.restarts += count(status, 'restartCount');
  const finished = text(status, 'lastState', 'terminated', 'finishedAt');
  if (finished > tally.restarted) tally.restarted = finished;
}

function exitReason(terminated: JsonObject): string {
  const signal = count(terminated, 'signal');
  const code = signal === 0 ? `ExitCode:${count(terminated, 'exitCode')}` : `Signal:${signal}`;
  return text(terminated, 'reason') || code;
}

/** Adds the containers to the tally, and returns the reason of the pod. */
function mainContainers(pod: JsonObject, initial: string, tally: Tally): string {
  let [reason, errorReason, hasRunning] = [initial, '', false];
  for (const status of array(pod, 'status', 'containerStatuses').toReversed()) {
    addRestarts(tally, status);
    const waiting = text(status, 'state', 'waiting', 'reason');
    const terminated = at(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (isObject(terminated)) {
      reason = exitReason(terminated);
      if (count(terminated, 'exitCode') !== 0) errorReason = reason;
    } else if (own(status, 'ready') === true && isObject(at(status, 'state', 'running'))) {
      hasRunning = true;
      tally.ready += 1;
    }
  }
  if (reason !== 'Completed') return reason;
  if (hasRunning && isConditionTrue(pod, 'Ready')) return 'Running';
  if (errorReason !== '') return errorReason;
  return hasRunning ? 'NotReady' : reason;
}

function statusOf(pod: JsonObject, reason: string): string {
  if (!isDeleting(pod)) return reason;
  if (text(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(text(pod, 'status', 'phase')) ? reason : 'Terminating';
}

function restartsOf({ restarts, restarted }: Summary, now: number): string {
  return restarts !== 0 && restarted !== '' ? `${restarts} (${age(restarted, now)} ago)` : String(restarts);
}

function readinessGates(pod: JsonObject): string {
  const gates = array(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const passed = gates.filter((gate) => isConditionTrue(pod, text(gate, 'conditionType')));
  return `${passed.length}/${gates.length}`;
}
