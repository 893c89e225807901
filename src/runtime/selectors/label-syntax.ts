/** Syntax of label keys and values. */

const name = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const prefix = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** The rule for keys, for messages. */
export const keyRule =
  'up to 63 of A-Z a-z 0-9 - _ . with a letter or digit at both ends, after an optional DNS name and /';
/** The rule for values, for messages. */
export const valueRule =
  'a string: empty, or up to 63 of A-Z a-z 0-9 - _ . with a letter or digit at both ends';

/** Returns whether a string is a valid label key: `app`, `app.kubernetes.io/name`. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  return name.test(key.slice(slash + 1)) && (slash < 0 || prefix.test(key.slice(0, slash)));
}

/** Returns whether a value is a valid label value. */
export function isLabelValue(value: unknown): value is string {
  return typeof value === 'string' && (value === '' || name.test(value));
}
