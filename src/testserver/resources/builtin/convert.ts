/** Conversion of built-in kinds between their versions, through the form in which they are stored. */
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  replace,
  text,
} from '@kgen/schema/values/json';
import type { ResourceType } from '../type.ts';
import { normalizeGo } from './go-decode.ts';
import { goStruct, homeOf } from './go-type.ts';

/** Conversion of one version from and to the stored form. Both results are normalized afterwards. */
interface Conversion {
  readonly toStored: (value: JsonObject) => JsonObject;
  readonly fromStored: (value: JsonObject) => JsonObject;
}

/** By `apiVersion Kind`. Other versions differ from the stored one by their apiVersion only. */
const conversions: Readonly<Record<string, Conversion>> = {
  'events.k8s.io/v1 Event': rename({
    regarding: 'involvedObject',
    note: 'message',
    reportingController: 'reportingComponent',
    deprecatedSource: 'source',
    deprecatedFirstTimestamp: 'firstTimestamp',
    deprecatedLastTimestamp: 'lastTimestamp',
    deprecatedCount: 'count',
  }),
  'autoscaling/v1 HorizontalPodAutoscaler': { toStored: autoscalerToV2, fromStored: autoscalerToV1 },
  'resource.k8s.io/v1beta1 ResourceClaim': requests(['spec']),
  'resource.k8s.io/v1beta1 ResourceClaimTemplate': requests(['spec', 'spec']),
  'resource.k8s.io/v1beta1 ResourceSlice': {
    toStored: (value) => devices(value, flatDevice),
    fromStored: (value) => devices(value, basicDevice),
  },
};

/** Returns an object of the type in the form of its storage. */
export function toStored(value: JsonObject, type: ResourceType): JsonObject {
  return convert(
    value,
    type,
    type.storageApiVersion,
    conversions[`${type.apiVersion} ${type.kind}`]?.toStored,
  );
}

/** Returns a stored object in the version of the type. */
export function fromStored(value: JsonObject, type: ResourceType): JsonObject {
  return convert(value, type, type.apiVersion, conversions[`${type.apiVersion} ${type.kind}`]?.fromStored);
}

function convert(
  value: JsonObject,
  type: ResourceType,
  apiVersion: string,
  change: ((value: JsonObject) => JsonObject) | undefined,
): JsonObject {
  if (type.apiVersion === type.storageApiVersion) return value;
  const versioned = replace(value, 'apiVersion', apiVersion);
  if (change === undefined) return versioned;
  const slash = apiVersion.lastIndexOf('/');
  const [group, version] =
    slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const struct = goStruct(homeOf(group, version), type.kind);
  const changed = change(versioned);
  return struct === undefined ? changed : normalizeGo(changed, struct);
}

/** Returns whether the fields of a type differ from those of its stored form. */
export function hasOwnForm(type: ResourceType): boolean {
  return (
    conversions[`${type.apiVersion} ${type.kind}`] !== undefined && type.apiVersion !== type.storageApiVersion
  );
}

function rename(names: Readonly<Record<string, string>>): Conversion {
  const inverse = Object.fromEntries(Object.entries(names).map(([own_, stored]) => [stored, own_]));
  const renamed = (value: JsonObject, keys: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([key, item]) => [Object.hasOwn(keys, key) ? (keys[key] ?? key) : key, item]),
    );
  return { toStored: (value) => renamed(value, names), fromStored: (value) => renamed(value, inverse) };
}

const cpuPercentage = 'targetCPUUtilizationPercentage';
const annotations = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
} as const;

function autoscalerToV2(value: JsonObject): JsonObject {
  const [spec, status] = [object(value, 'spec'), object(value, 'status')];
  const percentage = own(spec, cpuPercentage);
  const kept = object(value, 'metadata', 'annotations');
  const metrics = [
    ...(percentage === undefined ? [] : [cpuMetric(percentage)]),
    ...readList(kept, annotations.metrics),
  ];
  const behavior = readJson(kept, annotations.behavior);
  const metadata = omit(object(value, 'metadata'), 'annotations');
  const rest = omit(kept, ...Object.values(annotations));
  const current = own(status, 'currentCPUUtilizationPercentage');
  return {
    ...value,
    metadata: Object.keys(rest).length === 0 ? metadata : { ...metadata, annotations: rest },
    spec: {
      ...omit(spec, cpuPercentage),
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(isObject(behavior) ? { behavior } : {}),
    },
    status: {
      ...omit(status, 'currentCPUUtilizationPercentage'),
      currentMetrics:
        current === undefined
          ? null
          : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }],
      ...(readList(kept, annotations.conditions).length === 0
        ? {}
        : { conditions: readList(kept, annotations.conditions) }),
    },
  };
}

