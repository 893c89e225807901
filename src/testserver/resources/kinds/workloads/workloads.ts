/** Kinds of `apps/v1`, and replication controllers. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  replace,
  text,
  unlessSame,
} from '@kgen/schema/values/json';
import { podTemplate } from '../pods/spec.ts';
import { below, type Check, immutable, members, nonNegative, present, whole } from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import { subdomainProblem } from '../support/names.ts';
import type { KindRules } from '../support/rules.ts';
import {
  amount,
  atMostAll,
  counts,
  isZeroAmount,
  sameSelector,
  selection,
  specChecks,
  statusCheck,
  template,
  templateChecks,
} from './parts.ts';
import { daemonSets, statefulSets } from './sets.ts';

const deploymentStrategy: Check = whole((value, path) => {
  const type = text(value, 'type');
  const at = below(path, 'rollingUpdate');
  const rolling = own(value, 'rollingUpdate');
  if (type === 'Recreate') {
    return rolling === undefined
      ? []
      : [forbiddenField(at, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (type === 'RollingUpdate')
    return rolling === undefined
      ? [required(at, 'this should be defaulted and never be nil')]
      : rollingErrors(rolling, at);
  // The server prints its internal type.
  const printed = isObject(rolling)
    ? { MaxUnavailable: own(rolling, 'maxUnavailable') ?? null, MaxSurge: own(rolling, 'maxSurge') ?? null }
    : null;
  return [notSupported(path, { Type: type, RollingUpdate: printed }, ['Recreate', 'RollingUpdate'])];
});

function rollingErrors(value: Json, path: string): readonly FieldError[] {
  const [unavailable, surge] = [own(value, 'maxUnavailable'), own(value, 'maxSurge')];
  const at = `${path}.maxUnavailable`;
  return [
    ...amount(unavailable, at),
    ...amount(surge, `${path}.maxSurge`),
    ...(isZeroAmount(unavailable) && isZeroAmount(surge)
      ? [invalidValue(at, unavailable ?? null, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll(unavailable, at),
  ];
}

const deadline: Check = whole((value, path) => {
  const [seconds, ready] = [own(value, 'progressDeadlineSeconds'), own(value, 'minReadySeconds') ?? 0];
  const at = below(path, 'progressDeadlineSeconds');
  if (typeof seconds !== 'number') return [];
  return [
    ...nonNegative(seconds, at),
    ...(typeof ready === 'number' && seconds <= ready
      ? [invalidValue(at, seconds, 'must be greater than minReadySeconds')]
      : []),
  ];
});

const deployments: KindRules = {
  generation: true,
  counted: 'annotations',
  statusKeeps: ['labels'],
  defaults: (value) =>
    fill(value, {
      in: {
        spec: {
          set: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
          in: {
            template,
            strategy: {
              set: { type: 'RollingUpdate' },
              when: (strategy) =>
                text(strategy, 'type') === 'RollingUpdate'
                  ? replace(strategy, 'rollingUpdate', withLimits(object(strategy, 'rollingUpdate')))
                  : strategy,
            },
          },
        },
      },
    }),
  check: specChecks(
    counts,
    selection('deployment', true),
    templateChecks,
    members({ strategy: deploymentStrategy, revisionHistoryLimit: nonNegative }),
    deadline,
  ),
  checkStatus: statusCheck(['updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas']),
  checkUpdate: sameSelector,
};

function withLimits(rolling: JsonObject): JsonObject {
  return unlessSame(rolling, { maxUnavailable: '25%', maxSurge: '25%', ...rolling });
}

const replicaSets: KindRules = {
  generation: true,
  defaults: (value) => fill(value, { in: { spec: { set: { replicas: 1 }, in: { template } } } }),
  check: specChecks(counts, selection('deployment', true), templateChecks),
  checkStatus: statusCheck(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  checkUpdate: sameSelector,
};

const controllerRevisions: KindRules = {
  check: members({ data: present('data is mandatory'), revision: nonNegative }),
  checkUpdate: ({ value, old }) => immutable('data', own(value, 'data'), own(old, 'data')),
};

const replicationControllers: KindRules = {
  // The server counts bytes here.
  name: (name) => subdomainProblem(name)?.replace('253 characters', '253 bytes'),
  generation: true,
  defaults: (value) =>
    fill(withTemplateLabels(value), { in: { spec: { set: { replicas: 1 }, in: { template } } } }),
  check: specChecks(
    counts,
    members({ selector: (value, path) => (Object.keys(object(value)).length === 0 ? [required(path)] : []) }),
    whole((value, path) => {
      const own_ = own(value, 'template');
      if (!isObject(own_)) return [required(below(path, 'template'))];
      const labels = object(own_, 'metadata', 'labels');
      const isSelected = Object.entries(object(value, 'selector')).every(
        ([key, item]) => own(labels, key) === item,
      );
      return [
        ...(isSelected
          ? []
          : [
              invalidValue(
                `${path}.template.metadata.labels`,
                labels,
                '`selector` does not match template `labels`',
              ),
            ]),
        ...templateChecks(value, path),
      ];
    }),
  ),
  checkStatus: statusCheck(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
};

/** Labels and selector of a replication controller are those of its template. */
function withTemplateLabels(value: JsonObject): JsonObject {
  const labels = object(value, 'spec', 'template', 'metadata', 'labels');
  if (Object.keys(labels).length === 0) return value;
  const selected =
    Object.keys(object(value, 'spec', 'selector')).length === 0
      ? putAt(value, ['spec', 'selector'], labels)
      : value;
  return Object.keys(object(value, 'metadata', 'labels')).length === 0
    ? putAt(selected, ['metadata', 'labels'], labels)
    : selected;
}

const podTemplates: KindRules = {
  generation: true,
  defaults: (value) =>
    isObject(own(value, 'template')) ? fill(value, { in: { template } }) : replace(value, 'template', {}),
  check: members({ template: podTemplate }),
};

/** Rules by storage key. */
export const workloadRules: Readonly<Record<string, KindRules>> = {
  'deployments.apps': deployments,
  'replicasets.apps': replicaSets,
  'statefulsets.apps': statefulSets,
  'daemonsets.apps': daemonSets,
  'controllerrevisions.apps': controllerRevisions,
  replicationcontrollers: replicationControllers,
  podtemplates: podTemplates,
};
