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
  const split = path.split('/');
  const parts = path.includes('%') ? split.map(decoded) : split;
  const root = parts[1];
  const group = root === 'api' ? '' : root === 'apis' ? parts[2] : undefined;
  const at = root === 'api' ? 2 : 3;
  const version = parts[at];
  if (group === undefined || version === undefined) return undefined;
  return targetIn(group, version, parts.slice(at + 1));
}

/** Returns whether the response to a write of the target is the object itself. */
export function isObjectResponse({ subresource }: RequestTarget): boolean {
  return subresource === undefined || wholeObjects.has(subresource);
}

function targetIn(group: string, version: string, rest: readonly string[]): RequestTarget | undefined {
  // `/api/v1/namespaces/shop` and its subresources are the namespace itself.
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2 && !isNamespaceSubresource(group, rest);
  const at = isNamespaced ? 2 : 0;
  const [resource, name] = [rest[at], rest[at + 1]];
  if (resource === undefined || resource === '') return undefined;
  return {
    group,
    version,
    resource,
    namespace: isNamespaced ? rest[1] : undefined,
    name: name === '' ? undefined : name,
    subresource: rest.length > at + 2 ? rest.slice(at + 2).join('/') : undefined,
  };
}

function isNamespaceSubresource(group: string, { length, 2: part }: readonly string[]): boolean {
  return group === '' && length === 3 && (part === 'status' || part === 'finalize');
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
