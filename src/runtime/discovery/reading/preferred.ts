import type { APIGroup, APIResource, APIResourceList, ServerGroupsAndResources } from '../types.ts';

/** A resource with its group version. */
interface Chosen {
  readonly groupVersion: string;
  readonly resource: APIResource;
}

/**
 * Returns each matching resource once: in the preferred version of its group, otherwise in the first version
 * that has it. Excludes subresources and empty lists.
 */
export function preferredResources(
  everything: ServerGroupsAndResources,
  fits: (resource: APIResource) => boolean = () => true,
): readonly APIResourceList[] {
  const lists = new Map(everything.resources.map((list) => [list.groupVersion, list]));
  return everything.groups.flatMap((group) => {
    const chosen = [...chosenOf(group, lists).values()].filter(({ resource }) => fits(resource));
    return group.versions.flatMap(({ groupVersion }) => {
      const own = chosen.filter((one) => one.groupVersion === groupVersion);
      return own.length === 0 ? [] : [{ groupVersion, resources: own.map(({ resource }) => resource) }];
    });
  });
}

function chosenOf(group: APIGroup, lists: ReadonlyMap<string, APIResourceList>): ReadonlyMap<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  for (const { groupVersion } of group.versions) {
    const isPreferred = groupVersion === group.preferredVersion?.groupVersion;
    for (const resource of lists.get(groupVersion)?.resources ?? []) {
      if (resource.name.includes('/') || (chosen.has(resource.name) && !isPreferred)) continue;
      chosen.set(resource.name, { groupVersion, resource });
    }
  }
  return chosen;
}
