/** Paths. A name that would change the path it is put into is refused before anything is sent. */

/**
 * Puts a name into a path.
 * @throws {TypeError} empty, `.`, `..`, or with a `/`, a `%` or half a character (a lone surrogate): no such name exists,
 * and the path would mean another thing
 */
export function pathSegment(value: string, what: string): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${what} is empty`);
  if (value === '.' || value === '..') throw new TypeError(`${what} may not be '${value}'`);
  if (/[/%]|\p{Cs}/u.test(value)) {
    throw new TypeError(`${what} may not contain '/', '%' or half a character: ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

/**
 * Fills in a path template: `/api/v1/namespaces/{namespace}`.
 * @throws {TypeError} a part that has no value or an unsafe one, a value that has no part, an empty name, a path that is
 * not absolute
 */
export function expandPath(template: string, values: Readonly<Record<string, string>> = {}): string {
  if (typeof template !== 'string') throw new TypeError(`a path is a text, not ${JSON.stringify(template)}`);
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

/** Up to the subresource `proxy` of an object. A namespace may be called the same. */
const proxy = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy\//;

/** Whether a path leads to what is behind an object: paths there are none of this server's. */
export function isProxied(path: string): boolean {
  return proxy.test(path);
}

/** A name that is left empty within a path would make it lead elsewhere. What is behind a proxy has names of its own. */
function withoutGaps(path: string): string {
  if (path.includes('//') && (proxy.exec(path)?.[0] ?? path).includes('//'))
    throw new TypeError(`a path has no empty names: ${JSON.stringify(path)}`);
  return path;
}

/**
 * Checks a path that is already escaped.
 * @throws {TypeError} not absolute, with a query, or with segments that are `.` or `..` (also in escapes)
 */
export function checkedPath(path: string): string {
  if (!path.startsWith('/')) throw new TypeError(`a path begins with '/': ${JSON.stringify(path)}`);
  if (path.includes('?')) {
    throw new TypeError(`a path has no '?': give the parameters as \`query\`: ${JSON.stringify(path)}`);
  }
  if (/[#\s\\]/.test(path)) throw new TypeError(`a path has no '#', '\\' or space: ${JSON.stringify(path)}`);
  const unsafe = path.split('/').find((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (unsafe !== undefined) throw new TypeError(`a path has no segment '${unsafe}': ${JSON.stringify(path)}`);
  return path;
}
