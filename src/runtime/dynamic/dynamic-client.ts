import type { KubernetesObject } from '../api/meta.ts';
import { ClientsetBase } from '../client/clientset.ts';
import type { ClientConstructor } from '../rest/connection.ts';
import { DynamicAccess } from './objects.ts';
import { type AccessOf, identityOf, type ResourceName } from './target.ts';
import type { Unstructured } from './unstructured.ts';
import type { DynamicResourceAccess, DynamicResourceClient } from './verbs.ts';

/** A client for any resource of a server, without generated code. */
export interface DynamicClient extends ClientsetBase {
  /**
   * Returns the client of a resource:
   * `resource({ group: 'apps', version: 'v1', resource: 'deployments' }).namespace('shop')`. The core group
   * is `''` or `core`. With `scope: 'Cluster'` in the type of the argument, the client has no `namespace()`;
   * without a scope, it requests all namespaces until `namespace()` is called. With `kind`, objects that are
   * sent may omit apiVersion and kind. Also accepts the result of a `RESTMapper` and a generated descriptor.
   *
   * `T` is the type of the objects: `resource<Deployment>(…)`; they are not validated. Default:
   * `Unstructured`.
   * @throws {TypeError} the plural, the group or the version is missing, or the kind or the scope is invalid
   */
  resource<T extends KubernetesObject = Unstructured, Name extends ResourceName = ResourceName>(
    name: Name,
  ): AccessOf<Name, DynamicResourceClient<T>, DynamicResourceAccess<T>>;
}

/**
 * Creates a client. Reads no file and opens no connection before the first request.
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { DynamicClient } from '@kgen/runtime/dynamic';
 *
 * const dynamic = new DynamicClient(await loadConfig());
 * const apps = dynamic.resource({ group: 'my.domain', version: 'v1', resource: 'myapps' });
 * console.log(await apps.namespace('shop').get('web'));
 * ```
 */
export const DynamicClient: ClientConstructor<DynamicClient> = class
  extends ClientsetBase
  implements DynamicClient
{
  resource<T extends KubernetesObject = Unstructured>(name: ResourceName): DynamicResourceAccess<T> {
    return new DynamicAccess<T>(this.rest, identityOf(name));
  }
};
