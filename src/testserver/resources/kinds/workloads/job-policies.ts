/** Rules of the API server for the policies of jobs: failures of their pods, and success. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { array, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import {
  atMost,
  below,
  type Check,
  each,
  isEmpty,
  listed,
  members,
  nonNegative,
  optional,
  whole,
} from '../support/checks.ts';
import { qualifiedProblems } from '../support/names.ts';

const condition: Check = members({
  type: (value, path) => {
    const name = String(value ?? '');
    return qualifiedProblems(name).map((detail) => invalidValue(path, name, detail));
  },
  status: stated('False', 'True', 'Unknown'),
});

/** Requires one of these strings, which the message for an absent one lists. */
function stated(...values: readonly string[]): Check {
  const names = values.map((value) => JSON.stringify(value)).join(' ');
  return (value, path) =>
    isEmpty(value) ? [required(path, `valid values: [${names}]`)] : listed(...values)(value, path);
}

const mostRules = 20;
const mostCodes = 255;

/** Checks `podFailurePolicy` of a job. */
export const failurePolicy: Check = whole((spec, path) => {
  const at = `${below(path, 'podFailurePolicy')}.rules`;
  const rules = array(spec, 'podFailurePolicy', 'rules');
  const containers = new Set(
    ['containers', 'initContainers'].flatMap((key) =>
      array(spec, 'template', 'spec', key).map((container) => text(container, 'name')),
    ),
  );
  return [
    ...atMost(mostRules)(rules, at),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `${at}[${index}]`, spec, containers)),
  ];
});

function ruleErrors(
  rule: Json,
  path: string,
  spec: JsonObject,
  containers: ReadonlySet<string>,
): readonly FieldError[] {
  const [codes, conditions] = [own(rule, 'onExitCodes') ?? null, array(rule, 'onPodConditions')];
  const isUnlimited = text(rule, 'action') === 'FailIndex' && own(spec, 'backoffLimitPerIndex') === undefined;
  return [
    ...stated('Count', 'FailIndex', 'FailJob', 'Ignore')(own(rule, 'action'), `${path}.action`),
    ...(isUnlimited
      ? [invalidValue(`${path}.action`, 'FailIndex', 'requires the backoffLimitPerIndex to be set')]
      : []),
    ...optional(exitCodes(containers))(codes, `${path}.onExitCodes`),
    ...atMost(mostRules)(conditions, `${path}.onPodConditions`),
    ...each(condition)(conditions, `${path}.onPodConditions`),
    ...(codes !== null && conditions.length > 0
      ? [ofRule(path, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(codes === null && conditions.length === 0
      ? [ofRule(path, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ];
}

/** Returns the check of `onExitCodes`. @param containers names of the containers of the pods */
function exitCodes(containers: ReadonlySet<string>): Check {
  return whole((value, path) => {
    const [container, codes] = [own(value, 'containerName'), array(value, 'values')];
    const at = below(path, 'values');
    const detail = 'must be one of the container or initContainer names in the pod template';
    return [
      ...stated('In', 'NotIn')(own(value, 'operator'), below(path, 'operator')),
      ...(typeof container === 'string' && !containers.has(container)
        ? [invalidValue(below(path, 'containerName'), container, detail)]
        : []),
      ...(codes.length === 0
        ? [invalidValue(at, own(value, 'values') ?? null, 'at least one value is required')]
        : []),
      ...atMost(mostCodes)(codes, at),
      ...codes.flatMap((code, index): readonly FieldError[] => [
        ...(code === 0 && text(value, 'operator') === 'In'
          ? [invalidValue(`${at}[${index}]`, code, 'must not be 0 for the In operator')]
          : []),
        ...(codes.indexOf(code) < index
          ? [{ reason: 'FieldValueDuplicate', field: `${at}[${index}]`, value: code } as const]
          : []),
      ]),
      ...(codes.some((code, index) => Number(codes[index - 1] ?? code) > Number(code))
        ? [invalidValue(at, codes, 'must be ordered')]
        : []),
    ];
  });
}

/** Returns an error of a rule as a whole, whose value is not printed. */
function ofRule(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, detail };
}

const noRules = 'at least one rules must be specified when the successPolicy is specified';
const noCondition = 'at least one of succeededCount or succeededIndexes must be specified';

/** Checks `successPolicy` of a job with indexes. */
export const successPolicy: Check = whole((spec, path) => {
  const policy = own(spec, 'successPolicy');
  if (policy === undefined || text(spec, 'completionMode') !== 'Indexed') return [];
  const at = `${below(path, 'successPolicy')}.rules`;
  const rules = array(policy, 'rules');
  const completions = Number(own(spec, 'completions') ?? 0);
  const tooMany = `must be less than or equal to ${completions} (the number of specified completions)`;
  return [
    ...(rules.length === 0 ? [required(at, noRules)] : []),
    ...atMost(mostRules)(rules, at),
    ...rules.flatMap((rule, index): readonly FieldError[] => {
      const count = own(rule, 'succeededCount');
      const place = `${at}[${index}]`;
      return [
        ...(count === undefined && own(rule, 'succeededIndexes') === undefined
          ? [required(place, noCondition)]
          : []),
        ...optional(nonNegative)(count, `${place}.succeededCount`),
        ...(Number(count ?? 0) > completions
          ? [invalidValue(`${place}.succeededCount`, count ?? null, tooMany)]
          : []),
      ];
    }),
  ];
});
