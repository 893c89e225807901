/** Checks and defaults that workloads share. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { isObject, type Json, object, own, text } from '@kgen/schema/values/json';
import { matchesSelector } from '../../label-selector.ts';
import { podSpecDefaults } from '../pods/defaults.ts';
import { podTemplate } from '../pods/spec.ts';
import { below, type Check, immutable, members, nonNegative, whole } from '../support/checks.ts';
import type { Fill } from '../support/fill.ts';
import type { KindWrite } from '../support/rules.ts';
import { isEmptySelector, selector } from '../support/selectors.ts';

export const template: Fill = { in: { spec: podSpecDefaults } };

/** Validates a number or a percentage. */
export const amount: Check = (value, path) => {
  if (typeof value === 'number') return nonNegative(value, path);
  if (typeof value !== 'string' || /^[0-9]+%$/.test(value)) return [];
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalidValue(path, value, detail)];
};
export const atMostAll: Check = (value, path) =>
  typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100
    ? [invalidValue(path, value, 'must not be greater than 100%')]
    : [];

/** Returns whether a number or percentage is zero, as an invalid percentage is. */
export function isZeroAmount(value: Json | undefined): boolean {
  return value === 0 || value === undefined || (typeof value === 'string' && !/^0*[1-9]\d*%$/.test(value));
}

/** Checks the selector of a workload and that it selects its own template. */
export function selection(kind: string, isNull: boolean): Check {
  return whole((value, path) => {
    const own_ = own(value, 'selector');
    const at = below(path, 'selector');
    const labels = object(value, 'template', 'metadata', 'labels');
    const form = isObject(own_) ? selector(own_, at) : [];
    const errors = [
      ...(isObject(own_) ? form : isNull ? [required(at)] : []),
      ...(isObject(own_) && isEmptySelector(own_)
        ? [invalidValue(at, {}, `empty selector is invalid for ${kind}`)]
        : []),
    ];
    if (form.length > 0)
      return kind === 'daemonset'
        ? errors
        : [...errors, invalidValue(at, own_ ?? null, kind === 'statefulset' ? '' : 'invalid label selector')];
    if (isObject(own_) && (isEmptySelector(own_) || matchesSelector(labels, own_))) return errors;
    const shown = Object.keys(labels).length === 0 ? null : labels;
    return [
      ...errors,
      invalidValue(`${path}.template.metadata.labels`, shown, '`selector` does not match template `labels`'),
    ];
  });
}

/** Pods of these kinds run until they are deleted. */
const runsForever: Check = whole((value, path) => {
  const policy = text(value, 'spec', 'restartPolicy');
  return [
    ...(policy === 'Always' || policy === ''
      ? []
      : [notSupported(`${path}.spec.restartPolicy`, policy, ['Always'])]),
    ...(own(object(value, 'spec'), 'activeDeadlineSeconds') === undefined
      ? []
      : [
          forbiddenField(
            `${path}.spec.activeDeadlineSeconds`,
            'activeDeadlineSeconds in ReplicaSet is not Supported',
          ),
        ]),
  ];
});

export function specChecks(...checks: readonly Check[]): Check {
  return members({ spec: (value, path) => checks.flatMap((check) => check(value, path)) });
}

export const templateChecks: Check = members({
  template: (value, path) => [...podTemplate(value, path), ...runsForever(value, path)],
});
export const counts: Check = members({ replicas: nonNegative, minReadySeconds: nonNegative });

/** Counts of the status that are not negative, and counts that do not exceed those of other replicas. */
export function statusCheck(parts: readonly string[]): Check {
  const positive = members(
    Object.fromEntries(['observedGeneration', 'replicas', ...parts].map((name) => [name, nonNegative])),
  );
  const limited = whole((value) => {
    const number = (key: string): number => Number(own(value, key) ?? 0);
    const limit = (key: string, other: string, detail: string): readonly FieldError[] =>
      number(key) > number(other) ? [invalidValue(`status.${key}`, number(key), detail)] : [];
    return [
      ...parts
        .filter((key) => key !== 'unavailableReplicas')
        .flatMap((key) => limit(key, 'replicas', 'cannot be greater than status.replicas')),
      ...limit('availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'),
    ];
  });
  return members({ status: (value, path) => [...positive(value, path), ...limited(value, path)] });
}

export function sameSelector({ value, old }: KindWrite): readonly FieldError[] {
  return immutable(
    'spec.selector',
    own(object(value, 'spec'), 'selector'),
    own(object(old, 'spec'), 'selector'),
  );
}
