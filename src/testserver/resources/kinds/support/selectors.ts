/** Label selectors of workloads: validation. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import { array, isObject, type Json, object, strings, text } from '@kgen/schema/values/json';
import { type Check, members, valid } from './checks.ts';
import { labelValueProblem, qualifiedProblems } from './names.ts';

/** Validates labels, such as those of a node selector. */
export const labels: Check = (value, path) =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, item]) => [
        ...qualifiedProblems(key).map((detail) => invalidValue(path, key, detail)),
        ...valid(labelValueProblem)(item, path),
      ])
    : [];

/** Validates a requirement of a label selector. */
export const requirement: Check = (value, path) => {
  const [key, operator] = [text(value, 'key'), text(value, 'operator')];
  const values = strings(value, 'values');
  return [
    ...operatorErrors(operator, values.length, path),
    ...qualifiedProblems(key).map((detail) => invalidValue(`${path}.key`, key, detail)),
    ...values.flatMap((item, index) => valid(labelValueProblem)(item, `${path}.values[${index}]`)),
  ];
};

function operatorErrors(operator: string, count: number, path: string): readonly FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    return count === 0
      ? [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
      : [];
  }
  if (operator !== 'Exists' && operator !== 'DoesNotExist') {
    return [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')];
  }
  return count === 0
    ? []
    : [
        forbiddenField(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
}

/** Validates a label selector. */
export const selector: Check = members({
  matchLabels: labels,
  matchExpressions: (value, path) =>
    array(value).flatMap((item, index) => requirement(item, `${path}[${index}]`)),
});

/** Returns whether a selector selects every object. */
export function isEmptySelector(value: Json | undefined): boolean {
  return (
    Object.keys(object(value, 'matchLabels')).length === 0 && array(value, 'matchExpressions').length === 0
  );
}
