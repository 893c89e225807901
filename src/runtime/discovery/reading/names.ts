/** Validation of names from a server, before they become parts of paths, file names and messages. */

const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const groupPattern = new RegExp(`^${label}(?:\\.${label})*$`);
const versionPattern = new RegExp(`^${label}$`);

/** A group and one of its versions. `''` is the core group. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Returns whether a string is the name of a group other than the core group. */
export function isGroup(text: string): boolean {
  return text.length <= 253 && groupPattern.test(text);
}

/** Returns whether a string is the name of a version. */
export function isVersion(text: string): boolean {
  return versionPattern.test(text);
}

/** Parses `apps/v1` or `v1`. Returns `undefined` if it is invalid. */
export function groupVersionOf(text: string): GroupVersion | undefined {
  const slash = text.indexOf('/');
  const group = slash < 0 ? '' : text.slice(0, slash);
  const version = text.slice(slash + 1);
  return (slash < 0 || isGroup(group)) && isVersion(version) ? { group, version } : undefined;
}

/** Returns whether a string may be the name of a kind, a verb, a category or a part of a resource's name. */
export function isPlain(text: string): boolean {
  return /^[^\s\p{C}/%\\"'`]{1,253}$/u.test(text) && text !== '.' && text !== '..';
}

/**
 * Returns whether a string may be the name of a resource or of a subresource. Names of metrics adapters have
 * any number of parts.
 */
export function isResourceName(text: string): boolean {
  return text.length <= 1024 && text.split('/').every(isPlain);
}
