/** Parts of a cluster that patterns select, before any schema is read. */
import { apiVersionOf } from '../common/names.ts';
import { isSelected, matches, type Pattern } from '../model/select.ts';
import type { DiscoveredGroupVersion, DiscoveredResource } from '../openapi/types.ts';

/** Patterns of selected kinds. */
export interface Selection {
  /** All kinds if empty. */
  readonly include: readonly Pattern[];
  readonly exclude: readonly Pattern[];
}

/** Returns the resources of a group version whose kinds are selected. */
export function selectedResources(
  { group, version, resources }: DiscoveredGroupVersion,
  { include, exclude }: Selection,
): readonly DiscoveredResource[] {
  return resources.filter(({ kind }) => isSelected({ group, version, kind: kind.kind }, include, exclude));
}

/** Returns whether the patterns may select a kind of a group of which only the name is known. */
export function mayWantGroup(group: string, { include, exclude }: Selection): boolean {
  const is = (pattern: Pattern): boolean =>
    matches({ ...pattern, version: '*', kind: '*' }, { group, version: '', kind: '' });
  const isWhole = ({ version, kind }: Pattern): boolean => version === '*' && kind === '*';
  const included = include.length === 0 || include.some(is);
  return included && !exclude.some((pattern) => isWhole(pattern) && is(pattern));
}

/** Returns `apps/v1` of each group version with a selected resource that is not defined by a CRD. */
export function versionsToRead(
  discovered: readonly DiscoveredGroupVersion[],
  selection: Selection,
  crds: ReadonlySet<string>,
): ReadonlySet<string> {
  const open = discovered.filter((one) =>
    selectedResources(one, selection).some((resource) => !crds.has(crdName(one.group, resource))),
  );
  return new Set(open.map(apiVersionOf));
}

/**
 * Returns the names of CRDs that define a selected kind, including those that discovery does not list yet.
 */
export function selectedCrds(
  names: readonly string[],
  discovered: readonly DiscoveredGroupVersion[],
  selection: Selection,
): ReadonlySet<string> {
  const known = new Set(discovered.flatMap((one) => one.resources.map((r) => crdName(one.group, r))));
  const requested = new Set(
    discovered.flatMap((one) => selectedResources(one, selection).map((r) => crdName(one.group, r))),
  );
  const groupOf = (name: string): string => name.slice(name.indexOf('.') + 1);
  return new Set(
    names.filter((name) => (known.has(name) ? requested.has(name) : mayWantGroup(groupOf(name), selection))),
  );
}

function crdName(group: string, { plural }: DiscoveredResource): string {
  return `${plural}.${group}`;
}
