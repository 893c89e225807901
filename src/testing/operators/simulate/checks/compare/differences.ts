/** Differences of two runs, up to a renaming of their objects. */
import { array, at, isArray, isObject, type Json, text } from '@kgen/schema/values/json';
import { controllerFields } from '@kgen/testserver/internal/controllers/cluster';
import { type Difference, differencesOf } from '../../../../values/differences.ts';
import type { Exceptions } from './exceptions.ts';
import { match } from './matching.ts';
import { actualForm } from './renaming.ts';
import { keyOf, type Recorded, type Snapshot, shownKeyOf } from './snapshot.ts';

/** A difference of two runs. */
export type RunDifference =
  | { readonly kind: 'missing'; readonly object: Recorded }
  | { readonly kind: 'additional'; readonly object: Recorded }
  /** Another name of an object that is otherwise found. */
  | { readonly kind: 'name'; readonly object: Recorded; readonly actual: Recorded }
  | { readonly kind: 'field'; readonly object: Recorded; readonly field: Difference };

/** The result of a comparison. */
export interface Comparison {
  readonly differences: readonly RunDifference[];
  /** Returns a scalar member of the second run, by its place in the first one. */
  readonly leafAt: (object: Recorded, path: string) => Json | undefined;
}

/** Compares two runs. */
export function compare(
  expected: Snapshot,
  actual: Snapshot,
  exceptions: Exceptions,
  mayDiffer: (object: Recorded) => boolean,
): Comparison {
  const { pairs, renaming, missing, additional } = match(expected, actual, mayDiffer);
  const values = new Map<Recorded, Json>();
  const differences: RunDifference[] = [];
  for (const object of missing) if (object.isShown) differences.push({ kind: 'missing', object });
  for (const { expected: object, actual: other } of pairs) {
    if (!object.isShown && !other.isShown) continue;
    if (keyOf(object) !== keyOf(other)) differences.push({ kind: 'name', object, actual: other });
    const [one, two] = [renaming.expected(object.content), actualForm(other.content)];
    values.set(object, two);
    const isSame = (a: Json | undefined, b: Json | undefined, path: string): boolean =>
      exceptions.decide(object, path, a, b) ?? renaming.isSame(a, b, path);
    for (const field of differencesOf(one, two, isSame))
      if (field.path !== '.spec.replicas' || ![object, other].some(hasScale))
        differences.push({ kind: 'field', object, field });
  }
  for (const object of additional)
    if (object.isShown && !isRetained(object)) differences.push({ kind: 'additional', object });
  return {
    differences,
    leafAt: (object, path) => leavesOf(values.get(object) ?? null, '').find(([each]) => each === path)?.[1],
  };
}

/** Whether an autoscaler has set the replicas of an object. They stay when there is none any more. */
function hasScale({ value }: Recorded): boolean {
  return array(value, 'metadata', 'managedFields').some(
    (each) => text(each, 'manager') === controllerFields && text(each, 'subresource') === 'scale',
  );
}

/** Whether an object is a claim of a StatefulSet, which stays when there are fewer replicas. */
function isRetained({ value }: Recorded): boolean {
  if (text(value, 'kind') !== 'PersistentVolumeClaim') return false;
  return array(value, 'metadata', 'managedFields').some(
    (each) => text(each, 'manager') === controllerFields && at(each, 'fieldsV1', 'f:spec') !== undefined,
  );
}

/** Returns the scalar members of a value by their paths. */
export function leavesOf(value: Json, path: string): readonly (readonly [path: string, value: Json])[] {
  if (isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, `${path}.${key}`));
  return [[path, value]];
}

/** Maximum number of differing fields of one object that are listed. */
const mostFields = 5;

/** Returns a line for each difference: a missing or additional object, or a field with both values. */
export function differenceLines(differences: readonly RunDifference[], actual: Snapshot): readonly string[] {
  const listed = new Map<Recorded, number>();
  const additional = new Set(
    differences.flatMap((each) => (each.kind === 'additional' ? [each.object] : [])),
  );
  const lines = differences.flatMap((difference) => {
    const { object } = difference;
    const count = (listed.get(object) ?? 0) + 1;
    listed.set(object, count);
    return count > mostFields ? [] : [lineOf(difference, actual, additional)];
  });
  return lines.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function lineOf(difference: RunDifference, actual: Snapshot, additional: ReadonlySet<Recorded>): string {
  const key = shownKeyOf(difference.object);
  switch (difference.kind) {
    case 'missing':
      return `${key} is missing`;
    case 'name':
      return `${key} has the name ${keyOf(difference.actual)}`;
    case 'additional': {
      const same = actual.filter((each) => each.isShown && shownKeyOf(each) === key);
      if (same.length < 2) return `${key} should not exist`;
      const expected = same.filter((each) => !additional.has(each)).map(nameOf);
      const others = expected.length === 0 ? '' : `; ${expected.join(', ')} may`;
      return `${key} (${same.length}) should not exist: ${nameOf(difference.object)}${others}`;
    }
    case 'field':
      return `${key}: ${fieldText(difference.field)}`;
  }
}

function nameOf({ value }: Recorded): string {
  return text(value, 'metadata', 'name');
}

function fieldText({ path, expected, actual }: Difference): string {
  const field = path.replace(/^\./, '');
  if (expected === undefined) return `${field} is ${JSON.stringify(actual)} and should be absent`;
  if (actual === undefined) return `${field} is absent in place of ${JSON.stringify(expected)}`;
  return `${field} is ${JSON.stringify(actual)} in place of ${JSON.stringify(expected)}`;
}
