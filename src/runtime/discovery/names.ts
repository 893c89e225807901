/** Names that a server gives, and which of them are fit to be put into paths, file names and messages. */

const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const groupPattern = new RegExp(`^${label}(?:\\.${label})*$`);
const versionPattern = new RegExp(`^${label}$`);

/** A group and one of its versions; `''` is the core group. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Whether a text is the name of a group other than the core group. */
export function isGroup(text: string): boolean {
  return text.length <= 253 && groupPattern.test(text);
}

/** Whether a text is the name of a version. */
export function isVersion(text: string): boolean {
  return versionPattern.test(text);
}

/** The group version that `apps/v1` or `v1` names; undefined where it names none. */
export function groupVersionOf(text: string): GroupVersion | undefined {
  const slash = text.indexOf('/');
  const group = slash < 0 ? '' : text.slice(0, slash);
  const version = text.slice(slash + 1);
  return (slash < 0 || isGroup(group)) && isVersion(version) ? { group, version } : undefined;
}

/** Whether a text may be the name of a kind, a verb, a category or a part of a resource's name. */
export function isPlain(text: string): boolean {
  return /^[^\s\p{C}/%\\"'`]{1,253}$/u.test(text) && text !== '.' && text !== '..';
}

/** Whether a text may be the name of a resource or of a subresource. Metrics adapters have any number of parts. */
export function isResourceName(text: string): boolean {
  return text.length <= 1024 && text.split('/').every(isPlain);
}
