/** Events of both groups. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { equal, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { validateFinalizers, validateMetadata } from '../metadata.ts';
import { type Check, members, optional, present } from './support/checks.ts';
import { pathSegmentProblem, qualifiedProblems } from './support/names.ts';
import type { KindRules, KindWrite } from './support/rules.ts';

/** Events without a time are validated as older ones: their object is in the same namespace. */
const event: Check = (value) => {
  if ((own(value, 'eventTime') ?? null) !== null) return [];
  const namespace = text(value, 'metadata', 'namespace');
  const of = text(value, 'involvedObject', 'namespace');
  // Events of cluster-scoped objects are in the namespace `default`.
  const isCluster = of === '' && namespace === 'default';
  return of === namespace || isCluster
    ? []
    : [invalidValue('involvedObject.namespace', of, 'does not match event.namespace')];
};

/** Members of events that updates through `events.k8s.io` cannot change: all but the series. */
const fixedMembers = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];

export const events: KindRules = {
  name: pathSegmentProblem,
  metadataLast: true,
  createOnUpdate: true,
  check: event,
  checkWrite: (write) => [...newEvent(write.value, write.apiVersion), ...strictEvent(write)],
};

/** Events with a time have the members of `events.k8s.io`, which name the controller in their own way. */
function newEvent(value: JsonObject, apiVersion: string): readonly FieldError[] {
  if ((own(value, 'eventTime') ?? null) === null) return [];
  const component = text(value, 'reportingComponent');
  const field = apiVersion === 'v1' ? 'reportingComponent' : 'reportingController';
  const hasNoNamespace = text(value, 'involvedObject', 'namespace') === '';
  const isOutside = !['default', 'kube-system'].includes(text(value, 'metadata', 'namespace'));
  return [
    ...(hasNoNamespace && isOutside
      ? [invalidValue('involvedObject.namespace', '', 'does not match event.namespace')]
      : []),
    ...present()(component, field),
    ...qualifiedProblems(component).map((detail) => invalidValue(field, component, detail)),
    ...['reportingInstance', 'action', 'reason'].flatMap((key) => present()(own(value, key), key)),
  ];
}

const series: Check = optional(
  members({
    count: (count, path) => (Number(count ?? 0) < 2 ? [invalidValue(path, '', 'should be at least 2')] : []),
    lastObservedTime: present(),
  }),
);

/** New events of `events.k8s.io` are complete, and have no deprecated members. */
function strictEvent({ value, old, apiVersion }: KindWrite): readonly FieldError[] {
  if (apiVersion !== 'events.k8s.io/v1') return [];
  if (old !== undefined) return [...series(own(value, 'series'), 'series'), ...fixedEvent(value, old)];
  const type = text(value, 'type');
  const deprecated: readonly (readonly [stored: string, name: string])[] = [
    ['firstTimestamp', 'deprecatedFirstTimestamp'],
    ['lastTimestamp', 'deprecatedLastTimestamp'],
    ['count', 'deprecatedCount'],
  ];
  return [
    ...validateMetadata(value, true, 'subdomain'),
    ...validateFinalizers(value),
    ...((own(value, 'eventTime') ?? null) === null ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...series(own(value, 'series'), 'series'),
    ...deprecated
      .filter(([stored]) => (own(value, stored) ?? null) !== null)
      .map(([, name]) => invalidValue(name, '', 'needs to be unset')),
  ];
}

function fixedEvent(value: JsonObject, old: JsonObject): readonly FieldError[] {
  return fixedMembers
    .filter((key) => !equal(own(value, key), own(old, key)))
    .map((key) =>
      invalidValue(
        key === 'reportingComponent' ? 'reportingController' : key,
        printReference(own(value, key) ?? absent(key)),
        'field is immutable',
      ),
    );
}

/** Returns the value of an absent member, which is a string unless it is one of these. */
function absent(key: string): Json {
  return ['source', 'firstTimestamp', 'lastTimestamp', 'count', 'eventTime', 'related'].includes(key)
    ? null
    : '';
}

/** The server prints its internal type of a reference. */
function printReference(value: Json): Json {
  if (!isObject(value)) return value;
  const names = ['Kind', 'Namespace', 'Name', 'UID', 'APIVersion', 'ResourceVersion', 'FieldPath'];
  const key = (name: string): string =>
    name === 'UID'
      ? 'uid'
      : name === 'APIVersion'
        ? 'apiVersion'
        : name.charAt(0).toLowerCase() + name.slice(1);
  return Object.fromEntries(names.map((name) => [name, text(value, key(name))]));
}
