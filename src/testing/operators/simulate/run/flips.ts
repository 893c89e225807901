/** Fields that change again and again: those of two writers, or of one that never comes to rest. */
import { isObject, type Json } from '@kgen/schema/values/json';
import { type Difference, differencesOf } from '../../../values/differences.ts';
import type { Finding } from '../checks/finding.ts';
import { type Entry, isWrite } from '../history.ts';

/** A change of a field, and its writer: a line of the operator, or another client. */
interface FieldChange {
  readonly value: Json | undefined;
  readonly writer: string;
}

/** Number of changes of a field from which on it changes again and again. */
const leastChanges = 4;

/** Maximum number of fields that are listed. */
const mostFields = 3;

/** Adds the fields that change again and again to a failure that consists of too many writes. */
export function withFlips(finding: Finding, entries: readonly Entry[]): Finding {
  if (finding.check !== 'silence' && finding.check !== 'requests') return finding;
  const [title = '', ...lines] = finding.message.split('\n');
  return { ...finding, message: [title, ...flippingFields(entries), ...lines].join('\n') };
}

/** Returns a line for each field that changes again and again, with its last values and their writers. */
export function flippingFields(entries: readonly Entry[]): readonly string[] {
  const fields = new Map<string, FieldChange[]>();
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'change' || entry.change.type !== 'MODIFIED') continue;
    const { resource, key, previous, object } = entry.change;
    const writer = writerOf(entries[index - 1]);
    for (const { path, actual } of differencesOf(previous, object, isSame)) {
      const field = `${resource} ${key}: ${path.slice(1)}`;
      const changes = fields.get(field) ?? [];
      changes.push({ value: actual, writer });
      fields.set(field, changes);
    }
  }
  return [...fields]
    .filter(([, changes]) => changes.length >= leastChanges)
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, mostFields)
    .map(([field, changes]) => `${field} changes ${changes.length} times: ${lastChanges(changes)}`);
}

/** A change follows its request at once, unless another client has caused it. */
function writerOf(entry: Entry | undefined): string {
  if (entry?.kind !== 'request' || !isWrite(entry.request.verb)) return 'by another client';
  return entry.site === '' ? `by ${entry.replica}` : `at ${entry.site}`;
}

/** Metadata that changes with each write. */
const accompanying = /^\.metadata\.(resourceVersion|generation|managedFields)\b/;

function isSame(one: Json | undefined, other: Json | undefined, path: string): boolean {
  if (accompanying.test(path) || one === other) return true;
  return !isObject(one) && JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the last two values: with two writers, each of them has a value. */
function lastChanges(changes: readonly FieldChange[]): string {
  const [last] = changes.slice(-1);
  const before = changes.findLast(({ writer }) => writer !== last?.writer) ?? changes.at(-2);
  return [before, last]
    .flatMap((change) => (change === undefined ? [] : [`to ${shown(change.value)} ${change.writer}`]))
    .join(', ');
}

function shown(value: Difference['actual']): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60);
}
