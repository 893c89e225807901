/**
 * Permissions that informers need, checked before they start: without them they would wait without a result.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/self-subject-access-review-v1/
 */

import { type Informer, isApiError, type KubernetesObject, type RESTClient } from '@kgen/runtime';
import { ManagerStartError } from '../errors.ts';

/** An access that a program needs. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** `undefined`: in all namespaces, or cluster-scoped. */
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
}

/** Returns the accesses of informers, each once. */
export function accessesOf(informers: readonly Informer<KubernetesObject>[]): readonly Access[] {
  const accesses = informers.flatMap(({ resource: { group, resource }, namespaces = [undefined] }) =>
    namespaces.flatMap((namespace) =>
      ['list', 'watch'].map((verb) => ({ verb, group: group === 'core' ? '' : group, resource, namespace })),
    ),
  );
  return [...new Map(accesses.map((access) => [accessText(access), access])).values()];
}

/**
 * Checks accesses of the present user.
 * @throws {ManagerStartError} if some are denied, with all of them
 */
export async function checkAccesses(
  rest: RESTClient,
  accesses: readonly Access[],
  signal: AbortSignal,
): Promise<void> {
  const results = await Promise.all(accesses.map((access) => isAllowed(rest, access, signal)));
  const denied = accesses.filter((_, index) => results[index] === false).map(accessText);
  if (denied.length === 0) return;
  throw new ManagerStartError(
    `missing permissions: ${denied.join('; ')}. Grant them by a Role or ClusterRole to the user of this program`,
  );
}

/** Returns an access for messages: `list deployments.apps in namespace shop`. */
export function accessText({ verb, group, resource, namespace, name }: Access): string {
  const type = group === '' ? resource : `${resource}.${group}`;
  const object = name === undefined ? '' : ` ${name}`;
  return `${verb} ${type}${object} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`;
}

/** A server without the review, such as a server in memory, decides when the informers read. */
async function isAllowed(
  rest: RESTClient,
  access: Access,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { verb, group, resource, namespace = '', name } = access;
  const resourceAttributes = { verb, group, resource, namespace, ...(name !== undefined && { name }) };
  try {
    const review = await rest.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      },
      signal,
    });
    const status: unknown =
      typeof review === 'object' && review !== null ? Reflect.get(review, 'status') : undefined;
    return typeof status === 'object' && status !== null
      ? Reflect.get(status, 'allowed') === true
      : undefined;
  } catch (error) {
    if (isApiError(error) && error.code !== 401) return undefined;
    throw error;
  }
}
