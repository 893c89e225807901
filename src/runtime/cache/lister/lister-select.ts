import type { ObjectMeta } from '../../api/meta.ts';
import type { StoredObject } from '../../api/types.ts';
import { requireField } from '../../codec/projection/selected-mark.ts';
import { type LabelSelectorInput, labelSelectorText } from '../../selectors/labels.ts';
import { matchLabels } from '../../selectors/match-labels.ts';
import { type LabelRequirement, parseLabelSelector } from '../../selectors/parse-labels.ts';
import { namespaceOf } from '../key.ts';
import type { StoreIndex } from '../store/indexer.ts';
import { knownByLabel } from '../store/indices.ts';
import type { IndexedReader } from '../store/store.ts';

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
   * Returns the requirements of a selector in any of its forms.
   * @throws {TypeError} if the label selector is invalid
   */
  requirements(selector: LabelSelectorInput | undefined): readonly LabelRequirement[] {
    const text = labelSelectorText(selector) ?? '';
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const requirements = parseLabelSelector(text);
    if (text.length <= longest) this.#remember(text, requirements);
    return requirements;
  }

  #remember(text: string, requirements: readonly LabelRequirement[]): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size === most) this.#known.delete(oldest);
    this.#known.set(text, requirements);
  }
}

const selectors = new KnownSelectors();

/** Requirement that an index implements exactly. */
interface IndexedObjects<O> {
  readonly requirement: LabelRequirement;
  readonly index: StoreIndex<O>;
  /** Values of the index that meet the requirement. */
  readonly values: readonly string[];
  /** Number of objects that meet the requirement. */
  readonly count: number;
}

/**
 * Returns the objects that match a selector. Searches the smallest of the namespace and the usable indices.
 * @throws {TypeError} if the label selector is invalid, or the objects have no labels because these are not
 * selected
 */
export function select<O extends StoredObject>(
  store: IndexedReader<O>,
  namespace: string | undefined,
  selector: LabelSelectorInput | undefined,
): O[] {
  const { reader } = store;
  const requirements = selectors.requirements(selector);
  if (requirements.length === 0) return reader.values(namespace);
  const response = smallest(store, requirements);
  if (response === undefined || (namespace !== undefined && reader.count(namespace) < response.count)) {
    return reader.values(namespace).filter((object) => matches(object, requirements));
  }
  const { requirement, index, values } = response;
  const [value = ''] = values;
  // An object has one value for a label, so there are no duplicates.
  let objects = values.length === 1 ? index.get(value) : values.flatMap((each) => index.get(each));
  if (namespace !== undefined) objects = objects.filter((object) => namespaceOf(object) === namespace);
  const others = requirements.filter((each) => each !== requirement);
  return others.length === 0 ? objects : objects.filter((object) => matches(object, others));
}

/** Returns the requirement with the fewest objects, among those with an index. */
function smallest<O extends StoredObject>(
  store: IndexedReader<O>,
  requirements: readonly LabelRequirement[],
): IndexedObjects<O> | undefined {
  let best: IndexedObjects<O> | undefined;
  for (const requirement of requirements) {
    const { operator, key } = requirement;
    const valuesOf = operator === 'in' || operator === 'exists' ? knownByLabel(key) : undefined;
    const index = valuesOf && store.indexOver(valuesOf);
    if (index === undefined) continue;
    const values = operator === 'exists' ? index.values() : requirement.values;
    let count = 0;
    for (const value of values) count += index.count(value);
    if (best === undefined || count < best.count) best = { requirement, index, values, count };
  }
  return best;
}

function matches(object: StoredObject, requirements: readonly LabelRequirement[]): boolean {
  for (const { key } of requirements) requireField(object, 'metadata', 'labels', key);
  // A handler may have changed the object in violation of the rules.
  const metadata: ObjectMeta | undefined = object.metadata;
  return matchLabels(metadata?.labels, requirements);
}
