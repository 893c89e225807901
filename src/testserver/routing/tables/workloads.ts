/** Columns of the workloads of `apps` and `batch`. */

import { array, at, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { selectorText } from '../../resources/label-selector.ts';
import { controllerOf, isConditionTrue, isDeleting, nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { age, humanDuration } from './duration.ts';
import { ageOf, containerCells, count, formatLabels, formatSelector, printed } from './values.ts';

/** Columns by kind. */
export const workloads: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    'apps/Deployment',
    {
      columns: parseColumns('Name,Ready,Up-to-date,Available,Age,+Containers,+Images,+Selector'),
      cells: (value, now) => [
        nameOf(value),
        `${count(value, 'status', 'readyReplicas')}/${count(value, 'spec', 'replicas')}`,
        count(value, 'status', 'updatedReplicas'),
        count(value, 'status', 'availableReplicas'),
        ageOf(value, now),
        ...containerCells(templateOf(value)),
        selectorText(at(value, 'spec', 'selector')),
      ],
    },
  ],
  ['apps/ReplicaSet', replicas((value) => formatSelector(at(value, 'spec', 'selector')))],
  ['/ReplicationController', replicas((value) => formatLabels(object(value, 'spec', 'selector')))],
  [
    'apps/StatefulSet',
    {
      columns: parseColumns('Name,Ready,Age,+Containers,+Images'),
      cells: (value, now) => [
        nameOf(value),
        `${count(value, 'status', 'readyReplicas')}/${count(value, 'spec', 'replicas')}`,
        ageOf(value, now),
        ...containerCells(templateOf(value)),
      ],
    },
  ],
  [
    'apps/DaemonSet',
    {
      columns: parseColumns(
        'Name,Desired:integer,Current:integer,Ready:integer,Up-to-date:integer,Available:integer,Node Selector,Age,+Containers,+Images,+Selector',
      ),
      cells: (value, now) => [
        nameOf(value),
        ...[
          'desiredNumberScheduled',
          'currentNumberScheduled',
          'numberReady',
          'updatedNumberScheduled',
          'numberAvailable',
        ].map((key) => count(value, 'status', key)),
        formatLabels(object(templateOf(value), 'nodeSelector')),
        ageOf(value, now),
        ...containerCells(templateOf(value)),
        formatSelector(at(value, 'spec', 'selector')),
      ],
    },
  ],
  [
    'apps/ControllerRevision',
    {
      columns: parseColumns('Name,Controller,Revision,Age'),
      cells: (value, now) => [
        nameOf(value),
        controllerName(value),
        own(value, 'revision') ?? 0,
        ageOf(value, now),
      ],
    },
  ],
  [
    'batch/Job',
    {
      columns: parseColumns('Name,Status,Completions,Duration,Age,+Containers,+Images,+Selector'),
      cells: (value, now) => [
        nameOf(value),
        jobStatus(value),
        completions(value),
        jobDuration(value, now),
        ageOf(value, now),
        ...containerCells(templateOf(value)),
        formatSelector(at(value, 'spec', 'selector')),
      ],
    },
  ],
  [
    'batch/CronJob',
    {
      columns: parseColumns(
        'Name,Schedule,Timezone,Suspend:boolean,Active:integer,Last Schedule,Age,+Containers,+Images,+Selector',
      ),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'spec', 'schedule'),
        printed(value, '<none>', 'spec', 'timeZone'),
        suspended(at(value, 'spec', 'suspend')),
        array(value, 'status', 'active').length,
        lastSchedule(value, now),
        ageOf(value, now),
        ...containerCells(templateOf(object(value, 'spec', 'jobTemplate'))),
        formatSelector(at(value, 'spec', 'jobTemplate', 'spec', 'selector')),
      ],
    },
  ],
]);

function templateOf(value: JsonObject): JsonObject {
  return object(value, 'spec', 'template', 'spec');
}

function replicas(selector: (value: JsonObject) => string): Printer {
  return {
    columns: parseColumns(
      'Name,Desired:integer,Current:integer,Ready:integer,Age,+Containers,+Images,+Selector',
    ),
    cells: (value, now) => [
      nameOf(value),
      count(value, 'spec', 'replicas'),
      count(value, 'status', 'replicas'),
      count(value, 'status', 'readyReplicas'),
      ageOf(value, now),
      ...containerCells(templateOf(value)),
      selector(value),
    ],
  };
}

function controllerName(value: JsonObject): string {
  const owner = controllerOf(value);
  if (owner === undefined) return '<none>';
  const [group = ''] = text(owner, 'apiVersion').includes('/') ? text(owner, 'apiVersion').split('/') : [''];
  const kind = text(owner, 'kind').toLowerCase();
  return `${kind}${group === '' ? '' : `.${group}`}/${text(owner, 'name')}`;
}

function jobStatus(value: JsonObject): string {
  if (isConditionTrue(value, 'Complete')) return 'Complete';
  if (isConditionTrue(value, 'Failed')) return 'Failed';
  if (isDeleting(value)) return 'Terminating';
  const found = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) =>
    isConditionTrue(value, type),
  );
  return found ?? 'Running';
}

function completions(value: JsonObject): string {
  const succeeded = count(value, 'status', 'succeeded');
  const expected = at(value, 'spec', 'completions');
  if (typeof expected === 'number') return `${succeeded}/${expected}`;
  const parallelism = count(value, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(value: JsonObject, now: number): string {
  const start = Date.parse(text(value, 'status', 'startTime'));
  if (Number.isNaN(start)) return '';
  const end = Date.parse(text(value, 'status', 'completionTime'));
  return humanDuration((Number.isNaN(end) ? now : end) - start);
}

function suspended(value: Json | undefined): string {
  if (typeof value !== 'boolean') return '<unset>';
  return value ? 'True' : 'False';
}

function lastSchedule(value: JsonObject, now: number): string {
  const time = text(object(value, 'status'), 'lastScheduleTime');
  return time === '' ? '<none>' : age(time, now);
}
