import type { LabelSelectorInput } from '../options.ts';
import { labelSelectorText } from './labels.ts';
import { type LabelRequirement, parseLabelSelector } from './parse-labels.ts';

/** Labels as objects carry them; absent where an object has none. */
export type Labels = Readonly<Record<string, string>> | undefined;

/**
 * The requirements of a selector in any of its forms. None where everything is selected.
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
      return isInteger(label) && isInteger(values[0]) && BigInt(label) > BigInt(values[0]);
    case 'below':
      return isInteger(label) && isInteger(values[0]) && BigInt(label) < BigInt(values[0]);
  }
}

function labelOf(labels: Labels, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^-?\d+$/.test(text);
}
