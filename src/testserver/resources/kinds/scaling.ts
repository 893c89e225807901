/** Horizontal pod autoscalers, in the form of `autoscaling/v2`. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import {
  all,
  below,
  type Check,
  each,
  first,
  members,
  named,
  oneOf,
  optional,
  present,
  valid,
  whole,
} from './support/checks.ts';
import { pathSegmentProblem } from './support/names.ts';
import type { KindRules } from './support/rules.ts';
import { selector } from './support/selectors.ts';

const cpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const scaleDown = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

const target: Check = members({
  kind: named(pathSegmentProblem),
  name: named(pathSegmentProblem),
  apiVersion: (value, path) => {
    const version = String(value ?? '');
    const isGrouped = version === 'v1' || version.includes('/');
    return isGrouped ? [] : [invalidValue(path, version, 'apiVersion must specify API group')];
  },
});

const scalingPolicy: Check = members({
  type: oneOf('Percent', 'Pods'),
  value: (value, path) => aboveZero(value, path),
  periodSeconds: all(
    (value, path) => aboveZero(value, path),
    (value, path) =>
      Number(value) > 1800 ? [invalidValue(path, value ?? 0, 'must be less than or equal to 1800')] : [],
  ),
});

const aboveZero: Check = (value, path) =>
  Number(value ?? 0) > 0 ? [] : [invalidValue(path, value ?? 0, 'must be greater than zero')];

const stabilization: Check = (value, path) =>
  Number(value) < 0
    ? [invalidValue(path, value ?? 0, 'must be greater than or equal to zero')]
    : Number(value) > 3600
      ? [invalidValue(path, value ?? 0, 'must be less than or equal to 3600')]
      : [];

const scaling = optional(
  members({
    stabilizationWindowSeconds: optional(stabilization),
    selectPolicy: optional(oneOf('Disabled', 'Max', 'Min')),
    policies: first(present('must specify at least one Policy'), each(scalingPolicy)),
  }),
);

const replicas: Check = whole((value, path) => {
  const [low, high] = [Number(own(value, 'minReplicas') ?? 1), Number(own(value, 'maxReplicas') ?? 0)];
  const at = below(path, 'maxReplicas');
  return [
    ...(low === 0 && !hasOutside(value) ? [forbiddenField(below(path, 'metrics'), fromZero)] : []),
    ...(low < 1 ? [invalidValue(below(path, 'minReplicas'), low, 'must be greater than or equal to 1')] : []),
    ...(high === 0 ? [required(at, 'must be set and greater than 0')] : []),
    ...(high < 0 ? [invalidValue(at, high, 'must be greater than or equal to 1')] : []),
    ...(high < low ? [invalidValue(at, high, 'must be greater than or equal to `minReplicas`')] : []),
    ...target(own(value, 'scaleTargetRef'), below(path, 'scaleTargetRef')),
    ...each(metric)(own(value, 'metrics'), below(path, 'metrics')),
    ...optional(members({ scaleUp: scaling, scaleDown: scaling }))(
      own(value, 'behavior'),
      below(path, 'behavior'),
    ),
  ];
});

const fromZero = 'must specify at least one Object or External metric to support scaling to zero replicas';

/** Without pods, only metrics of other objects can show load. */
function hasOutside(value: JsonObject): boolean {
  return array(value, 'metrics').some((item) => ['Object', 'External'].includes(text(item, 'type')));
}

const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

const metric: Check = whole((value, path) => {
  const type = text(value, 'type');
  if (type === '')
    return [
      required(below(path, 'type'), 'must specify a metric source type'),
      ...oneOf(...Object.keys(sources))(type, below(path, 'type')),
    ];
  const member = sources[type];
  if (member === undefined) {
    const unknown = oneOf(...Object.keys(sources))(type, below(path, 'type'));
    // As on a real server, twice.
    return [...unknown, ...unknown];
  }
  if (!isObject(own(value, member)))
    return [required(below(path, member), `must populate information for the given metric source`)];
  return [
    ...namesOf(member)(own(value, member), below(path, member)),
    ...targetErrors(own(value, member), below(path, member)),
    ...(member === 'object'
      ? objectErrors(object(value, member, 'target'), `${below(path, member)}.target`)
      : []),
    ...(member === 'resource' || member === 'containerResource'
      ? amountErrors(object(value, member, 'target'), below(below(path, member), 'target'))
      : []),
  ];
});

