import type { RESTClient } from '@kgen/runtime';
import { DiscoveryClient } from '@kgen/runtime/discovery';

/** A resource of a server in one version. */
export interface Served {
  /** `apps/v1/Deployment` */
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Subresources by name, with the verbs and the kind of each. */
  readonly subresources: ReadonlyMap<string, { readonly kind: string; readonly verbs: readonly string[] }>;
}

/** Groups of Kubernetes itself: without a dot, or ending with `.k8s.io`. */
const ownGroups = /^(?:[^/.]+\/|[^/]+\.k8s\.io\/)?[^/]+$/;

/** Returns the built-in resources of a server, without custom and aggregated ones. */
export async function builtIn(rest: RESTClient): Promise<readonly Served[]> {
  const { resources, failed } = await new DiscoveryClient(rest).serverGroupsAndResources();
  if (failed.size > 0) throw new Error(`the server does not know all of itself: ${[...failed.keys()]}`);
  const lists = resources.filter(({ groupVersion }) => ownGroups.test(groupVersion));
  return lists.flatMap(({ groupVersion: apiVersion, resources: all }) =>
    all
      .filter(({ name }) => !name.includes('/'))
      .map(({ kind, name: resource, namespaced, verbs }): Served => {
        const subresources = all.filter(({ name }) => name.startsWith(`${resource}/`));
        return {
          key: `${apiVersion}/${kind}`,
          apiVersion,
          kind,
          resource,
          namespaced,
          verbs,
          subresources: new Map(subresources.map((sub) => [sub.name.slice(resource.length + 1), sub])),
        };
      }),
  );
}

/** Returns the path of a resource, in a namespace if it is namespaced. */
export function pathOf({ apiVersion, resource, namespaced }: Served, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespaced && namespace !== undefined ? `/namespaces/${namespace}` : ''}/${resource}`;
}
