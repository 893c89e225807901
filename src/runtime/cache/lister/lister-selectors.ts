import type { LabelSelectorInput } from '../../selectors/labels.ts';
import { labelSelectorText } from '../../selectors/labels.ts';
import { type LabelRequirement, parseLabelSelector } from '../../selectors/parse-labels.ts';

/**
 * Maximum number of cached selectors, and the maximum length of each: controllers use the same few selectors
 * again and again.
 */
const most = 256;
const longest = 512;

/** Cache of parsed selectors, with a bounded size. */
export class KnownSelectors {
  /** Requirements by selector string, in the order of insertion. */
  readonly #known = new Map<string, readonly LabelRequirement[]>();

  get size(): number {
    return this.#known.size;
  }

  /**
   * Returns the requirements of a selector in any of its forms, with distinct values.
   * @throws {TypeError} if the label selector is invalid
   */
  requirements(selector: LabelSelectorInput | undefined): readonly LabelRequirement[] {
    const text = labelSelectorText(selector) ?? '';
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const requirements = parseLabelSelector(text).map((requirement) => ({
      ...requirement,
      values: [...new Set(requirement.values)],
    }));
    if (text.length <= longest) this.#remember(text, requirements);
    return requirements;
  }

  #remember(text: string, requirements: readonly LabelRequirement[]): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size === most) this.#known.delete(oldest);
    this.#known.set(text, requirements);
  }
}
