/**
 * Parser of label selectors, by the rules of the server.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
import { isLabelKey, isLabelValue, keyRule, valueRule } from './label-syntax.ts';

/** One requirement of a label selector, all of which must match. `=` and `==` are `in`, `!=` is `notin`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'above' | 'below';
  readonly values: readonly string[];
}

const set = /^(?<key>[^\s!=<>(),]+)\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$/;
const comparison = /^(?<key>[^\s!=<>(),]+)\s*(?<operator>==|!=|=|>|<)\s*(?<value>[^\s!=<>(),]*)$/;
const presence = /^(?<not>!?)\s*(?<key>[^\s!=<>(),]+)$/;
const comparisons: Readonly<Record<string, LabelRequirement['operator']>> = {
  '=': 'in',
  '==': 'in',
  '!=': 'notin',
  '>': 'above',
  '<': 'below',
};

/**
 * Parses selectors such as `app=web,tier in (a, b),!legacy`. An empty string has no requirements and matches
 * every object.
 * @throws {TypeError} the string is not a label selector
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  if (text.trim() === '') return [];
  return splitRequirements(text).map((part) => {
    const requirement = parseRequirement(part.trim());
    const problem =
      requirement === undefined ? `cannot read ${JSON.stringify(part.trim())}` : problemOf(requirement);
    if (requirement !== undefined && problem === undefined) return requirement;
    throw new TypeError(`label selector ${JSON.stringify(text)}: ${problem}`);
  });
}

/** Returns the parts between commas outside of parentheses. */
function splitRequirements(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isInside = false;
  for (const { 0: mark, index } of text.matchAll(/[(),]/g)) {
    if (mark !== ',') isInside = mark === '(';
    else if (!isInside) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function problemOf({ key, operator, values }: LabelRequirement): string | undefined {
  if (!isLabelKey(key)) return `not a label key: ${JSON.stringify(key)}: ${keyRule}`;
  const wrong = values.find((value) => !isLabelValue(value));
  if (wrong !== undefined) return `not a value for the label ${key}: ${JSON.stringify(wrong)}: ${valueRule}`;
  const [bound] = operator === 'above' || operator === 'below' ? values : ['0'];
  return int64(bound) === undefined ? `not a 64-bit integer: ${JSON.stringify(bound)}` : undefined;
}

/** Returns an integer in the range of Go's `int64`, or `undefined`. */
export function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^-?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function parseRequirement(part: string): LabelRequirement | undefined {
  return parseSet(part) ?? parseComparison(part) ?? parsePresence(part);
}

function parseSet(part: string): LabelRequirement | undefined {
  const { key, operator, values } = set.exec(part)?.groups ?? {};
  if (key === undefined || values === undefined) return undefined;
  return {
    key,
    operator: operator === 'in' ? 'in' : 'notin',
    values: values.split(',').map((value) => value.trim()),
  };
}

function parseComparison(part: string): LabelRequirement | undefined {
  const { key, operator: sign = '', value } = comparison.exec(part)?.groups ?? {};
  const operator = comparisons[sign];
  if (key === undefined || value === undefined || operator === undefined) return undefined;
  return { key, operator, values: [value] };
}

function parsePresence(part: string): LabelRequirement | undefined {
  const { key, not } = presence.exec(part)?.groups ?? {};
  return key === undefined ? undefined : { key, operator: not === '!' ? 'absent' : 'exists', values: [] };
}
