/** Checks of arguments before a request to a resource of unknown type is sent. */

import type { Body } from '../client/requests/bodies.ts';
import type { RequestTarget } from '../client/requests/build-request.ts';
import type { PatchRequestOptions } from '../client/requests/verb-requests.ts';

/**
 * Returns patch options with an explicit type.
 * @throws {TypeError} the type is missing
 */
export function requirePatchType(options: PatchRequestOptions | undefined): PatchRequestOptions {
  if (options?.type !== undefined) return options;
  throw new TypeError(
    "the patch has no type: set { type: 'merge' }, 'json', or 'strategic' for built-in kinds",
  );
}

/**
 * Returns the object for the namespace of the client. Servers ignore the namespace of a cluster-scoped
 * object. If the scope is unknown, their error would only be an unknown method or path.
 * @throws {TypeError} the object has a namespace, and the client has none
 */
export function checkNamespace<T extends Body>(object: T, { resource, namespace }: RequestTarget): T {
  const own = object?.metadata?.namespace;
  if (namespace !== undefined || resource.scope === 'Cluster' || own === undefined || own === '')
    return object;
  throw new TypeError(
    `metadata.namespace of the object is ${JSON.stringify(own)}, the client has no namespace: ` +
      'call namespace() first, or leave it out if the resource is not namespaced',
  );
}

/** Body of server-side apply, with the member that must not be set. */
interface AppliedBody extends Body {
  readonly metadata?: (Body['metadata'] & { readonly managedFields?: unknown }) | undefined;
}

/**
 * Returns an object that can be applied.
 * @throws {TypeError} the object was read from a server: applying it would claim all of its fields
 */
export function checkApplicable<T extends AppliedBody>(object: T): T {
  const managed = object?.metadata?.managedFields;
  if (managed === undefined || managed === null) return object;
  throw new TypeError(
    'metadata.managedFields of the object is set: an object that was read from a server cannot be applied unchanged; ' +
      'set only the fields to own',
  );
}
