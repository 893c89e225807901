/** Continuation of containers that a status reports, such as those of a snapshot. */

import { array, isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { number } from '../../workloads/values.ts';
import type { ContainerProcess } from './container-process.ts';
import type { ContainerEnd } from './termination.ts';

const lists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'];

/** Sets the state of containers by the status of their pod. Returns whether one of them has started. */
export function resumed(containers: readonly ContainerProcess[], pod: JsonObject): boolean {
  const statuses = lists.flatMap((list) => array(pod, 'status', list));
  let isAny = false;
  for (const container of containers) {
    const status = statuses.find((each) => text(each, 'name') === container.name);
    if (status === undefined) continue;
    const restarts = number(status, 0, 'restartCount');
    const state = object(status, 'state');
    const running = own(state, 'running');
    const last = own(object(status, 'lastState'), 'terminated');
    const terminated = own(state, 'terminated') ?? last;
    if (!isObject(running) && !isObject(terminated)) continue;
    isAny = true;
    const end = isObject(terminated) ? endOf(terminated, restarts) : undefined;
    const startedAt = Date.parse(text(running, 'startedAt'));
    if (terminated !== last && isObject(last)) container.previousEnd = endOf(last, restarts - 1);
    container.resume(Number.isNaN(startedAt) ? 0 : startedAt, restarts, end, isObject(running));
  }
  return isAny;
}

function endOf(terminated: Json, run: number): ContainerEnd {
  const time = (key: string): number => {
    const found = Date.parse(text(terminated, key));
    return Number.isNaN(found) ? 0 : found;
  };
  return {
    startedAt: time('startedAt'),
    finishedAt: time('finishedAt'),
    code: number(terminated, 0, 'exitCode'),
    reason: text(terminated, 'reason'),
    message: text(terminated, 'message') || undefined,
    run,
  };
}
