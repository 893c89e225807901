import type { Scale } from '../../api/meta.ts';
import type { ApplyOptions, GetOptions, WriteOptions } from '../../api/options.ts';
import type { Intent, Stored, WithName } from '../../api/types.ts';
import { ClientsetBase } from '../../client/clientset.ts';
import type { PatchRequestOptions } from '../../client/requests/verb-requests.ts';
import { onDemand } from '../../common/on-demand.ts';
import type { ClusterConfig } from '../../config/types.ts';
import { DiscoveryClient } from '../../discovery/client.ts';
import { OnUse } from '../../discovery/lazy.ts';
import { RESTMapper } from '../../discovery/mapping/rest-mapper.ts';
import type { RESTClientOptions } from '../../rest/client-options.ts';
import type { ClientConnection } from '../../rest/connection.ts';
import type { ObjectName, ResourceMapper, ScalableResource, ScaleVerbs } from './scale-types.ts';
import type { Scales } from './scales.ts';

/**
 * A client for the scale of any scalable object: a Deployment or a custom resource. Scales are always those
 * of `autoscaling/v1`; scales of deprecated groups with their own kind are converted.
 *
 * Every method rejects with `ApiError` `isNotFound` if the object does not exist, and with `NoMatchError` if
 * the server has no such resource, or none of its versions has a scale. If the version is part of the name,
 * no discovery request is sent, and a resource without a scale is `isNotFound` too.
 */
export interface ScaleClient extends ClientsetBase, ScaleVerbs {}

const scales = onDemand(() => import('./scales.ts'));

/** The implementation is loaded with the first call. */
class Client extends ClientsetBase implements ScaleClient {
  readonly #scales: OnUse<Scales>;

  constructor(connection: ClientConnection, mapper?: ResourceMapper, options?: RESTClientOptions) {
    super(connection, options);
    this.#scales = new OnUse(async () => {
      const { Scales } = await scales();
      // Created here, because lazily loaded code never imports exports of this package.
      return new Scales(this.rest, mapper ?? new RESTMapper(new DiscoveryClient(this.rest)));
    });
  }

  get(resource: ScalableResource, object: ObjectName, options?: GetOptions): Promise<Stored<Scale>> {
    return this.#scales.use(options, (it) => it.get(resource, object, options));
  }

  update(
    resource: ScalableResource,
    scale: WithName<Scale>,
    options?: WriteOptions<'All' | undefined>,
  ): Promise<Stored<Scale>> {
    return this.#scales.use(options, (it) => it.update(resource, scale, options));
  }

  patch(
    resource: ScalableResource,
    object: ObjectName,
    body: unknown,
    options?: PatchRequestOptions,
  ): Promise<Stored<Scale>> {
    return this.#scales.use(options, (it) => it.patch(resource, object, body, options));
  }

  apply(
    resource: ScalableResource,
    intent: Intent<Scale>,
    options?: ApplyOptions<'All' | undefined>,
  ): Promise<Stored<Scale>> {
    return this.#scales.use(options, (it) => it.apply(resource, intent, options));
  }
}

/**
 * Creates a client. The mapper finds the versions of resources that are named without one. Default: a mapper
 * of its own, which sends discovery requests on first use and caches their results.
 */
export const ScaleClient: {
  /** Creates a client with connections of its own. */
  new (config: ClusterConfig, mapper?: ResourceMapper, options?: RESTClientOptions): ScaleClient;
  /** Creates a client over the connections of a REST client, a clientset or a manager, with their options. */
  new (connection: ClientConnection, mapper?: ResourceMapper): ScaleClient;
} = Client;
