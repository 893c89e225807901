/** How resources and kinds of an API are named. */

/** A kind of objects. */
export interface GroupVersionKind {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A resource: what a path names. */
export interface GroupVersionResource {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
}

/** `v1`, or `apps/v1`: what objects say as their `apiVersion`. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * Reads what objects say as their `apiVersion`.
 * @throws {TypeError} empty, or more than one `/`
 */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = '', second, ...more] = apiVersion.split('/');
  if (first === '' || second === '' || more.length > 0) {
    throw new TypeError(`not an apiVersion: ${JSON.stringify(apiVersion)}; it is like v1 or apps/v1`);
  }
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}
