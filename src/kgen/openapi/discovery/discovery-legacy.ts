/**
 * Reads legacy discovery: servers before 1.26 use it, and every server returns it on request. The groups are
 * in one document, the resources of each group version in another.
 */

import { apiVersionOf, isLabel } from '../../common/names.ts';
import { type Checked, quote } from '../../common/problems.ts';
import { byText } from '../../common/words.ts';
import { at, Checker, type Site } from '../../input/crd/checker.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { anyText } from '../../input/crd/names.ts';
import { describe } from '../../input/json.ts';
import type {
  DiscoveredGroupVersion,
  DiscoveredResource,
  DiscoveredSubresource,
  GroupVersionKind,
} from '../types.ts';
import { placedFindings } from './discovery-findings.ts';
import {
  completedKind,
  type GroupVersion,
  LeftOut,
  parseApiVersion,
  readLabels,
  readVerbs,
  textAt,
} from './discovery-names.ts';

/**
 * Reads the list of group versions: `APIVersions` (response of `/api`) or `APIGroupList` (response of
 * `/apis`), in the order of the document, without duplicates. Invalid names are dropped with a warning; a
 * wrong type is an error.
 */
export function parseGroups(value: JsonValue, file: string): Checked<readonly GroupVersion[]> {
  const check = new Checker();
  const root: Site = { path: [], value };
  const found = new Map<string, GroupVersion>();
  for (const name of groupNames(check, root)) {
    const one = parseApiVersion(name);
    if (one === undefined) check.warning(root, `${quote(name)} is not a group version, it is left out`);
    else found.set(name, one);
  }
  return { value: [...found.values()], problems: placedFindings(check, file) };
}

function groupNames(check: Checker, root: Site): readonly string[] {
  switch (at(root, 'kind').value) {
    case 'APIVersions':
      return check.texts(at(root, 'versions'), anyText);
    case 'APIGroupList':
      return check
        .items(at(root, 'groups'))
        .flatMap((group) => check.items(at(group, 'versions')))
        .map((version) => textAt(check, version, 'groupVersion'));
    default:
      check.error(
        root,
        `expected a list of API groups and found ${describe(root.value)}: is this a Kubernetes API?`,
      );
      return [];
  }
}

/** An entry of an `APIResourceList`. */
interface Entry {
  readonly site: Site;
  /** `pods`, or `pods/log`. */
  readonly name: string;
  readonly kind: GroupVersionKind;
}

/**
 * Reads an `APIResourceList`, in which names with a slash are subresources. Returns `undefined` with problems
 * if the value has another type or names no group version. Entries are dropped by the rules of aggregated
 * discovery.
 */
export function parseResourceList(
  value: JsonValue,
  file: string,
): Checked<DiscoveredGroupVersion | undefined> {
  const check = new Checker();
  const found = readList(check, { path: [], value });
  return { value: found, problems: placedFindings(check, file) };
}

function readList(check: Checker, root: Site): DiscoveredGroupVersion | undefined {
  if (at(root, 'kind').value !== 'APIResourceList') {
    return check.error(
      root,
      `expected an APIResourceList and found ${describe(root.value)}: is this a Kubernetes API?`,
    );
  }
  const name = textAt(check, root, 'groupVersion');
  const own = parseApiVersion(name);
  if (own === undefined) return check.error(root, `${quote(name)} is not a group version`);
  const leftOut = new LeftOut();
  const entries = check
    .items(at(root, 'resources'))
    .flatMap((site) => readEntry(check, site, own, leftOut) ?? []);
  const subresources = subresourcesOf(check, entries);
  const resources = new Map<string, DiscoveredResource>();
  for (const entry of entries) {
    if (entry.name.includes('/') || resources.has(entry.name)) continue;
    resources.set(entry.name, readResource(check, entry, subresources.get(entry.name) ?? []));
  }
  for (const { name } of entries) {
    const [plural = '', subresource] = name.split('/');
    if (subresource !== undefined && !resources.has(plural)) leftOut.addOrphan(name);
  }
  leftOut.warn(check, root, apiVersionOf(own));
  return { ...own, resources: [...resources.values()] };
}

function readEntry(check: Checker, site: Site, own: GroupVersion, leftOut: LeftOut): Entry | undefined {
  if (check.object(site) === undefined) return undefined;
  const name = textAt(check, site, 'name');
  const named = {
    group: textAt(check, site, 'group'),
    version: textAt(check, site, 'version'),
    kind: textAt(check, site, 'kind'),
  };
  if (named.kind === '') return undefined;
  const kind = completedKind(named, own);
  const parts = name.split('/');
  if (kind === undefined || parts.length > 2 || !parts.every(isLabel)) return leftOut.addUnfit(name);
  return { site, name, kind };
}

function readResource(
  check: Checker,
  { site, name, kind }: Entry,
  subresources: readonly DiscoveredSubresource[],
): DiscoveredResource {
  const singular = textAt(check, site, 'singularName');
  return {
    plural: name,
    singular: isLabel(singular) ? singular : kind.kind.toLowerCase(),
    kind,
    scope: check.optionalBoolean(at(site, 'namespaced')) === true ? 'Namespaced' : 'Cluster',
    verbs: readVerbs(check, site),
    shortNames: readLabels(check, site, 'shortNames'),
    categories: readLabels(check, site, 'categories'),
    subresources,
  };
}

/** By the plural of their resource, sorted by name. */
function subresourcesOf(
  check: Checker,
  entries: readonly Entry[],
): ReadonlyMap<string, readonly DiscoveredSubresource[]> {
  const found = new Map<string, Map<string, DiscoveredSubresource>>();
  for (const { site, name, kind } of entries) {
    const [plural = '', subresource] = name.split('/');
    if (subresource === undefined) continue;
    const own = found.get(plural) ?? new Map<string, DiscoveredSubresource>();
    found.set(plural, own);
    if (!own.has(subresource)) {
      own.set(subresource, { name: subresource, kind, verbs: readVerbs(check, site) });
    }
  }
  const sorted = (own: ReadonlyMap<string, DiscoveredSubresource>): readonly DiscoveredSubresource[] =>
    [...own.values()].sort((a, b) => byText(a.name, b.name));
  return new Map([...found].map(([plural, own]) => [plural, sorted(own)]));
}
