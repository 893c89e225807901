/** Case-insensitive header names. */

/**
 * Returns the headers with lower-case names, so that headers of the caller replace the defaults. Of two names
 * that differ only in case, the later one applies; headers whose value is `undefined` are omitted.
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
