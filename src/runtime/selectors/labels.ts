/**
 * Label selectors as text.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
import type { LabelSelector, LabelSelectorRequirement } from '../meta.ts';
import type { LabelSelectorInput } from '../options.ts';

const name = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const prefix = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

function checkedKey(key: string): string {
  const slash = key.indexOf('/');
  const valid = name.test(key.slice(slash + 1)) && (slash < 0 || prefix.test(key.slice(0, slash)));
  if (!valid) throw new TypeError(`label selector: not a label key: ${JSON.stringify(key)}`);
  return key;
}

function checkedValue(value: unknown, key: string): string {
  if (typeof value === 'string' && (value === '' || name.test(value))) return value;
  throw new TypeError(`label selector: not a value for the label ${key}: ${JSON.stringify(value)}`);
}

function equals([key, value]: readonly [string, unknown]): string {
  return `${checkedKey(key)}=${checkedValue(value, key)}`;
}

function requirement({ key, operator, values = [] }: LabelSelectorRequirement): string {
  const listed = values.map((value) => checkedValue(value, key)).sort();
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (listed.length === 0) throw new TypeError(`label selector: ${operator} of ${key} needs values`);
      return `${checkedKey(key)} ${operator === 'In' ? 'in' : 'notin'} (${listed.join(',')})`;
    case 'Exists':
    case 'DoesNotExist':
      if (listed.length > 0) throw new TypeError(`label selector: ${operator} of ${key} takes no values`);
      return `${operator === 'Exists' ? '' : '!'}${checkedKey(key)}`;
    default:
      throw new TypeError(`label selector: unknown operator ${JSON.stringify(operator)} of ${key}`);
  }
}

/** Labels have text values, so a list or an object under these names can only be meant as a selector of the API. */
function isLabelSelector(input: object): input is LabelSelector {
  const { matchLabels, matchExpressions }: LabelSelector = input;
  return typeof matchLabels === 'object' || Array.isArray(matchExpressions);
}

function requirements(input: object): string[] {
  if (!isLabelSelector(input)) return Object.entries(input).map(equals);
  const { matchLabels, matchExpressions, ...rest } = input;
  const [other] = Object.keys(rest);
  if (other !== undefined) {
    throw new TypeError(
      `label selector: ${other} is no part of a selector with matchLabels or matchExpressions`,
    );
  }
  return [...Object.entries(matchLabels ?? {}).map(equals), ...(matchExpressions ?? []).map(requirement)];
}

/**
 * Writes a selector as the server reads it, its requirements in the order of their keys. Text is passed on as it is.
 * An empty selector selects everything.
 * @throws {TypeError} keys, values or operators that labels cannot have; above all `undefined` values, which would
 *   select more than meant
 */
export function labelSelectorText(input: LabelSelectorInput | undefined): string | undefined {
  if (input === undefined || typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) {
    throw new TypeError(`label selector: neither text nor labels: ${JSON.stringify(input)}`);
  }
  const sortKey = (text: string): string => text.replace(/^!/, '');
  return requirements(input)
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .join(',');
}
