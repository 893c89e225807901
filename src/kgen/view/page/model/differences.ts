/** Differences between two states of an object, field by field. */
import { isRecord } from '../../secrets.ts';

/** A field that differs; `undefined` if it is absent. */
export interface FieldDifference {
  /** Path of the field: `.spec.replicas`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that change with each write. */
const ignored: ReadonlySet<string> = new Set(['.metadata.resourceVersion', '.metadata.managedFields']);

/** Returns the fields that differ, at most `limit`. */
export function differencesOf(before: unknown, after: unknown, limit = 100): readonly FieldDifference[] {
  const found: FieldDifference[] = [];
  compare(before, after, '', { found, limit });
  return found;
}

interface Comparison {
  readonly found: FieldDifference[];
  readonly limit: number;
}

function compare(before: unknown, after: unknown, path: string, to: Comparison): void {
  if (to.found.length >= to.limit || before === after || ignored.has(path)) return;
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === undefined || other === undefined || Array.isArray(before) !== Array.isArray(after)) {
    to.found.push({ path, before, after });
    return;
  }
  for (const name of new Set([...one.keys(), ...other.keys()]))
    compare(one.get(name), other.get(name), `${path}${stepOf(name)}`, to);
}

function membersOf(value: unknown): ReadonlyMap<string | number, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item: unknown, index) => [index, item]));
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

/** Returns a step of a path: `.name`, `[0]` or `["a.b/c"]`. */
export function stepOf(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`;
  return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
