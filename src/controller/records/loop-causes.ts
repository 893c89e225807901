/** Causes of reconciles that keep writing. */

import { causeName } from './explanation.ts';
import type { ReconcileRecord, RecordedCause } from './record.ts';

/** Causes that a text names, the most frequent ones. */
const mostCauses = 5;

/**
 * Returns how many of the reconciles each cause has woken, the most frequent first:
 * `4 of 5: own update of foos shop/web (.status.count)`.
 */
export function loopCauses(records: readonly ReconcileRecord[]): string {
  const counts = new Map<string, number>();
  for (const { causes } of records) {
    for (const text of new Set(causes.map(textOf))) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostCauses)
    .map(([text, count]) => `${count} of ${records.length}: ${text}`)
    .join('; ');
}

/** Equal for causes that differ in versions and values only. */
function textOf(cause: RecordedCause): string {
  const { writtenBy, fields = [] } = cause;
  const paths = fields.length === 0 ? '' : ` (${fields.map(({ path }) => path || 'object').join(', ')})`;
  return `${writtenBy === undefined ? '' : 'own '}${causeName(cause)}${paths}`;
}
