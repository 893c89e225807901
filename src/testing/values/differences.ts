/** Differences of JSON values. Pure. */
import { isArray, isObject, type Json, own } from '@kgen/schema/values/json';

/** A member that differs, or is absent in one of two values. */
export interface Difference {
  /** `.spec.containers[0].image`; empty for the value itself. */
  readonly path: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/**
 * Returns the innermost members in which two values differ. Lists of different lengths count as one member.
 * @param isSame whether two values are equal; values of which it is false are compared member by member
 */
export function differencesOf(
  expected: Json | undefined,
  actual: Json | undefined,
  isSame: (expected: Json | undefined, actual: Json | undefined, path: string) => boolean,
  path = '',
): readonly Difference[] {
  if (isSame(expected, actual, path)) return [];
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) =>
      differencesOf(own(expected, key), own(actual, key), isSame, `${path}.${key}`),
    );
  }
  if (isArray(expected) && isArray(actual) && expected.length === actual.length)
    return expected.flatMap((item, index) => differencesOf(item, actual[index], isSame, `${path}[${index}]`));
  return [{ path, expected, actual }];
}
