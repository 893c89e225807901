/** Derives the resource and object of a request from its path. Pure. */

/** Resource, object and subresource of a path. */
export interface RequestTarget {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural of the resource. */
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Subresources whose responses are the whole object. */
const wholeObjects = new Set(['status', 'finalize', 'approval', 'ephemeralcontainers', 'resize']);

/**
 * Returns the target of a path, as in `/apis/apps/v1/namespaces/shop/deployments/web/status`; `undefined` for
 * paths of no resource, such as `/version`.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export function requestTarget(path: string): RequestTarget | undefined {
  const parts = path.split('/').slice(1).map(decoded);
  const root = parts.shift();
  const group = root === 'api' ? '' : root === 'apis' ? parts.shift() : undefined;
  const [version, ...rest] = parts;
  if (group === undefined || version === undefined) return undefined;
  return targetIn(group, version, rest);
}

/** Returns whether the response to a write of the target is the object itself. */
export function isObjectResponse({ subresource }: RequestTarget): boolean {
  return subresource === undefined || wholeObjects.has(subresource);
}

function targetIn(group: string, version: string, rest: readonly string[]): RequestTarget | undefined {
  const [first, namespace, resource, ...more] = rest;
  // `/api/v1/namespaces/shop` and its subresources are the namespace itself.
  const isNamespaced =
    first === 'namespaces' && resource !== undefined && !isNamespaceSubresource(group, resource, more);
  const [plural, name, ...subresources] = isNamespaced ? [resource, ...more] : rest;
  if (plural === undefined || plural === '') return undefined;
  return {
    group,
    version,
    resource: plural,
    ...(isNamespaced && { namespace }),
    ...(name !== undefined && name !== '' && { name }),
    ...(subresources.length > 0 && { subresource: subresources.join('/') }),
  };
}

function isNamespaceSubresource(group: string, part: string, more: readonly string[]): boolean {
  return group === '' && more.length === 0 && (part === 'status' || part === 'finalize');
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
