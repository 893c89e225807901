/** Scopes of quotas, which count only some pods. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { array, at, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { attributesClassesOf } from '../claims.ts';
import { qosClass } from '../pods/updates.ts';
import type { Check } from '../support/checks.ts';

/** All scopes. */
export const quotaScopes: readonly string[] = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];

/** Scopes without values. */
const plainScopes: ReadonlySet<string> = new Set([
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'Terminating',
]);
const onlyExists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** Validates the terms of a selector of scopes. As on a real server, errors are at the list. */
export const scopeTerms: Check = (value, path) => array(value).flatMap((term) => termErrors(term, path));

function termErrors(term: Json, path: string): readonly FieldError[] {
  const operator = text(term, 'operator');
  const values = strings(term, 'values');
  const scope = text(term, 'scopeName');
  const isPlain = plainScopes.has(scope);
  const atOperator = `${path}.operator`;
  return [
    ...(quotaScopes.includes(scope) ? [] : [invalidValue(`${path}.scopeName`, scope, 'unsupported scope')]),
    ...(isPlain && operator !== 'Exists' ? [invalidValue(atOperator, operator, onlyExists)] : []),
    ...countErrors(operator, values, `${path}.values`),
    ...(operators.has(operator) ? [] : [invalidValue(atOperator, operator, 'not a valid selector operator')]),
  ];
}

const operators: ReadonlySet<string> = new Set(['DoesNotExist', 'Exists', 'In', 'NotIn']);
const oneValue = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
const noValue = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";

function countErrors(operator: string, values: readonly string[], path: string): readonly FieldError[] {
  if (operator === 'In' || operator === 'NotIn') return values.length === 0 ? [required(path, oneValue)] : [];
  return values.length > 0 && operators.has(operator) ? [invalidValue(path, values, noValue)] : [];
}

/** Returns whether a quota has scopes, so that it counts nothing but pods. */
export function isScoped(quota: JsonObject): boolean {
  const spec = object(quota, 'spec');
  return array(spec, 'scopes').length > 0 || own(spec, 'scopeSelector') !== undefined;
}

/** Returns whether all scopes of a quota include a pod. */
export function isInScopes(quota: JsonObject, pod: JsonObject): boolean {
  return termsOf(quota).every((term) => matches(term, pod));
}

function termsOf(quota: JsonObject): readonly Json[] {
  const spec = object(quota, 'spec');
  const plain = strings(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...array(spec, 'scopeSelector', 'matchExpressions')];
}

/** Returns whether all scopes of a quota include a claim: those of the attribute classes that it uses. */
export function isInClaimScopes(quota: JsonObject, claim: JsonObject): boolean {
  const names = attributesClassesOf(claim);
  return termsOf(quota).every(
    (term) =>
      text(term, 'scopeName') === 'VolumeAttributesClass' &&
      (names.length === 0 ? [''] : names).some((name) => matchesName(term, name)),
  );
}

function matches(term: Json, pod: JsonObject): boolean {
  switch (text(term, 'scopeName')) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return qosClass(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(pod) !== 'BestEffort';
    case 'PriorityClass':
      return matchesName(term, text(pod, 'spec', 'priorityClassName'));
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(pod);
    default:
      return false;
  }
}

function isTerminating(pod: JsonObject): boolean {
  const seconds = at(pod, 'spec', 'activeDeadlineSeconds');
  return typeof seconds === 'number' && seconds >= 0;
}

function matchesName(term: Json, name: string): boolean {
  const values = strings(term, 'values');
  switch (text(term, 'operator')) {
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

function crossesNamespaces(pod: JsonObject): boolean {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const affinity = object(pod, 'spec', 'affinity', kind);
    const preferred = array(affinity, 'preferredDuringSchedulingIgnoredDuringExecution');
    return [
      ...array(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.map((each) => object(each, 'podAffinityTerm')),
    ];
  });
  return terms.some(
    (term) => array(term, 'namespaces').length > 0 || own(term, 'namespaceSelector') !== undefined,
  );
}