function cpuMetric(percentage: Json): JsonObject {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percentage } },
  };
}

function autoscalerToV1(value: JsonObject): JsonObject {
  const [spec, status] = [object(value, 'spec'), object(value, 'status')];
  const metrics = array(spec, 'metrics');
  const cpu = metrics.find(isCpuMetric);
  const others = metrics.filter((metric) => metric !== cpu);
  const kept = {
    ...(others.length === 0 ? {} : { [annotations.metrics]: JSON.stringify(others) }),
    ...(isObject(own(spec, 'behavior'))
      ? { [annotations.behavior]: JSON.stringify(own(spec, 'behavior')) }
      : {}),
    ...(array(status, 'conditions').length === 0
      ? {}
      : { [annotations.conditions]: JSON.stringify(array(status, 'conditions')) }),
  };
  const annotated =
    Object.keys(kept).length === 0
      ? value
      : putAt(value, ['metadata', 'annotations'], { ...object(value, 'metadata', 'annotations'), ...kept });
  const current = array(status, 'currentMetrics').find(
    (metric) => text(metric, 'resource', 'name') === 'cpu',
  );
  const utilization = own(object(current, 'resource', 'current'), 'averageUtilization');
  return {
    ...annotated,
    spec: {
      ...omit(spec, 'metrics', 'behavior'),
      ...(cpu === undefined
        ? {}
        : { [cpuPercentage]: own(object(cpu, 'resource', 'target'), 'averageUtilization') ?? null }),
    },
    status: {
      ...omit(status, 'currentMetrics', 'conditions'),
      ...(utilization === undefined ? {} : { currentCPUUtilizationPercentage: utilization }),
    },
  };
}

function isCpuMetric(metric: Json): boolean {
  return (
    text(metric, 'type') === 'Resource' &&
    text(metric, 'resource', 'name') === 'cpu' &&
    typeof own(object(metric, 'resource', 'target'), 'averageUtilization') === 'number'
  );
}

function readJson(kept: JsonObject, name: string): Json | undefined {
  try {
    // The value is JSON if the parser accepts it.
    return JSON.parse(text(kept, name)) as Json;
  } catch {
    return undefined;
  }
}

function readList(kept: JsonObject, name: string): readonly Json[] {
  return array(readJson(kept, name));
}

/** In `v1beta1` a request has the members of `exactly` itself. */
function requests(path: readonly string[]): Conversion {
  const at = [...path, 'devices', 'requests'];
  const change = (value: JsonObject, one: (request: JsonObject) => JsonObject): JsonObject => {
    const items = array(value, ...at);
    return items.length === 0
      ? value
      : putAt(
          value,
          at,
          items.map((item) => (isObject(item) ? one(item) : item)),
        );
  };
  return {
    toStored: (value) => change(value, exactRequest),
    fromStored: (value) => change(value, flatRequest),
  };
}

function exactRequest(request: JsonObject): JsonObject {
  const { name = '', firstAvailable, ...members } = request;
  if (firstAvailable !== undefined) return { name, firstAvailable };
  return Object.keys(members).length === 0 ? { name } : { name, exactly: members };
}

function flatRequest(request: JsonObject): JsonObject {
  return { ...omit(request, 'exactly'), ...object(request, 'exactly') };
}

function devices(value: JsonObject, change: (device: JsonObject) => JsonObject): JsonObject {
  const items = array(value, 'spec', 'devices');
  if (items.length === 0) return value;
  return putAt(
    value,
    ['spec', 'devices'],
    items.map((item) => (isObject(item) ? change(item) : item)),
  );
}

function flatDevice(device: JsonObject): JsonObject {
  return { ...omit(device, 'basic'), ...object(device, 'basic') };
}

function basicDevice(device: JsonObject): JsonObject {
  const { name = '', ...basic } = device;
  return { name, basic };
}
