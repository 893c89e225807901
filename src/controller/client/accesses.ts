/** Accesses that the parts of a manager need. Pure. */

import type { Informer, KubernetesObject, RESTClient } from '@kgen/runtime';

/** Verb and object of an access. */
export interface AccessedResource {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** `undefined`: in all namespaces, or cluster-scoped. */
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
}

/** An access that a program needs. */
export interface Access extends AccessedResource {
  /** Client whose user needs it. */
  readonly rest: RESTClient;
  /** Parts that need it, such as `controller myapp`. */
  readonly neededBy: readonly string[];
}

/** A controller, as far as its accesses depend on it. */
export interface AccessingController {
  readonly name: string;
  readonly informers: readonly Informer<KubernetesObject>[];
}

/** Returns the accesses of informers, each once, with the controllers that read them. */
export function informerAccesses(
  controllers: readonly AccessingController[],
  restOf: (informer: Informer<KubernetesObject>) => RESTClient,
): readonly Access[] {
  const found = new Map<RESTClient, Map<string, Access>>();
  for (const { name, informers } of controllers) {
    for (const informer of informers) {
      const rest = restOf(informer);
      const accesses = found.get(rest) ?? new Map<string, Access>();
      found.set(rest, accesses);
      for (const access of accessesOf(informer, rest)) {
        const key = JSON.stringify([access.verb, access.group, access.resource, access.namespace]);
        const neededBy = accesses.get(key)?.neededBy ?? [];
        accesses.set(key, { ...access, neededBy: [...neededBy, `controller ${name}`] });
      }
    }
  }
  return [...found.values()].flatMap((accesses) => [...accesses.values()]);
}

/** Returns the accesses of an election. */
export function leaseAccesses(rest: RESTClient, namespace: string, name: string): readonly Access[] {
  const lease = {
    rest,
    group: 'coordination.k8s.io',
    resource: 'leases',
    namespace,
    neededBy: ['leader election'],
  };
  // RBAC cannot restrict a creation to a name.
  return [{ ...lease, verb: 'create' }, ...['get', 'update'].map((verb) => ({ ...lease, verb, name }))];
}

/** Returns an access for messages: `controller myapp: list deployments.apps in namespace shop`. */
export function accessText({ neededBy, verb, group, resource, namespace, name }: Access): string {
  const type = group === '' ? resource : `${resource}.${group}`;
  const object = name === undefined ? '' : ` ${name}`;
  const place = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return `${neededBy.join(', ')}: ${verb} ${type}${object} ${place}`;
}

function accessesOf(informer: Informer<KubernetesObject>, rest: RESTClient): readonly Access[] {
  const { group, resource } = informer.resource;
  return namespacesOf(informer).flatMap((namespace) =>
    ['list', 'watch'].map((verb) => ({
      rest,
      verb,
      group,
      resource,
      namespace,
      neededBy: [],
    })),
  );
}

/** `undefined` stands for all namespaces. */
function namespacesOf({ namespaces }: Informer<KubernetesObject>): readonly (string | undefined)[] {
  return namespaces ?? [undefined];
}
