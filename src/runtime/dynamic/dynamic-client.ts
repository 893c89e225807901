import { ClientsetBase, type Connection } from '../clientset.ts';
import type { RESTClientOptions } from '../rest/client.ts';
import { DynamicAccess } from './objects.ts';
import { type ClusterName, identityOf, type ResourceName } from './target.ts';
import type { DynamicResourceAccess, DynamicResourceClient } from './verbs.ts';

/** Any resource of a server, whether a program was generated for it or not. */
export interface DynamicClient extends ClientsetBase {
  /** The client of a resource of the whole cluster: `resource({ group: '', version: 'v1', resource: 'nodes', scope: 'Cluster' })`. */
  resource(name: ClusterName): DynamicResourceClient;
  /**
   * The client of a resource: `resource({ group: 'apps', version: 'v1', resource: 'deployments' }).namespace('shop')`.
   * The core group is `''`. Also accepts the result of a `RESTMapper` and a generated descriptor. Where the name states
   * the kind, bodies may leave it out.
   * @throws {TypeError} the group, the version or the plural is missing, or the kind or the scope is invalid
   */
  resource(name: ResourceName): DynamicResourceAccess;
}

/** Makes a client. Nothing is read and nothing is opened before the first request. */
export const DynamicClient: new (connection: Connection, options?: RESTClientOptions) => DynamicClient = class
  extends ClientsetBase
  implements DynamicClient
{
  resource(name: ResourceName): DynamicResourceAccess {
    return new DynamicAccess(this.rest, identityOf(name));
  }
};
