/** Case-insensitive header names. */

type Headers = Readonly<Record<string, string | undefined>>;

/** Upper-case letters, and characters that names of headers cannot contain. */
const notLower = /[^ -@[-~]/;

/**
 * Returns the headers with lower-case names, so that headers of the caller replace the defaults; the same
 * object if nothing changes. Of two names that differ only in case, the later one applies; headers whose
 * value is `undefined` are omitted.
 */
export function lowerCased(headers: Headers = {}): Readonly<Record<string, string>> {
  if (isLowerCased(headers)) return headers;
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value] as const],
    ),
  );
}

function isLowerCased(headers: Headers): headers is Readonly<Record<string, string>> {
  for (const name of Object.keys(headers)) {
    if (headers[name] === undefined || notLower.test(name)) return false;
  }
  return true;
}
