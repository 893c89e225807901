/** Target of an HTTP request: the path and the query, as Go's server parses them. */

/** Path and query of a request. */
export interface RequestTarget {
  /** Decoded path. */
  readonly pathname: string;
  /** Segments of the decoded path, without a slash at its end. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * Parses the target of a request line: a path, or an absolute URL. Nothing is normalized: `..` and empty
 * segments are ordinary segments. Returns `undefined` for a path with a malformed escape sequence.
 */
export function parseTarget(target: string): RequestTarget | undefined {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  const escaped = mark < 0 ? local : local.slice(0, mark);
  if (malformed.test(escaped)) return undefined;
  const pathname = decode(escaped);
  const path = pathname.replace(/^\//, '').replace(/\/$/, '');
  return {
    pathname,
    path: path === '' ? [] : path.split('/'),
    query: parseQuery(mark < 0 ? '' : local.slice(mark + 1)),
  };
}

const malformed = /%(?![0-9a-f]{2})/i;

/** Bytes that are not UTF-8 become replacement characters, which no name contains. */
function decode(escaped: string): string {
  if (!escaped.includes('%')) return escaped;
  const bytes = escaped
    .split(/(%[0-9a-f]{2})/i)
    .map((part) => (part.startsWith('%') ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part)));
  return Buffer.concat(bytes).toString('utf8');
}

/** Parameters with malformed escape sequences are ignored. */
function parseQuery(query: string): URLSearchParams {
  if (!malformed.test(query) && !query.includes(';')) return new URLSearchParams(query);
  const valid = query.split('&').filter((part) => !malformed.test(part) && !part.includes(';'));
  return new URLSearchParams(valid.join('&'));
}
