/**
 * Formatting of label selectors.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
import type { LabelSelector, LabelSelectorRequirement } from '../api/meta.ts';
import type { UseInstead } from '../common/use-instead.ts';
import { labelKeyProblem, labelValueProblem } from './label-syntax.ts';
import type { LabelRequirement } from './parse-labels.ts';

/** A label selector: a string (`app=web,tier!=db`), labels that must be equal, or a LabelSelector. */
export type LabelSelectorInput =
  | string
  | (LabelSelector & Misspellings)
  | (Readonly<Record<string, string>> & Misspellings);

/** Members that would be labels by mistake. The string form selects labels of these names. */
interface Misspellings {
  readonly matchLabel?: UseInstead<'matchLabels'>;
  readonly matchExpression?: UseInstead<'matchExpressions'>;
}

/**
 * Formats a selector for a request, with its requirements in the order of their keys. A string is returned
 * unchanged. An empty selector matches every object.
 * @throws {TypeError} invalid keys, values or operators; `undefined` values in particular, which would match
 * more objects than intended
 */
export function labelSelectorText(input: LabelSelectorInput | undefined): string | undefined {
  if (input === undefined || typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) {
    throw new TypeError(`label selector must be a string or an object, got ${JSON.stringify(input)}`);
  }
  return joined(requirements(input));
}

function requirements(input: object): string[] {
  if (!isLabelSelector(input)) return Object.entries(input).map(equals);
  const { matchLabels, matchExpressions, ...rest } = input;
  const [other] = Object.keys(rest);
  if (other !== undefined)
    reject(`${other} is not a member of a selector with matchLabels or matchExpressions`);
  return [...Object.entries(matchLabels ?? {}).map(equals), ...(matchExpressions ?? []).map(requirement)];
}

function reject(problem: string): never {
  throw new TypeError(`label selector: ${problem}`);
}

function equals([key, value]: readonly [string, unknown]): string {
  return `${checkedKey(key)}=${checkedValue(value, key)}`;
}

function checkedValue(value: unknown, key: string): string {
  const problem = typeof value === 'string' ? labelValueProblem(value) : 'a valid label must be a string';
  if (typeof value === 'string' && problem === undefined) return value;
  return reject(`not a value for the label ${key}: ${JSON.stringify(value)}: ${problem}`);
}

function checkedKey(key: string): string {
  const problem = labelKeyProblem(key);
  return problem === undefined ? key : reject(`not a label key: ${JSON.stringify(key)}: ${problem}`);
}

function requirement({ key, operator, values = [] }: LabelSelectorRequirement): string {
  const listed = values.map((value) => checkedValue(value, key)).sort();
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (listed.length === 0) reject(`${operator} of ${key} needs values`);
      return `${checkedKey(key)} ${operator === 'In' ? 'in' : 'notin'} (${listed.join(',')})`;
    case 'Exists':
    case 'DoesNotExist':
      if (listed.length > 0) reject(`${operator} of ${key} takes no values`);
      return `${operator === 'Exists' ? '' : '!'}${checkedKey(key)}`;
    default:
      return reject(`unknown operator ${JSON.stringify(operator)} of ${key}`);
  }
}

/** Label values are strings, so a list or an object under these names can only belong to a LabelSelector. */
function isLabelSelector(input: object): input is LabelSelector {
  const { matchLabels, matchExpressions }: LabelSelector = input;
  return typeof matchLabels === 'object' || Array.isArray(matchExpressions);
}

/** The order of client-go: by key, independent of the operator. */
function joined(texts: readonly string[]): string {
  const sortKey = (text: string): string => text.replace(/^!/, '');
  return [...texts].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).join(',');
}

/**
 * Formats requirements, as returned by `labelRequirements`, in the order of their keys.
 * @throws {TypeError} invalid keys or values
 */
export function labelRequirementsText(requirements: readonly LabelRequirement[]): string {
  return joined(requirements.map(parsedRequirement));
}

function parsedRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'in':
    case 'notin': {
      const [only] = values;
      if (values.length !== 1 || only === undefined) {
        return requirement({ key, operator: operator === 'in' ? 'In' : 'NotIn', values: [...values] });
      }
      return `${checkedKey(key)}${operator === 'in' ? '=' : '!='}${checkedValue(only, key)}`;
    }
    case 'exists':
      return checkedKey(key);
    case 'absent':
      return `!${checkedKey(key)}`;
    default:
      return `${checkedKey(key)}${operator === 'above' ? '>' : '<'}${checkedValue(values[0], key)}`;
  }
}