const metricName = members({
  metric: members({
    name: first(present('must specify a metric name'), valid(pathSegmentProblem)),
    selector: optional(selector),
  }),
});

const resourceName = members({ name: present('must specify a resource name') });

const names: Readonly<Record<string, Check>> = {
  containerResource: all(resourceName, members({ container: present('must specify a container') })),
  external: metricName,
  object: all(
    metricName,
    members({
      describedObject: members({ kind: named(pathSegmentProblem), name: named(pathSegmentProblem) }),
    }),
  ),
  pods: metricName,
  resource: resourceName,
};

/** Returns the check of the names in a source. */
function namesOf(source: string): Check {
  return names[source] ?? (() => []);
}

function objectErrors(goal: JsonObject, path: string): readonly FieldError[] {
  const isGiven = ['value', 'averageValue'].some((key) => (own(goal, key) ?? null) !== null);
  return isGiven
    ? []
    : [required(below(path, 'averageValue'), 'must set either a target value or averageValue')];
}

/** A target of a resource is either an amount or a share of the request. */
function amountErrors(goal: JsonObject, path: string): readonly FieldError[] {
  const given = ['averageUtilization', 'averageValue'].filter((key) => own(goal, key) !== undefined);
  const words = 'a target raw value or a target utilization';
  if (given.length === 0) return [required(below(path, 'averageUtilization'), `must set either ${words}`)];
  return given.length === 1
    ? []
    : [
        forbiddenField(
          below(path, 'averageValue'),
          'may not set both a target raw value and a target utilization',
        ),
      ];
}

function targetErrors(source: Json | undefined, path: string): readonly FieldError[] {
  const goal = object(source, 'target');
  const at = below(path, 'target');
  const utilization = own(goal, 'averageUtilization');
  const type = text(goal, 'type');
  const isKnown = ['AverageValue', 'Utilization', 'Value'].includes(type);
  return [
    ...(type === '' ? [required(below(at, 'type'), 'must specify a metric target type')] : []),
    ...(isKnown
      ? []
      : [invalidValue(below(at, 'type'), type, 'must be either Utilization, Value, or AverageValue')]),
    ...(typeof utilization === 'number' && utilization < 1
      ? [invalidValue(below(at, 'averageUtilization'), utilization, 'must be greater than 0')]
      : []),
  ];
}

/** Rules by storage key. */
export const scalingRules: Readonly<Record<string, KindRules>> = {
  'horizontalpodautoscalers.autoscaling': {
    defaults: withDefaults,
    create: (value) => putAt(value, ['status'], { desiredReplicas: 0, currentMetrics: null }),
    check: (value) => replicas(own(value, 'spec'), 'spec'),
  },
};

function withDefaults(value: JsonObject): JsonObject {
  const spec = object(value, 'spec');
  const metrics = array(spec, 'metrics').length === 0 ? { metrics: [cpu] } : {};
  const behavior = own(spec, 'behavior');
  const complete = isObject(behavior)
    ? {
        behavior: {
          ...behavior,
          scaleUp: { ...scaleUp, ...object(behavior, 'scaleUp') },
          scaleDown: { ...scaleDown, ...object(behavior, 'scaleDown') },
        },
      }
    : {};
  const status = object(value, 'status');
  return {
    ...value,
    spec: { minReplicas: 1, ...spec, ...metrics, ...complete },
    status: { desiredReplicas: 0, currentMetrics: null, ...status },
  };
}
