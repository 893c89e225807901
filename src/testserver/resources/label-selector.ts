/** Label selectors of objects, such as the `selector` of a deployment: matching and formatting. */
import { type LabelRequirement, matchLabels } from '@kgen/runtime/selectors';
import { array, type Json, type JsonObject, object, strings, text } from '@kgen/schema/values/json';

/** Returns whether labels match a `metav1.LabelSelector`. An empty selector matches everything. */
export function matchesSelector(labels: JsonObject, selector: Json | undefined): boolean {
  const requested = Object.entries(object(selector, 'matchLabels'));
  return matchLabels(labels, [
    ...requested.map(([key, value]) => ({ key, operator: 'in' as const, values: [String(value)] })),
    ...array(selector, 'matchExpressions').map(requirementOf),
  ]);
}

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
  // Of node affinities.
  Gt: 'above',
  Lt: 'below',
};

/** An unknown operator matches nothing. */
function requirementOf(expression: Json): LabelRequirement {
  const key = text(expression, 'key');
  const operator = operators[text(expression, 'operator')];
  if (operator === undefined) return { key, operator: 'in', values: [] };
  return { key, operator, values: strings(expression, 'values') };
}

/** Returns a label selector in the syntax of queries, sorted by key. */
export function selectorText(selector: Json | undefined): string {
  const labels = Object.entries(object(selector, 'matchLabels')).map(
    ([key, value]) => [key, `${key}=${String(value)}`] as const,
  );
  const expressions = array(selector, 'matchExpressions').map(
    (item) => [text(item, 'key'), expressionText(item)] as const,
  );
  return [...labels, ...expressions]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, part]) => part)
    .join(',');
}

function expressionText(item: Json): string {
  const key = text(item, 'key');
  const values = `(${strings(item, 'values').toSorted().join(',')})`;
  switch (text(item, 'operator')) {
    case 'In':
      return `${key} in ${values}`;
    case 'NotIn':
      return `${key} notin ${values}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
