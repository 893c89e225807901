/** Columns of autoscalers and scales. */

import { array, at, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { ageOf, count, printed } from './values.ts';

/** Columns by kind. */
export const autoscaling: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    'autoscaling/HorizontalPodAutoscaler',
    {
      columns: parseColumns('Name,Reference,Targets,MinPods,MaxPods,Replicas,Age'),
      cells: (value, now) => [
        nameOf(value),
        `${text(value, 'spec', 'scaleTargetRef', 'kind')}/${text(value, 'spec', 'scaleTargetRef', 'name')}`,
        targets(value),
        printed(value, '<unset>', 'spec', 'minReplicas'),
        count(value, 'spec', 'maxReplicas'),
        count(value, 'status', 'currentReplicas'),
        ageOf(value, now),
      ],
    },
  ],
  [
    'autoscaling/Scale',
    {
      columns: parseColumns('Name,Desired:integer,Available:integer,Age').map((column) => ({
        ...column,
        format: '',
      })),
      cells: (value, now) => [
        nameOf(value),
        count(value, 'spec', 'replicas'),
        count(value, 'status', 'replicas'),
        ageOf(value, now),
      ],
    },
  ],
]);

const maxTargets = 2;

function targets(value: JsonObject): string {
  const utilization = at(value, 'spec', 'targetCPUUtilizationPercentage');
  if (utilization !== undefined) {
    const current = printed(value, '<unknown>', 'status', 'currentCPUUtilizationPercentage');
    return `cpu: ${current === '<unknown>' ? current : `${current}%`}/${String(utilization)}%`;
  }
  const statuses = array(value, 'status', 'currentMetrics');
  const list = array(value, 'spec', 'metrics').map((spec, index) => target(spec, statuses[index]));
  if (list.length === 0) return '<none>';
  const shown = list.slice(0, maxTargets).join(', ');
  return list.length > maxTargets ? `${shown} + ${list.length - maxTargets} more...` : shown;
}

/** Sources of metrics by type: the member with the source. */
const sources: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

function target(spec: Json, status: Json | undefined): string {
  const type = text(spec, 'type');
  const source = sources[type];
  if (source === undefined) return '<unknown type>';
  const goal = at(spec, source, 'target');
  const current = at(status, source, 'current');
  const average = printed(goal, '', 'averageValue');
  if (type.endsWith('Resource')) return `${text(spec, source, 'name')}: ${resourceTarget(goal, current)}`;
  if (type === 'Pods' || average === '') {
    const key = type === 'Pods' ? 'averageValue' : 'value';
    return `${printed(current, '<unknown>', key)}/${printed(goal, '', key)}`;
  }
  return `${printed(current, '<unknown>', 'averageValue')}/${average} (avg)`;
}

function resourceTarget(goal: Json | undefined, current: Json | undefined): string {
  const average = printed(goal, '', 'averageValue');
  if (average !== '') return `${printed(current, '<unknown>', 'averageValue')}/${average}`;
  const percent = (value: Json | undefined, missing: string): string => {
    const utilization = at(value, 'averageUtilization');
    return utilization === undefined ? missing : `${String(utilization)}%`;
  };
  return `${percent(current, '<unknown>')}/${percent(goal, '<auto>')}`;
}
