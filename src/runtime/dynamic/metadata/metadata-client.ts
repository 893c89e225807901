import { type ClientConnection, ClientsetBase } from '../../client/clientset.ts';
import type { RESTClientOptions } from '../../rest/client.ts';
import { type AccessOf, identityOf, type ResourceName } from '../target.ts';
import type { MetadataResourceAccess, MetadataResourceClient } from './metadata.ts';
import { MetadataAccess } from './metadata-objects.ts';

/**
 * A client for the metadata of any resource of a server: a fraction of the bytes if labels, owners and
 * versions are sufficient. Only metadata is transferred. If a server does not support that, the rest of its
 * objects is dropped.
 */
export interface MetadataClient extends ClientsetBase {
  /**
   * Returns the client of a resource, named as for a `DynamicClient`. Cluster-scoped resources have no
   * `namespace()` if the type of the name contains `scope: 'Cluster'`.
   * @throws {TypeError} the plural, the group or the version is missing, or the kind or the scope is invalid
   */
  resource<Name extends ResourceName>(
    name: Name,
  ): AccessOf<Name, MetadataResourceClient, MetadataResourceAccess>;
}

/** Creates a client. Reads no file and opens no connection before the first request. */
export const MetadataClient: new (
  connection: ClientConnection,
  options?: RESTClientOptions,
) => MetadataClient = class extends ClientsetBase implements MetadataClient {
  resource(name: ResourceName): MetadataResourceAccess {
    return new MetadataAccess(this.rest, identityOf(name));
  }
};
