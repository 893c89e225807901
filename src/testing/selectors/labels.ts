import { badRequest } from '../api/failures.ts';
import { type JsonObject, object, own } from '../values/json.ts';
import { labelKeyProblem, labelValueProblem } from '../values/names.ts';

/** One requirement of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | '!' | '>' | '<';
  readonly values: readonly string[];
}

/**
 * Parses a label selector: `a=b`, `a==b`, `a!=b`, `a in (b, c)`, `a notin (b)`, `a`, `!a`, `a>1`, `a<1`,
 * joined by commas.
 * @throws {Failure} 400 with the part that cannot be parsed
 */
export function parseLabelSelector(text: string): readonly Requirement[] {
  if (text.trim() === '') return [];
  return splitRequirements(text).map((part) => parseRequirement(part.trim(), text));
}

/** The parts between commas outside of parentheses. */
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

function parseRequirement(part: string, whole: string): Requirement {
  const set = /^([^\s!=<>(),]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(part);
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return check(set[1] ?? '', set[2] === 'in' ? 'in' : 'notin', values);
  }
  const pair = /^([^\s!=<>(),]+)\s*(==|=|!=|>|<)\s*([^\s!=<>(),]*)$/.exec(part);
  if (pair !== null) return check(pair[1] ?? '', operatorOf(pair[2] ?? ''), [pair[3] ?? '']);
  const exists = /^(!?)\s*([^\s!=<>(),]+)$/.exec(part);
  if (exists !== null) return check(exists[2] ?? '', exists[1] === '!' ? '!' : 'exists', []);
  throw badRequest(
    `unable to parse requirement: cannot read ${JSON.stringify(part)} in ${JSON.stringify(whole)}`,
  );
}

function operatorOf(sign: string): Requirement['operator'] {
  if (sign === '!=') return 'notin';
  return sign === '>' || sign === '<' ? sign : 'in';
}

function check(key: string, operator: Requirement['operator'], values: readonly string[]): Requirement {
  const problem = labelKeyProblem(key) ?? values.map(labelValueProblem).find((found) => found !== undefined);
  if (problem !== undefined) throw badRequest(`unable to parse requirement: ${problem}`);
  if ((operator === '>' || operator === '<') && !/^-?\d+$/.test(values[0] ?? '')) {
    throw badRequest(
      `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(values[0] ?? '')}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  return { key, operator, values };
}

/** Whether an object's labels satisfy every requirement. */
export function matchesLabels(value: JsonObject, selector: readonly Requirement[]): boolean {
  const labels = object(value, 'metadata', 'labels');
  return selector.every((requirement) => satisfies(own(labels, requirement.key), requirement));
}

function satisfies(label: unknown, { operator, values }: Requirement): boolean {
  const present = typeof label === 'string';
  switch (operator) {
    case 'exists':
      return present;
    case '!':
      return !present;
    case 'in':
      return present && values.includes(label);
    case 'notin':
      return !present || !values.includes(label);
    default:
      return present && compare(label, operator, values[0] ?? '');
  }
}

function compare(label: string, operator: '>' | '<', value: string): boolean {
  if (!/^-?\d+$/.test(label)) return false;
  return operator === '>' ? BigInt(label) > BigInt(value) : BigInt(label) < BigInt(value);
}
