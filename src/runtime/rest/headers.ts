/** Names of headers, which are the same in upper and lower case. */

/**
 * Headers with their names in lower case, so that a caller's header replaces ours. Of two names that differ in case alone
 * the later one counts; a header whose value is `undefined` is not there.
 */
export function lowerCased(
  headers: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value] as const],
    ),
  );
}
