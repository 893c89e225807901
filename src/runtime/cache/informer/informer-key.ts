import { selectionKey } from '../../selectors/selection.ts';
import type { InformerOptions } from './informer.ts';
import type { InformerTarget } from './informer-target.ts';

const functionIds = new WeakMap<object, number>();
let lastId = 0;

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
    selectionKey(options),
    idOf(options.transform),
    options.keepManagedFields ?? false,
    options.freeze ?? false,
  ]);
}

/** Functions are compared by identity. */
function idOf(value: object | undefined): number {
  if (value === undefined) return 0;
  const known = functionIds.get(value);
  if (known !== undefined) return known;
  lastId += 1;
  functionIds.set(value, lastId);
  return lastId;
}
