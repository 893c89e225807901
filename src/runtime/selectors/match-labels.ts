import type { LabelSelectorInput } from '../options.ts';
import { labelSelectorText } from './labels.ts';
import { int64, type LabelRequirement, parseLabelSelector } from './parse-labels.ts';

/** Labels as objects carry them; absent where an object has none. */
export type Labels = Readonly<Record<string, string>> | undefined;

/**
 * The requirements of a selector in any of its forms. None where everything is selected: for an empty selector, and
 * for `undefined`, which as an option means all. (Fields of objects are another matter: where a `selector` is absent there,
 * most kinds select nothing.)
 * @throws {TypeError} for what is no label selector
 */
export function labelRequirements(selector: LabelSelectorInput | undefined): readonly LabelRequirement[] {
  return parseLabelSelector(labelSelectorText(selector) ?? '');
}

/** Whether labels meet all requirements, decided as the server decides it: `!=` and `notin` hold without the label. */
export function matchLabels(labels: Labels, requirements: readonly LabelRequirement[]): boolean {
  return requirements.every((requirement) => meets(labelOf(labels, requirement.key), requirement));
}

function meets(label: string | undefined, { operator, values }: LabelRequirement): boolean {
  switch (operator) {
    case 'in':
      return label !== undefined && values.includes(label);
    case 'notin':
      return label === undefined || !values.includes(label);
    case 'exists':
      return label !== undefined;
    case 'absent':
      return label === undefined;
    case 'above':
      return isLess(int64(values[0]), int64(label));
    case 'below':
      return isLess(int64(label), int64(values[0]));
  }
}

/** Never for what is no number. */
function isLess(a: bigint | undefined, b: bigint | undefined): boolean {
  return a !== undefined && b !== undefined && a < b;
}

/** Only strings: servers validate labels, but not everything that looks like an object comes from one. */
function labelOf(labels: Labels | null, key: string): string | undefined {
  const label: unknown = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  return typeof label === 'string' ? label : undefined;
}
