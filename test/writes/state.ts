/** Comparison of twins, and the removal of fields from bodies. */

import { isFields, type Write } from './history.ts';
import type { Fields } from './kinds.ts';
import { fieldsOf } from './object-client.ts';

/** A difference between the twins. */
export interface Failure {
  readonly problem: string;
  /** The last writes. */
  readonly writes: readonly Write[];
  readonly managed?: string;
  readonly plain?: string;
  /** Index of the step; absent if the steps had no difference. */
  readonly step?: number;
}

/** Members of metadata that differ between twins with equal content. */
const own: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'namespace',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Returns values and owned fields as text, without the identity of the object and times. */
export function normalForm(object: Fields | undefined): string {
  if (object === undefined) return 'absent';
  const metadata = Object.entries(fieldsOf(object['metadata']))
    .filter(([name]) => !own.has(name))
    .map(([name, value]) => [name, comparable(name, value)]);
  const text = JSON.stringify(sorted({ ...object, metadata: Object.fromEntries(metadata) }));
  // Owned references are identified by the uid.
  return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uid');
}

/** Returns a failure as lines. */
export function printFailure({ problem, writes, managed, plain, step }: Failure): string {
  const place = step === undefined ? 'after the steps' : `in step ${step}`;
  const lines = [`${place}: ${problem}`, ...writes.map((write) => `  ${JSON.stringify(write)}`)];
  if (managed === plain) return lines.join('\n');
  return [...lines, `managed: ${managed}`, `plain:   ${plain}`].join('\n').replaceAll('\\', '');
}

function comparable(name: string, value: unknown): unknown {
  if (name === 'deletionTimestamp') return 'set';
  if (!Array.isArray(value)) return value;
  if (name !== 'managedFields') return value;
  return value
    .map((each) => sorted({ ...fieldsOf(each), time: undefined, fieldsType: undefined }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Returns bodies from which one field after the other is removed, up to a body without fields. */
export function removals({ verb, body }: Write): readonly unknown[] {
  if (verb === 'updateStatus') return [{ status: {} }];
  const bodies: unknown[] = [];
  let rest = body;
  for (let at = lastField(rest); at !== undefined; at = lastField(rest)) {
    rest = without(rest, at);
    bodies.push(rest);
  }
  return bodies;
}

type Path = readonly string[];

/** Returns the path of the last member of an object without members below; lists count as a whole. */
function lastField(value: unknown): Path | undefined {
  if (!isFields(value)) return undefined;
  const name = Object.keys(value).at(-1);
  if (name === undefined) return undefined;
  return [name, ...(lastField(value[name]) ?? [])];
}

function without(value: unknown, [name = '', ...rest]: Path): Fields {
  const { [name]: inner, ...others } = fieldsOf(value);
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
}
