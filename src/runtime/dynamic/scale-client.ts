import type { PatchRequestOptions } from '../client/requests.ts';
import { ClientsetBase, type Connection } from '../clientset.ts';
import { DiscoveryClient } from '../discovery/client.ts';
import { OnUse } from '../discovery/on-use.ts';
import { RESTMapper } from '../discovery/rest-mapper.ts';
import type { Scale } from '../meta.ts';
import type { GetOptions, SubmitApplyOptions, SubmitOptions } from '../options.ts';
import type { RESTClientOptions } from '../rest/client.ts';
import type { Intent, Named, Stored } from '../types.ts';
import type { ObjectName, ResourceMapper, ScalableResource, ScaleVerbs } from './scale-types.ts';
import type { Scales } from './scales.ts';

/**
 * The scale of any object that can be scaled: of a Deployment as of a custom resource. Scales are always those of
 * `autoscaling/v1`; of old groups that have a kind of their own they are converted.
 *
 * Every method rejects with `ApiError` `isNotFound` where there is no such object; with `NoMatchError` where the server
 * has no such resource, or says of none of its versions that it has a scale. Where the version is named, the server is
 * not asked what it has: then a resource without a scale is `isNotFound`, too.
 */
export interface ScaleClient extends ClientsetBase, ScaleVerbs {}

/** The code behind is loaded with the first call. */
class Client extends ClientsetBase implements ScaleClient {
  readonly #scales: OnUse<Scales>;

  constructor(connection: Connection, mapper?: ResourceMapper, options?: RESTClientOptions) {
    super(connection, options);
    this.#scales = new OnUse(async () => {
      const { Scales } = await import('./scales.ts');
      // Made here: what this package exports is never loaded by code that is loaded on use.
      return new Scales(this.rest, mapper ?? new RESTMapper(new DiscoveryClient(this.rest)));
    });
  }

  get(resource: ScalableResource, object: ObjectName, options?: GetOptions): Promise<Stored<Scale>> {
    return this.#scales.use(options, (it) => it.get(resource, object, options));
  }

  update(resource: ScalableResource, scale: Named<Scale>, options?: SubmitOptions): Promise<Stored<Scale>> {
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
    options: SubmitApplyOptions,
  ): Promise<Stored<Scale>> {
    return this.#scales.use(options, (it) => it.apply(resource, intent, options));
  }
}

/**
 * Makes a client. The mapper finds the versions of resources that are named without; default: one of its own, which
 * asks the server when that is first needed, and remembers what it has found.
 */
export const ScaleClient: new (
  connection: Connection,
  mapper?: ResourceMapper,
  options?: RESTClientOptions,
) => ScaleClient = Client;
