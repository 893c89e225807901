import { fieldSelectorText } from '../../selectors/fields.ts';
import { labelSelectorText } from '../../selectors/labels.ts';
import type { InformerOptions } from './informer.ts';
import type { InformerTarget } from './informer-target.ts';

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** Functions are compared by identity. */
function identityOf(value: object | undefined): number {
  if (value === undefined) return 0;
  const known = identities.get(value);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(value, lastIdentity);
  return lastIdentity;
}

/**
 * Returns a key that is equal for calls that can share one informer; `namespaces` are the followed ones,
 * sorted and without duplicates.
 */
export function informerKey(
  { resource, lister, form }: InformerTarget,
  options: InformerOptions,
  namespaces: readonly string[] | undefined,
): string {
  const { group, version, plural, kind } = resource;
  return JSON.stringify([
    [group, version, plural, kind ?? ''],
    [lister, form ?? ''],
    namespaces ?? [],
    labelSelectorText(options.labelSelector) ?? '',
    fieldSelectorText(options.fieldSelector) ?? '',
    identityOf(options.transform),
    options.keepManagedFields ?? false,
    options.freeze ?? false,
  ]);
}
