import { at, type Checker, type Site } from '../input/checker.ts';
import { anyText } from '../input/names.ts';
import { quoteAll } from '../problems.ts';
import type { ApiVerb, GroupVersionKind } from './types.ts';

/** A group and one of its versions; `''` is the core group. */
export type GroupVersion = Pick<GroupVersionKind, 'group' | 'version'>;

const verbs: ReadonlySet<string> = new Set<ApiVerb>([
  'create',
  'get',
  'list',
  'watch',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);

/** A DNS label that begins with a letter: versions, plurals, subresources. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** A DNS name, or `''` for the core group. */
export function isGroup(text: string): boolean {
  if (text === '') return true;
  return (
    text.length <= 253 && text.split('.').every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part))
  );
}

/** A letter, then letters, digits and dashes. */
export function isKind(text: string): boolean {
  return text.length <= 63 && /^[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?$/.test(text);
}

/** `apps/v1`, or `v1` in the core group. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The group version that `apps/v1` or `v1` names; undefined where a part is no fit name. */
export function parseApiVersion(text: string): GroupVersion | undefined {
  const parts = text.split('/');
  const [group, version] = parts.length === 1 ? ['', parts[0]] : parts;
  if (group === undefined || version === undefined || parts.length > 2) return undefined;
  if (parts.length === 2 && group === '') return undefined;
  return isGroup(group) && isLabel(version) ? { group, version } : undefined;
}

/** A text; Go writes an absent one as `""`. */
export function textAt(check: Checker, site: Site, key: string): string {
  return check.optionalText(at(site, key), anyText) ?? '';
}

/** Verbs on stored objects, each once, in their order; others, such as `proxy`, are passed over. */
export function readVerbs(check: Checker, site: Site): readonly ApiVerb[] {
  const isVerb = (text: string): text is ApiVerb => verbs.has(text);
  return [...new Set(check.texts(at(site, 'verbs'), anyText).filter(isVerb))];
}

/** Short names or categories: those that are DNS labels; discovery does not vouch for them and nothing rests on them. */
export function readLabels(check: Checker, site: Site, key: string): readonly string[] {
  return [...new Set(check.texts(at(site, key), anyText).filter(isLabel))];
}

/** A kind as discovery names it, completed by the group version of its resource; undefined where it is no fit name. */
export function completedKind(named: GroupVersionKind, own: GroupVersion): GroupVersionKind | undefined {
  const { group, version } = named.version === '' ? own : named;
  const { kind } = named;
  return isGroup(group) && isLabel(version) && isKind(kind) ? { group, version, kind } : undefined;
}

/**
 * Names that are not fit for paths and identifiers. Metrics adapters serve thousands of them, so they are collected
 * and told in one warning for each group version.
 */
export class UnfitNames {
  readonly #names: string[] = [];

  add(name: string): undefined {
    this.#names.push(name);
  }

  warn(check: Checker, site: Site, apiVersion: string): void {
    if (this.#names.length === 0) return;
    const what = `${apiVersion} has resources with names that cannot be used in code, they are left out: ${quoteAll(this.#names)}`;
    check.warning(site, what);
  }
}
