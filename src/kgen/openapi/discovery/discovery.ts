/**
 * Reads the resources of a server from one aggregated discovery response, an `APIGroupDiscoveryList`.
 * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery
 */

import { apiVersionOf, isGroup, isLabel } from '../../common/names.ts';
import { type Checked, type InputProblem, quote, warning } from '../../common/problems.ts';
import { byText } from '../../common/words.ts';
import { at, Checker, type Site } from '../../input/crd/checker.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { describe, isObject } from '../../input/json.ts';
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
  readLabels,
  readVerbs,
  textAt,
} from './discovery-names.ts';

/** Content of an aggregated discovery response. */
export interface Aggregated {
  /** In the order of the document. */
  readonly groupVersions: readonly DiscoveredGroupVersion[];
  /** Group versions whose server is unavailable. They contain the last known resources, possibly none. */
  readonly stale: readonly DiscoveredGroupVersion[];
}

/** Progress of reading a document. */
interface Document {
  readonly check: Checker;
  readonly found: Map<string, DiscoveredGroupVersion>;
  readonly stale: DiscoveredGroupVersion[];
}

/** A group version that is being read, with its dropped entries. */
interface Reading {
  readonly check: Checker;
  readonly own: GroupVersion;
  readonly leftOut: LeftOut;
}

/** Returns whether a value is an `APIGroupDiscoveryList` of a supported version. */
export function isAggregated(value: JsonValue): boolean {
  if (!isObject(value) || !Object.hasOwn(value, 'kind') || !Object.hasOwn(value, 'apiVersion')) return false;
  const { kind, apiVersion } = value;
  return (
    kind === 'APIGroupDiscoveryList' &&
    (apiVersion === 'apidiscovery.k8s.io/v2' || apiVersion === 'apidiscovery.k8s.io/v2beta1')
  );
}

/**
 * Reads an `APIGroupDiscoveryList` as `readAggregated` does. A group version that is marked `Stale` is used,
 * with a warning.
 */
export function parseAggregated(value: JsonValue, file: string): Checked<readonly DiscoveredGroupVersion[]> {
  const { value: read, problems } = readAggregated(value, file);
  const warnings = read.stale.map((one) => staleWarning(one, file));
  return { value: read.groupVersions, problems: [...problems, ...warnings] };
}

/** Returns the warning for a group version whose server is unavailable. */
export function staleWarning(groupVersion: DiscoveredGroupVersion, file: string): InputProblem {
  const known = groupVersion.resources.length > 0;
  const then = known ? 'its last response is used' : 'its resources are unknown and it is left out';
  const name = apiVersionOf(groupVersion);
  return warning(`${name} is stale, the server behind it does not respond at the moment: ${then}`, { file });
}

/**
 * Reads an `APIGroupDiscoveryList` of `apidiscovery.k8s.io/v2` or `v2beta1`, which have equal fields.
 *
 * A part of a wrong type is an error and is dropped; its siblings are kept. Names that are invalid in paths
 * and identifiers are dropped with one warning per group version, and so are subresources of an entry without
 * a kind.
 */
export function readAggregated(value: JsonValue, file: string): Checked<Aggregated> {
  const document: Document = { check: new Checker(), found: new Map(), stale: [] };
  const root: Site = { path: [], value };
  if (isAggregated(value)) {
    for (const group of document.check.items(at(root, 'items'))) readGroup(document, group);
  } else {
    document.check.error(
      root,
      `expected an APIGroupDiscoveryList and found ${describe(value)}: is this a Kubernetes API?`,
    );
  }
  const { found, stale, check } = document;
  return { value: { groupVersions: [...found.values()], stale }, problems: placedFindings(check, file) };
}

function readGroup(document: Document, site: Site): void {
  const { check } = document;
  if (check.object(site) === undefined) return;
  const metadata = at(site, 'metadata');
  check.optionalObject(metadata);
  const group = textAt(check, metadata, 'name');
  if (isGroup(group)) {
    for (const version of check.items(at(site, 'versions'))) readVersion(document, version, group);
  } else {
    check.warning(site, `the group ${quote(group)} is not a DNS name and is left out`);
  }
}

