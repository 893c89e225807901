/** Rules for values as data: each returns the errors of a value at a path in the words of the API server. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { equal, isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';

/** Returns the errors of a value. `undefined` is an absent one. */
export type Check = (value: Json | undefined, path: string) => readonly FieldError[];

/** Checks members of an object. A missing object has no members, so that required ones are reported. */
export function members(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value, path) =>
    entries.flatMap(([key, check]) => check(own(value, key), path === '' ? key : `${path}.${key}`));
}

/** Checks the value if it is present. */
export function optional(...checks: readonly Check[]): Check {
  const check = all(...checks);
  return (value, path) => (value === undefined || value === null ? [] : check(value, path));
}

/** Combines checks of one value. */
export function all(...checks: readonly Check[]): Check {
  return (value, path) => checks.flatMap((check) => check(value, path));
}

/** Stops at the first check that has errors. */
export function first(...checks: readonly Check[]): Check {
  return (value, path) => {
    for (const check of checks) {
      const errors = check(value, path);
      if (errors.length > 0) return errors;
    }
    return [];
  };
}

/** Checks each element of a list. */
export function each(...checks: readonly Check[]): Check {
  const check = all(...checks);
  return (value, path) =>
    isArray(value) ? value.flatMap((item, index) => check(item, `${path}[${index}]`)) : [];
}

/** Checks each value of a map, with its key in brackets. */
export function eachValue(...checks: readonly Check[]): Check {
  const check = all(...checks);
  return (value, path) =>
    isObject(value) ? Object.entries(value).flatMap(([key, item]) => check(item, `${path}[${key}]`)) : [];
}

/** Requires a value that is not empty. */
export function present(detail = ''): Check {
  return (value, path) => (isEmpty(value) ? [required(path, detail)] : []);
}

/** Returns whether a value is absent or the zero value of its type. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  return isArray(value) && value.length === 0;
}

/** Requires one of these strings. The server lists them in alphabetical order. */
export function oneOf(...values: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === 'string' && values.includes(value)) return [];
    return [notSupported(path, value ?? '', [...values].sort())];
  };
}

/** Requires one of these strings, which the server lists in this order. */
export function listed(...values: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === 'string' && values.includes(value)) return [];
    return [notSupported(path, value ?? '', values)];
  };
}

/** Requires one of these strings, and a value at all. */
export function requiredOneOf(...values: readonly string[]): Check {
  return first(present(), oneOf(...values));
}

/** Applies a function that returns the problem of a string, or `undefined` for a valid one. */
export function valid(problem: (value: string) => string | readonly string[] | undefined): Check {
  return (value, path) => {
    const found = typeof value === 'string' ? (problem(value) ?? []) : [];
    return [found].flat().map((detail) => invalidValue(path, value ?? '', detail));
  };
}

/** Requires a name: present and valid. */
export function named(problem: (value: string) => string | readonly string[] | undefined): Check {
  return first(present(), valid(problem));
}

/** Requires a number that is not negative. */
export const nonNegative: Check = (value, path) =>
  typeof value === 'number' && value < 0
    ? [invalidValue(path, value, 'must be greater than or equal to 0')]
    : [];

/** Requires a positive number, if there is one. */
export const positive: Check = (value, path) =>
  typeof value === 'number' && value <= 0 ? [invalidValue(path, value, 'must be greater than 0')] : [];

/** Requires a number within bounds, if there is one. */
export function between(low: number, high: number): Check {
  return (value, path) =>
    typeof value === 'number' && (value < low || value > high)
      ? [invalidValue(path, value, `must be between ${low} and ${high}, inclusive`)]
      : [];
}

/** Limits the number of elements. */
export function atMost(limit: number): Check {
  return (value, path) => {
    if (!isArray(value) || value.length <= limit) return [];
    const detail = `must have at most ${limit} items`;
    return [{ reason: 'FieldValueTooMany', field: path, value: value.length, detail }];
  };
}

/** Requires elements with different keys; by default, several may be empty. */
export function unique(key: string, empty: 'without empty' | 'with empty' = 'without empty'): Check {
  return (value, path) => {
    const seen: Json[] = [];
    return (isArray(value) ? value : []).flatMap((item, index): readonly FieldError[] => {
      const own_ = own(item, key) ?? '';
      if (own_ === '' && empty === 'without empty') return [];
      if (seen.some((other) => equal(other, own_))) return [duplicate(`${path}[${index}].${key}`, own_)];
      seen.push(own_);
      return [];
    });
  };
}

/** Requires different elements. */
export const distinct: Check = (value, path) => {
  const items = isArray(value) ? value : [];
  return items.flatMap((item, index) =>
    items.findIndex((other) => equal(other, item)) < index ? [duplicate(`${path}[${index}]`, item)] : [],
  );
};

/** Returns the error of a repeated value. */
export function duplicate(field: string, value: Json): FieldError {
  return { reason: 'FieldValueDuplicate', field, value };
}

/** Requires that the value does not change. */
export function immutable(
  path: string,
  value: Json | undefined,
  old: Json | undefined,
): readonly FieldError[] {
  if (equal(value ?? null, old ?? null)) return [];
  return [invalidValue(path, value ?? null, 'field is immutable')];
}

/** Requires an absent value. */
export function absent(detail: string): Check {
  return (value, path) => (value === undefined || value === null ? [] : [forbiddenField(path, detail)]);
}

/** Applies a check to the object with its members in view. */
export function whole(check: (value: JsonObject, path: string) => readonly FieldError[]): Check {
  return (value, path) => check(isObject(value) ? value : {}, path);
}

/** Returns the path of a member. */
export function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
