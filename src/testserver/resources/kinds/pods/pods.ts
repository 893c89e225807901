/** Pods: preparation, built-in admission and updates. */
import { forbiddenField } from '@kgen/runtime/objects';
import {
  array,
  isObject,
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
import { withPair } from '../support/fill.ts';
import type { KindRules } from '../support/rules.ts';
import { admitPod } from './admission.ts';
import { withPodDefaults } from './defaults.ts';
import { podSpec, tokens } from './spec.ts';
import { checkUpdate, isGated, qosClass } from './updates.ts';

const addresses = { path: ['status'], one: 'podIP', many: 'podIPs', key: 'ip' };

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
        status: isGated(value)
          ? { ...status, conditions: [{ ...gatedCondition, lastTransitionTime: cluster.now() }] }
          : status,
      };
    },
    check: (value) => podSpec(own(value, 'spec'), 'spec'),
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
  const containers = array(value, 'spec', 'ephemeralContainers');
  const next = replace(value, 'spec', omit(object(old, 'spec'), 'ephemeralContainers'));
  return containers.length === 0 ? next : putAt(next, ['spec', 'ephemeralContainers'], containers);
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

function hostname(name: string): readonly string[] {
  if (name.length > 63) return [hostnameWarning('must be no more than 63 characters')];
  return name.includes('.') ? [hostnameWarning('must not contain dots')] : [];
}

const gatedCondition = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};