function readVersion({ check, found, stale }: Document, site: Site, group: string): void {
  if (check.object(site) === undefined) return;
  const own = { group, version: textAt(check, site, 'version') };
  const name = apiVersionOf(own);
  if (!isLabel(own.version)) {
    check.warning(site, `${quote(name)} is not a group version, it is left out`);
  } else if (found.has(name)) {
    check.warning(site, `${name} is listed twice, the first one is used`);
  } else {
    const one = { ...own, resources: readResources(check, site, own) };
    found.set(name, one);
    if (textAt(check, site, 'freshness') === 'Stale') stale.push(one);
  }
}

function readResources(check: Checker, site: Site, own: GroupVersion): readonly DiscoveredResource[] {
  const reading = { check, own, leftOut: new LeftOut() };
  const resources = new Map<string, DiscoveredResource>();
  for (const item of check.items(at(site, 'resources'))) {
    const resource = readResource(reading, item);
    if (resource !== undefined && !resources.has(resource.plural)) resources.set(resource.plural, resource);
  }
  reading.leftOut.warn(check, site, apiVersionOf(own));
  return [...resources.values()];
}

function readResource(reading: Reading, site: Site): DiscoveredResource | undefined {
  const { check, own, leftOut } = reading;
  if (check.object(site) === undefined) return undefined;
  const plural = textAt(check, site, 'resource');
  const before = check.errors;
  const named = readKind(check, site);
  if (named === undefined) return check.errors > before ? undefined : leaveOrphans(reading, site, plural);
  const scope = readScope(check, site);
  if (scope === undefined) return undefined;
  const kind = completedKind(named, own);
  if (kind === undefined || !isLabel(plural)) return leftOut.addUnfit(plural);
  const singular = textAt(check, site, 'singularResource');
  return {
    plural,
    singular: isLabel(singular) ? singular : kind.kind.toLowerCase(),
    kind,
    scope,
    verbs: readVerbs(check, site),
    shortNames: readLabels(check, site, 'shortNames'),
    categories: readLabels(check, site, 'categories'),
    subresources: readSubresources(reading, site, plural),
  };
}

/** An entry without a kind only holds subresources of a resource that is served elsewhere. */
function leaveOrphans({ check, leftOut }: Reading, site: Site, plural: string): undefined {
  for (const item of check.items(at(site, 'subresources'))) {
    if (check.object(item) === undefined) continue;
    leftOut.addOrphan(`${plural}/${textAt(check, item, 'subresource')}`);
  }
}

/** Returns `undefined` if no kind is named. */
function readKind(check: Checker, site: Site): GroupVersionKind | undefined {
  const responseKind = at(site, 'responseKind');
  if (check.optionalObject(responseKind) === undefined) return undefined;
  const kind = textAt(check, responseKind, 'kind');
  if (kind === '') return undefined;
  return {
    group: textAt(check, responseKind, 'group'),
    version: textAt(check, responseKind, 'version'),
    kind,
  };
}

function readScope(check: Checker, site: Site): DiscoveredResource['scope'] | undefined {
  const scope = textAt(check, site, 'scope');
  if (scope === 'Namespaced' || scope === 'Cluster') return scope;
  return check.error(
    at(site, 'scope'),
    `the scope of a resource is ${quote(scope)}: it must be Namespaced or Cluster`,
  );
}

function readSubresources(reading: Reading, site: Site, plural: string): readonly DiscoveredSubresource[] {
  const { check, own, leftOut } = reading;
  const found = new Map<string, DiscoveredSubresource>();
  for (const item of check.items(at(site, 'subresources'))) {
    if (check.object(item) === undefined) continue;
    const name = textAt(check, item, 'subresource');
    const named = readKind(check, item);
    if (named === undefined) continue;
    const kind = completedKind(named, own);
    if (kind === undefined || !isLabel(name)) leftOut.addUnfit(`${plural}/${name}`);
    else if (!found.has(name)) found.set(name, { name, kind, verbs: readVerbs(check, item) });
  }
  return [...found.values()].sort((a, b) => byText(a.name, b.name));
}
