/** Validation of names in discovery, which is untrusted. */
import { isGroup, isKind, isLabel } from '../../common/names.ts';
import { quoteAll } from '../../common/problems.ts';
import { at, type Checker, type Site } from '../../input/crd/checker.ts';
import { anyText } from '../../input/crd/names.ts';
import type { ApiVerb, GroupVersionKind } from '../types.ts';

/** A group and one of its versions. `''` is the core group. */
export type GroupVersion = Pick<GroupVersionKind, 'group' | 'version'>;

/** All verbs on stored objects, in canonical order. */
export const apiVerbs: readonly ApiVerb[] = [
  'create',
  'get',
  'list',
  'watch',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

const known: ReadonlySet<string> = new Set(apiVerbs);

/** Parses an apiVersion such as `apps/v1` or `v1`. Returns `undefined` if a part is not a valid name. */
export function parseApiVersion(text: string): GroupVersion | undefined {
  const parts = text.split('/');
  const [group, version] = parts.length === 1 ? ['', parts[0]] : parts;
  if (group === undefined || version === undefined || parts.length > 2) return undefined;
  if (parts.length === 2 && group === '') return undefined;
  return isGroup(group) && isLabel(version) ? { group, version } : undefined;
}

/** Returns a string member. Go encodes an absent string as `""`. */
export function textAt(check: Checker, site: Site, key: string): string {
  return check.optionalText(at(site, key), anyText) ?? '';
}

/**
 * Returns the verbs on stored objects without duplicates, in canonical order. Other verbs, such as `proxy`,
 * are ignored.
 */
export function readVerbs(check: Checker, site: Site): readonly ApiVerb[] {
  const isVerb = (text: string): text is ApiVerb => known.has(text);
  return [...new Set(check.texts(at(site, 'verbs'), anyText).filter(isVerb))];
}

/**
 * Returns short names or categories that are valid DNS labels. Discovery does not guarantee that they are
 * valid, and no code depends on them.
 */
export function readLabels(check: Checker, site: Site, key: string): readonly string[] {
  return [...new Set(check.texts(at(site, key), anyText).filter(isLabel))];
}

/**
 * Completes a kind of discovery with the group version of its resource. Returns `undefined` if it is not a
 * valid name.
 */
export function completedKind(named: GroupVersionKind, own: GroupVersion): GroupVersionKind | undefined {
  const { group, version } = named.version === '' ? own : named;
  const { kind } = named;
  return isGroup(group) && isLabel(version) && isKind(kind) ? { group, version, kind } : undefined;
}

/**
 * Dropped entries of a group version. Metrics adapters serve thousands of invalid names, so the entries are
 * collected into one warning per reason.
 */
export class LeftOut {
  /** Resources whose names are invalid in paths and identifiers. */
  readonly #unfit: string[] = [];
  /** Subresources of missing resources. */
  readonly #orphans: string[] = [];

  addUnfit(name: string): undefined {
    this.#unfit.push(name);
  }

  addOrphan(name: string): undefined {
    this.#orphans.push(name);
  }

  warn(check: Checker, site: Site, apiVersion: string): void {
    const warnOf = (names: readonly string[], what: string): void => {
      if (names.length === 0) return;
      check.warning(site, `${apiVersion} has ${what}, they are left out: ${quoteAll(names)}`);
    };
    warnOf(this.#unfit, 'resources with names that cannot be used in code');
    warnOf(this.#orphans, 'subresources of resources that it does not have itself');
  }
}
