import { ClientsetBase, type Connection } from '../clientset.ts';
import type { RESTClientOptions } from '../rest/client.ts';
import type { MetadataResourceAccess, MetadataResourceClient } from './metadata.ts';
import { MetadataAccess } from './metadata-objects.ts';
import { type ClusterName, identityOf, type ResourceName } from './target.ts';

/**
 * The metadata of any resource of a server: a fraction of the bytes where labels, owners and versions are enough. Only
 * metadata travels; of a server that cannot do that, only metadata is kept.
 */
export interface MetadataClient extends ClientsetBase {
  /** The client of a resource of the whole cluster, named as for a `DynamicClient`. */
  resource(name: ClusterName): MetadataResourceClient;
  /**
   * The client of a resource, named as for a `DynamicClient`.
   * @throws {TypeError} the group, the version or the plural is missing, or the kind or the scope is invalid
   */
  resource(name: ResourceName): MetadataResourceAccess;
}

/** Makes a client. Nothing is read and nothing is opened before the first request. */
export const MetadataClient: new (connection: Connection, options?: RESTClientOptions) => MetadataClient =
  class extends ClientsetBase implements MetadataClient {
    resource(name: ResourceName): MetadataResourceAccess {
      return new MetadataAccess(this.rest, identityOf(name));
    }
  };
