/** Resources of group versions, by discovery or by the paths of documents. */
import { apiVersionOf } from '../../common/names.ts';
import { type InputProblem, quoteAll, warning } from '../../common/problems.ts';
import { byText } from '../../common/words.ts';
import type { Definitions } from '../documents/definitions.ts';
import type { ApiResource, DiscoveredGroupVersion } from '../types.ts';
import { kindIndex } from './kind-index.ts';
import { asDiscovered, resourceOf } from './resources.ts';
import type { PathGroupVersion, PathResource } from './served.ts';

/** A group version, including its custom resources. */
export interface ReadGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ReadResource[];
}

/** A resource with the data of its paths. */
export interface ReadResource {
  readonly resource: ApiResource;
  readonly paths: PathResource | undefined;
}

/** Sources from which resources are read. */
export interface Served {
  readonly paths: ReadonlyMap<string, PathGroupVersion>;
  readonly discovery: readonly DiscoveredGroupVersion[];
  readonly definitions: Definitions;
}

/**
 * Returns every group version, from discovery if it is listed there, otherwise from paths. Sorted by group,
 * then version. If discovery lists a group version several times, the first entry is used.
 */
export function readGroupVersions(served: Served, problems: InputProblem[]): readonly ReadGroupVersion[] {
  const { resolve } = served.definitions;
  const lookup = { find: kindIndex(served.definitions, problems), resolve };
  const found = new Map<string, ReadGroupVersion>();
  for (const { group, version, resources } of [...served.discovery, ...fromPaths(served, problems)]) {
    const key = apiVersionOf({ group, version });
    if (found.has(key)) continue;
    const paths = served.paths.get(key);
    const read = resources.map((resource) => {
      const own = paths?.resources.get(resource.plural);
      return { resource: resourceOf(resource, own, lookup), paths: own };
    });
    found.set(key, { group, version, resources: sortedByPlural(read) });
  }
  return [...found.values()].sort((a, b) => byText(a.group, b.group) || byText(a.version, b.version));
}

function fromPaths(served: Served, problems: InputProblem[]): readonly DiscoveredGroupVersion[] {
  const known = new Set(served.discovery.map(apiVersionOf));
  return [...served.paths.values()]
    .filter((paths) => !known.has(apiVersionOf(paths)))
    .map((paths) => {
      const { group, version } = paths;
      nameKinds(paths, served.definitions);
      const resources = asDiscovered(paths);
      warnOfNameless(paths, problems);
      return { group, version, resources };
    });
}

/** If operations do not name the kind, it is derived from the definition of their response. */
function nameKinds({ resources }: PathGroupVersion, { all, resolve }: Definitions): void {
  for (const resource of resources.values()) {
    if (resource.kind !== undefined || resource.definition === undefined) continue;
    const [kind, ...others] = all.get(resolve(resource.definition) ?? '')?.kinds ?? [];
    if (kind !== undefined && others.length === 0) resource.kind = kind;
  }
}

function warnOfNameless(paths: PathGroupVersion, problems: InputProblem[]): void {
  const nameless = [...paths.resources.values()].filter(({ kind }) => kind === undefined);
  if (nameless.length === 0) return;
  const [document] = paths.documents;
  const names = quoteAll(nameless.map(({ plural }) => plural));
  const what = `no operation of ${apiVersionOf(paths)} names the kind of these resources, they are left out: ${names}; add saved discovery documents`;
  problems.push(warning(what, document === undefined ? undefined : { file: document.file }));
}

function sortedByPlural(resources: readonly ReadResource[]): readonly ReadResource[] {
  return [...resources].sort((a, b) => byText(a.resource.plural, b.resource.plural));
}
