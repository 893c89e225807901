import { type ClientConnection, ClientsetBase } from '../client/clientset.ts';
import type { RESTClientOptions } from '../rest/client.ts';
import { DynamicAccess } from './objects.ts';
import { type ClusterName, identityOf, type ResourceName } from './target.ts';
import type { DynamicResourceAccess, DynamicResourceClient } from './verbs.ts';

/** A client for any resource of a server, without generated code. */
export interface DynamicClient extends ClientsetBase {
  /**
   * Returns the client of a cluster-scoped resource:
   * `resource({ group: '', version: 'v1', resource: 'nodes', scope: 'Cluster' })`.
   */
  resource(name: ClusterName): DynamicResourceClient;
  /**
   * Returns the client of a resource:
   * `resource({ group: 'apps', version: 'v1', resource: 'deployments' }).namespace('shop')`. The core group
   * is `''`. Also accepts the result of a `RESTMapper` and a generated descriptor. If the name has a kind,
   * bodies may omit it.
   * @throws {TypeError} the group, the version or the plural is missing, or the kind or the scope is invalid
   */
  resource(name: ResourceName): DynamicResourceAccess;
}

/** Creates a client. Reads no file and opens no connection before the first request. */
export const DynamicClient: new (connection: ClientConnection, options?: RESTClientOptions) => DynamicClient =
  class extends ClientsetBase implements DynamicClient {
    resource(name: ResourceName): DynamicResourceAccess {
      return new DynamicAccess(this.rest, identityOf(name));
    }
  };
