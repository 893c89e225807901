import { ClientsetBase } from '../../client/clientset.ts';
import type { ClientConstructor } from '../../rest/connection.ts';
import { type AccessOf, identityOf, type ResourceName } from '../target.ts';
import type { MetadataResourceAccess, MetadataResourceClient } from './metadata.ts';
import { MetadataAccess } from './metadata-objects.ts';

/**
 * A client for the metadata of objects of any resource, for programs that need only labels, owners and
 * versions. The server omits the rest of each object, which saves most of the bytes. If it does not support
 * that, it sends whole objects, and the client drops the rest.
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
export const MetadataClient: ClientConstructor<MetadataClient> = class
  extends ClientsetBase
  implements MetadataClient
{
  resource(name: ResourceName): MetadataResourceAccess {
    return new MetadataAccess(this.rest, identityOf(name));
  }
};
