/** Paths of requests. Names that would change the path are rejected before anything is sent. */

/** Names without special characters, as most are. */
const plain = /^\w[\w.-]*$/;

/**
 * Checks a name for use in a path and returns it escaped.
 * @throws {TypeError} if it is not a string, empty, `.`, `..`, or contains a `/`, a `%` or a lone surrogate:
 * no such name exists, and the path would have another meaning
 */
export function pathSegment(value: string | undefined, what: string): string {
  if (typeof value === 'string' && plain.test(value)) return value;
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${what} ${value === '' ? 'is empty' : `must be a string, got ${value}`}`);
  }
  if (value === '.' || value === '..') throw new TypeError(`${what} must not be '${value}'`);
  if (/[/%]|\p{Cs}/u.test(value)) {
    throw new TypeError(`${what} must not contain '/', '%' or a lone surrogate: ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

/**
 * Expands a path template: `/api/v1/namespaces/{namespace}`.
 * @throws {TypeError} for a part without a value or with an unsafe one, a value without a part, an empty
 * name, or a path that is not absolute
 */
export function expandPath(template: string, values: Readonly<Record<string, string>> = {}): string {
  if (typeof template !== 'string') throw new TypeError(`path must be a string, got ${template}`);
  const used = new Set<string>();
  const path = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new TypeError(`the path ${template} needs a value for {${name}}`);
    used.add(name);
    return pathSegment(value, `{${name}} of the path ${template}`);
  });
  const unused = Object.keys(values).find((name) => !used.has(name));
  if (unused !== undefined) throw new TypeError(`the path ${template} has no part {${unused}}`);
  return checkedPath(withoutGaps(path));
}

/** Matches up to the subresource `proxy` of an object. A namespace may have that name too. */
const proxy = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy\//;

/**
 * Returns whether a path leads through the subresource `proxy`: paths behind it are not those of the API
 * server.
 */
export function isProxied(path: string): boolean {
  return proxy.test(path);
}

/** An empty name within a path would change its meaning. Paths behind a proxy are not checked. */
function withoutGaps(path: string): string {
  if (path.includes('//') && (proxy.exec(path)?.[0] ?? path).includes('//'))
    reject('not contain empty segments', path);
  return path;
}

/**
 * Checks a path that is already escaped.
 * @throws {TypeError} if it is not absolute, contains a query, or has `.` or `..` as a segment (also escaped)
 */
export function checkedPath(path: string): string {
  if (!path.startsWith('/')) reject("begin with '/'", path);
  if (path.includes('?')) reject("not contain '?', pass the parameters as `query`", path);
  if (/[#\s\\]/.test(path)) reject("not contain '#', '\\' or spaces", path);
  const unsafe = path.split('/').find((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (unsafe !== undefined) reject(`not contain the segment '${unsafe}'`, path);
  return path;
}

function reject(requirement: string, path: string): never {
  throw new TypeError(`path must ${requirement}: ${JSON.stringify(path)}`);
}
