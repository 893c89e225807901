import { array, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';

/** Returns whether labels match a `metav1.LabelSelector`. An empty selector matches everything. */
export function matchesSelector(labels: Json, selector: Json | undefined): boolean {
  const requested: JsonObject = object(selector, 'matchLabels');
  return (
    Object.entries(requested).every(([key, value]) => own(labels, key) === value) &&
    array(selector, 'matchExpressions').every((expression) => matchesExpression(labels, expression))
  );
}

function matchesExpression(labels: Json, expression: Json): boolean {
  const value = own(labels, text(expression, 'key'));
  const values = strings(expression, 'values');
  switch (text(expression, 'operator')) {
    case 'In':
      return typeof value === 'string' && values.includes(value);
    case 'NotIn':
      return typeof value !== 'string' || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
