/** Names of groups, kinds and resources of an API. */

/** Identifies a kind. */
export interface GroupVersionKind {
  /** API group, such as `apps`; `''` for the core group. Arguments may also name it `core`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Identifies a resource by the parts of its path. */
export interface GroupVersionResource {
  /** API group, such as `apps`; `''` for the core group. Arguments may also name it `core`. */
  readonly group: string;
  readonly version: string;
  /** Plural name of the resource: `deployments`. */
  readonly resource: string;
}

/** Returns the `apiVersion` of objects: `v1`, or `apps/v1`. */
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
 * Parses the `apiVersion` of an object.
 * @throws {TypeError} an empty string, or more than one `/`
 */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = '', second, ...more] = apiVersion.split('/');
  if (first === '' || second === '' || more.length > 0) {
    throw new TypeError(`not an apiVersion: ${JSON.stringify(apiVersion)}; it is like v1 or apps/v1`);
  }
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** Returns the name of a group in the API. The core group, `''`, may also be written `core`. */
export function groupName(group: string): string {
  return group === 'core' ? '' : group;
}

/** Returns a group for messages: `the core group`, or `group "apps"`. */
export function describeGroup(group: string): string {
  return group === '' ? 'the core group' : `group ${JSON.stringify(group)}`;
}
