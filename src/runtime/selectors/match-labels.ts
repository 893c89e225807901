import { type LabelSelectorInput, labelSelectorText } from './labels.ts';
import { int64, type LabelRequirement, parseLabelSelector } from './parse-labels.ts';

/** Labels of an object; `undefined` if it has none. A value that is not a string counts as absent. */
export type LabelSet = Readonly<Record<string, unknown>> | undefined;

/**
 * Returns the requirements of a selector in any of its forms. Returns an empty list for an empty selector and
 * for `undefined`, which as an option matches every object. (In fields of objects, an absent `selector`
 * usually matches nothing.)
 * @throws {TypeError} the value is not a label selector
 */
export function labelRequirements(selector: LabelSelectorInput | undefined): readonly LabelRequirement[] {
  return parseLabelSelector(labelSelectorText(selector) ?? '');
}

/**
 * Returns whether labels meet all requirements, by the rules of the server: `!=` and `notin` match if the
 * label is absent.
 * @example
 * ```ts
 * import { labelRequirements, matchLabels } from '@kgen/runtime/selectors';
 *
 * const requirements = labelRequirements('app=web,tier in (a, b)');
 * console.log(matchLabels({ app: 'web', tier: 'a' }, requirements)); // true
 * ```
 */
export function matchLabels(labels: LabelSet, requirements: readonly LabelRequirement[]): boolean {
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

/** Returns false if one of the operands is not a number. */
function isLess(a: bigint | undefined, b: bigint | undefined): boolean {
  return a !== undefined && b !== undefined && a < b;
}

/** Only strings: servers validate labels, but not everything that looks like an object comes from one. */
function labelOf(labels: LabelSet | null, key: string): string | undefined {
  const label: unknown = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  return typeof label === 'string' ? label : undefined;
}
