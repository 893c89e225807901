/**
 * Label selectors read from text, as the server reads them.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */

/** One requirement of a label selector; all of them must hold. `=` and `==` are `in`, `!=` is `notin`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'above' | 'below';
  readonly values: readonly string[];
}

const SET = /^(?<key>[^\s!=<>(),]+)\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$/;
const COMPARISON = /^(?<key>[^\s!=<>(),]+)\s*(?<operator>==|!=|=|>|<)\s*(?<value>[^\s!=<>(),]*)$/;
const PRESENCE = /^(?<not>!?)\s*(?<key>[^\s!=<>(),]+)$/;
/** A comma that no closing parenthesis follows before an opening one. */
const BETWEEN_REQUIREMENTS = /,(?![^(]*\))/;
const INTEGER = /^-?\d+$/;

const COMPARISONS: Readonly<Record<string, LabelRequirement['operator']>> = {
  '=': 'in',
  '==': 'in',
  '!=': 'notin',
  '>': 'above',
  '<': 'below',
};

/**
 * Reads `app=web,tier in (a, b),!legacy` and the like. Empty text has no requirements and so selects everything.
 * @throws {TypeError} for text that is no label selector
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  if (text.trim() === '') return [];
  return text.split(BETWEEN_REQUIREMENTS).map((part) => {
    const requirement = parseRequirement(part.trim());
    if (requirement !== undefined) return requirement;
    throw new TypeError(`label selector ${JSON.stringify(text)}: cannot read ${JSON.stringify(part.trim())}`);
  });
}

function parseRequirement(part: string): LabelRequirement | undefined {
  return parseSet(part) ?? parseComparison(part) ?? parsePresence(part);
}

function parseSet(part: string): LabelRequirement | undefined {
  const { key, operator, values } = SET.exec(part)?.groups ?? {};
  if (key === undefined || values === undefined) return undefined;
  return {
    key,
    operator: operator === 'in' ? 'in' : 'notin',
    values: values.split(',').map((value) => value.trim()),
  };
}

function parseComparison(part: string): LabelRequirement | undefined {
  const { key, operator: sign = '', value } = COMPARISON.exec(part)?.groups ?? {};
  const operator = COMPARISONS[sign];
  if (key === undefined || value === undefined || operator === undefined) return undefined;
  const ordered = operator === 'above' || operator === 'below';
  return ordered && !INTEGER.test(value) ? undefined : { key, operator, values: [value] };
}

function parsePresence(part: string): LabelRequirement | undefined {
  const { key, not } = PRESENCE.exec(part)?.groups ?? {};
  return key === undefined ? undefined : { key, operator: not === '!' ? 'absent' : 'exists', values: [] };
}
