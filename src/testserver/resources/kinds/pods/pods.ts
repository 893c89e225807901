/** Pods: preparation, built-in admission and updates. */
import { type FieldError, forbiddenField, invalidValue } from '@kgen/runtime/objects';
import {
  array,
  equal,
  isArray,
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
import { quantityNanos } from '../../builtin/quantity.ts';
import { bumpGeneration } from '../../strategy.ts';
import type { Check } from '../support/checks.ts';
import { withPair } from '../support/fill.ts';
import type { KindRules, KindWrite } from '../support/rules.ts';
import { admitPod } from './admission.ts';
import { withPodDefaults } from './defaults.ts';
import { podSpec, tokens } from './spec.ts';

/** Returns the quality-of-service class of a pod. */
export function qosClass(pod: JsonObject): string {
  const all = ['containers', 'initContainers'].flatMap((key) => array(pod, 'spec', key));
  const read = (item: Json, list: string, name: string): bigint =>
    quantityNanos(String(own(object(item, 'resources', list), name) ?? '0')) ?? 0n;
  const names = ['cpu', 'memory'];
  const isBestEffort = all.every((item) =>
    names.every((name) => read(item, 'requests', name) === 0n && read(item, 'limits', name) === 0n),
  );
  if (isBestEffort) return 'BestEffort';
  const isGuaranteed = all.every((item) =>
    names.every(
      (name) =>
        read(item, 'limits', name) > 0n && read(item, 'limits', name) === read(item, 'requests', name),
    ),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

const check: Check = (value) => {
  const spec = own(value, 'spec');
  return [...podSpec(spec, 'spec')];
};

const addresses = { path: ['status'], one: 'podIP', many: 'podIPs', key: 'ip' };

const changeable = [
  'activeDeadlineSeconds',
  'tolerations',
  'terminationGracePeriodSeconds',
  'schedulingGates',
];

const updateDetail =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

const wholeBytes = ['memory', 'ephemeral-storage', 'storage'];

const hostnameWarning = (problem: string): string =>
  `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problem}]`;

/** Rules of pods. */
export const podRules: Readonly<Record<string, KindRules>> = {
  pods: {
    generation: true,
    defaults: (value) => withPair(withPodDefaults(value), addresses),
    admit: admitPod,
    create: (value, cluster) => {
      const status = { phase: 'Pending', qosClass: qosClass(value) };
      return {
        ...value,
        status: gated(value)
          ? { ...status, conditions: [{ ...gatedCondition, lastTransitionTime: cluster.now() }] }
          : status,
      };
    },
    check,
    checkUpdate,
    checkWrite: ({ value, old }) =>
      old === undefined
        ? [
            ...tokens(own(value, 'spec'), 'spec'),
            ...(array(value, 'spec', 'ephemeralContainers').length > 0
              ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
              : []),
          ]
        : [],
    updateStatus: withClass,
    updatePart: (value, old, subresource) => {
      const next = partOf(value, old, subresource);
      // A binding sets the node, which does not count as a change of the specification.
      return subresource === 'binding' ? next : bumpGeneration(next, old, 'status');
    },
    warnings: (value, old) =>
      old === undefined ? [...hostname(text(value, 'metadata', 'name')), ...fractions(value)] : [],
  },
};

/** Bytes cannot be divided. */
function fractions(value: JsonObject): readonly string[] {
  return ['containers', 'initContainers'].flatMap((key) =>
    array(value, 'spec', key).flatMap((item, index) =>
      ['limits', 'requests'].flatMap((list) =>
        Object.entries(object(item, 'resources', list))
          .filter(
            ([name, amount]) =>
              wholeBytes.includes(name) && (quantityNanos(String(amount)) ?? 0n) % 1_000_000_000n !== 0n,
          )
          .map(
            ([name, amount]) =>
              `spec.${key}[${index}].resources.${list}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
          ),
      ),
    ),
  );
}

/** Returns the old pod with the part of the specification that a subresource changes. */
function partOf(value: JsonObject, old: JsonObject, subresource: string): JsonObject {
  if (subresource === 'resize') return resized(value, old);
  if (subresource !== 'ephemeralcontainers') return value;
  const containers = own(object(value, 'spec'), 'ephemeralContainers');
  return containers === undefined
    ? old
    : putAt(replace(value, 'spec', object(old, 'spec')), ['spec', 'ephemeralContainers'], containers);
}

/** Updates that have no quality-of-service class keep it. */
function withClass(value: JsonObject, old: JsonObject): JsonObject {
  const known = text(old, 'status', 'qosClass');
  const isKept = known !== '' && text(value, 'status', 'qosClass') === '';
  return isKept ? putAt(value, ['status', 'qosClass'], known) : value;
}

/** Returns the old pod with the resources of the containers of a new one. */
function resized(value: JsonObject, old: JsonObject): JsonObject {
  return ['containers', 'initContainers'].reduce((result, list) => {
    const items = array(old, 'spec', list);
    if (items.length === 0) return result;
    const next = array(value, 'spec', list);
    const changed = items.map((item) => {
      const found = next.find((each) => text(each, 'name') === text(item, 'name'));
      const resources = own(object(found), 'resources');
      return isObject(item) && resources !== undefined ? replace(item, 'resources', resources) : item;
    });
    return putAt(result, ['spec', list], changed);
  }, old);
}

function checkUpdate({
  value,
  old,
  subresource,
}: KindWrite & { readonly old: JsonObject }): readonly FieldError[] {
  if (subresource === 'resize' && qosClass(value) !== qosClass(old)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    return [invalidValue('spec', qosClass(value), detail)];
  }
  if (subresource !== '') return [];
  const [spec, before] = [object(value, 'spec'), object(old, 'spec')];
  if (array(spec, 'containers').length !== array(before, 'containers').length) {
    return [forbiddenField('spec.containers', 'pod updates may not add or remove containers')];
  }
  if (array(spec, 'initContainers').length !== array(before, 'initContainers').length) {
    return [forbiddenField('spec.initContainers', 'pod updates may not add or remove containers')];
  }
  const tolerations = array(spec, 'tolerations');
  const missing = array(before, 'tolerations').some(
    (item) => !tolerations.some((other) => equal(omitSeconds(item), omitSeconds(other))),
  );
  return [
    ...gateErrors(spec, before),
    ...(missing
      ? [
          forbiddenField(
            'spec.tolerations',
            'existing toleration can not be modified except its tolerationSeconds',
          ),
        ]
      : []),
    ...(equal(fixed(spec), fixed(before)) ? [] : [forbiddenField('spec', updateDetail)]),
  ];
}

/** An update may only remove gates. */
function gateErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const known = array(before, 'schedulingGates').map((gate) => text(gate, 'name'));
  return array(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = text(gate, 'name');
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return known.includes(name) ? [] : [forbiddenField(`spec.schedulingGates[${index}].name`, detail)];
  });
}

function omitSeconds(toleration: Json): Json {
  return isObject(toleration) ? omit(toleration, 'tolerationSeconds') : toleration;
}

/** Returns the specification without the parts that an update may change. */
function fixed(spec: JsonObject): JsonObject {
  const withoutImages = ['containers', 'initContainers'].reduce((result, key) => {
    const items = own(result, key);
    if (!isArray(items)) return result;
    return replace(
      result,
      key,
      items.map((item) => (isObject(item) ? omit(item, 'image') : item)),
    );
  }, spec);
  return omit(withoutImages, ...changeable);
}

function hostname(name: string): readonly string[] {
  if (name.length > 63) return [hostnameWarning('must be no more than 63 characters')];
  return name.includes('.') ? [hostnameWarning('must not contain dots')] : [];
}

function gated(value: JsonObject): boolean {
  return array(value, 'spec', 'schedulingGates').length > 0;
}

const gatedCondition = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};
