/** What is looked at before anything is sent for a resource of which little is known. */
import type { Target } from '../client/request.ts';
import type { PatchRequestOptions } from '../client/requests.ts';
import type { KubernetesObject } from '../meta.ts';

/**
 * Options of a patch that say its type.
 * @throws {TypeError} they do not
 */
export function statedPatch(options: PatchRequestOptions | undefined): PatchRequestOptions {
  if (options?.type !== undefined) return options;
  throw new TypeError(
    "the patch has no type: set { type: 'merge' }, 'json', or 'strategic' for built-in kinds",
  );
}

/**
 * An object that goes where the client goes. A namespace that an object of the cluster names means nothing to servers.
 * Where the scope is not known, they would only say that there is no such method or path.
 * @throws {TypeError} it names a namespace, and the client is in none
 */
export function placed<T extends KubernetesObject>(object: T, { resource, namespace }: Target): T {
  const own = object?.metadata?.namespace;
  if (namespace !== undefined || resource.scope === 'Cluster' || own === undefined || own === '')
    return object;
  throw new TypeError(
    `metadata.namespace of the object is ${JSON.stringify(own)}, the client has no namespace: ` +
      'call namespace() first, or leave it out if the resource is not namespaced',
  );
}

/**
 * An object that can be applied.
 * @throws {TypeError} it has been read: it would claim every field that anybody has set
 */
export function applicable<T extends KubernetesObject>(object: T): T {
  const managed = object?.metadata?.managedFields;
  if (managed === undefined || managed === null) return object;
  throw new TypeError(
    'metadata.managedFields of the object is set: an object that was read from a server cannot be applied unchanged; ' +
      'set only the fields to own',
  );
}
