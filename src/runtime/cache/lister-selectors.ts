import type { LabelSelectorInput } from '../options.ts';
import { labelSelectorText } from '../selectors/labels.ts';
import { type LabelRequirement, parseLabelSelector } from '../selectors/parse-labels.ts';

/** So many selectors are remembered, up to such a length: controllers ask with the same few again and again. */
const most = 256;
const longest = 512;

/** Selectors that have been read, so that they need not be read again. Takes no more memory than a few of them. */
export class KnownSelectors {
  /** By text; the oldest first. */
  readonly #known = new Map<string, readonly LabelRequirement[]>();

  get size(): number {
    return this.#known.size;
  }

  /**
   * The requirements of a selector in any of its forms, each value once.
   * @throws {TypeError} for what is no label selector
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
