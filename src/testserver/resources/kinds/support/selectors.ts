/** Label selectors of workloads: validation and matching. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/schema/errors/field-error';
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { type Check, members, valid } from './checks.ts';
import { labelValueProblem, qualifiedProblems } from './names.ts';

const matchLabels: Check = (value, path) =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, item]) => [
        ...qualifiedProblems(key).map((detail) => invalidValue(path, key, detail)),
        ...valid(labelValueProblem)(item, path),
      ])
    : [];

const requirement: Check = (value, path) => {
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
  matchLabels,
  matchExpressions: (value, path) =>
    array(value).flatMap((item, index) => requirement(item, `${path}[${index}]`)),
});

/** Returns whether a selector selects every object. */
export function isEmptySelector(value: Json | undefined): boolean {
  return (
    Object.keys(object(value, 'matchLabels')).length === 0 && array(value, 'matchExpressions').length === 0
  );
}

/** Returns whether labels match a selector. A missing selector matches nothing. */
export function selects(value: Json | undefined, labels: JsonObject): boolean {
  if (!isObject(value)) return false;
  return (
    Object.entries(object(value, 'matchLabels')).every(([key, item]) => own(labels, key) === item) &&
    array(value, 'matchExpressions').every((item) => meets(item, labels))
  );
}

function meets(item: Json, labels: JsonObject): boolean {
  const label = own(labels, text(item, 'key'));
  const values = strings(item, 'values');
  switch (text(item, 'operator')) {
    case 'In':
      return typeof label === 'string' && values.includes(label);
    case 'NotIn':
      return typeof label !== 'string' || !values.includes(label);
    case 'Exists':
      return label !== undefined;
    default:
      return label === undefined;
  }
}

/** Returns a label selector as a string, as the scale subresource contains it. */
export function selectorString(value: Json | undefined): string {
  const labels = Object.entries(object(value, 'matchLabels')).map(
    ([key, item]) => [key, `${key}=${String(item)}`] as const,
  );
  const expressions = array(value, 'matchExpressions').map(
    (item) => [text(item, 'key'), expressionString(item)] as const,
  );
  return [...labels, ...expressions]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, part]) => part)
    .join(',');
}

function expressionString(item: Json): string {
  const key = text(item, 'key');
  const values = `(${strings(item, 'values').toSorted().join(',')})`;
  switch (text(item, 'operator')) {
    case 'In':
      return `${key} in ${values}`;
    case 'NotIn':
      return `${key} notin ${values}`;
    case 'Exists':
      return key;
    default:
      return `!${key}`;
  }
}
