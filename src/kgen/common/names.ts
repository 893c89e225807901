/** Validation and composition of names of the Kubernetes API. */

/** Returns whether a string is a DNS label that begins with a letter: versions, plurals, subresources. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** Returns whether a string is a DNS name in lower case: groups. */
export function isSubdomain(text: string): boolean {
  return (
    text.length <= 253 && text.split('.').every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part))
  );
}

/** Returns whether a string is a DNS name, or `''` for the core group. */
export function isGroup(text: string): boolean {
  return text === '' || isSubdomain(text);
}

/** Returns whether a string is a letter, followed by letters, digits and dashes. */
export function isKind(text: string): boolean {
  return text.length <= 63 && /^[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?$/.test(text);
}

/** Returns `apps/v1`, or `v1` in the core group. */
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
 * Returns all but the last part of a definition's full name: `io.k8s.api.core.v1` for
 * `io.k8s.api.core.v1.Pod`.
 */
export function packageOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
