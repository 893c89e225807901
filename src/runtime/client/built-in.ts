/** Clients of built-in kinds that tools create over any connection, without generated code. */
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { ResourceFacts } from '../api/resource.ts';
import type { RESTClient } from '../rest/client.ts';
import { ResourceClient } from './resource-client.ts';

/** Client of a built-in kind, with the types of any object. */
export type BuiltInClient<T extends KubernetesObject = KubernetesObject> = ResourceClient<
  T,
  KubernetesList<T>
>;

/** Returns the client of a namespaced kind. Default of `namespace`: that of the configuration. */
export function builtIn<T extends KubernetesObject = KubernetesObject>(
  rest: RESTClient,
  [group, kind]: readonly [group: string, kind: string],
  namespace: string = rest.namespace,
): BuiltInClient<T> {
  const singular = kind.toLowerCase();
  const resource: ResourceFacts = {
    group,
    version: 'v1',
    kind,
    listKind: `${kind}List`,
    plural: `${singular}s`,
    singular,
    scope: 'Namespaced',
    verbs: [],
  };
  return new ResourceClient<T, KubernetesList<T>>(rest, { resource, namespace });
}
