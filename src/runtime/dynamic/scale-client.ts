import { decodeObject } from '../client/decode.ts';
import type { Target } from '../client/request.ts';
import * as requests from '../client/requests.ts';
import { ClientsetBase, type Connection } from '../clientset.ts';
import { NoMatchError } from '../discovery/errors.ts';
import { apiVersionOf, type GroupVersionResource } from '../group-version.ts';
import type { Scale } from '../meta.ts';
import type { GetOptions, RequestOptions, SubmitApplyOptions, SubmitOptions } from '../options.ts';
import type { BodyKind } from '../resource.ts';
import type { RESTClient, RESTClientOptions } from '../rest/client.ts';
import type { Request } from '../rest/types.ts';
import type { Intent, Named, Stored } from '../types.ts';
import { type OldScale, scaleFrom, scaleKindOf, scaleTo } from './scale.ts';
import type {
  MappedSubresources,
  ObjectName,
  ResourceMapper,
  ScalableResource,
  ScaleVerbs,
} from './scale-types.ts';
import { inNamespace, type KnownResource, knownResource } from './target.ts';

/** Where a scale is, and of which kind it is there. */
interface ScaleTarget {
  readonly target: Target;
  readonly kind: BodyKind;
}

function kindOf({ resource, subresources }: MappedSubresources): BodyKind {
  const kind = subresources?.get('scale')?.kind;
  return kind === undefined ? scaleKindOf(resource) : { apiVersion: apiVersionOf(kind), kind: kind.kind };
}

function scaleTarget(known: KnownResource, namespace: string | undefined, kind: BodyKind): ScaleTarget {
  const target = namespace === undefined ? { resource: known.identity } : inNamespace(known, namespace);
  return { target: { ...target, resource: { ...target.resource, bodies: { scale: kind } } }, kind };
}

/** A mapper may take the beginning of a group's name for the whole: a scale must not reach what was not named. */
function found(
  asked: ScalableResource,
  mapped: MappedSubresources,
  namespace: string | undefined,
): ScaleTarget {
  const known = knownResource(mapped);
  const { group, plural } = known.identity;
  if (group !== asked.group) {
    const suggestions = [`${plural} (${apiVersionOf(known.identity)})`];
    throw new NoMatchError(`resource ${asked.resource} in group ${JSON.stringify(asked.group)}`, {
      suggestions,
    });
  }
  if (namespace === undefined && mapped.scope === 'Namespaced') {
    throw new TypeError(`${plural} live in namespaces: the namespace of the one to scale is missing`);
  }
  return scaleTarget(known, namespace, kindOf(mapped));
}

/** Everything is known where the version is: then nobody is asked. */
function stated(name: GroupVersionResource, namespace: string | undefined): ScaleTarget {
  return scaleTarget(knownResource(name), namespace, scaleKindOf(name));
}

/** The mapper that a client has by itself; what it is made of is loaded with it. */
async function ownMapper(rest: RESTClient): Promise<ResourceMapper> {
  const [{ DiscoveryClient }, { RESTMapper }] = await Promise.all([
    import('../discovery/client.ts'),
    import('../discovery/rest-mapper.ts'),
  ]);
  return new RESTMapper(new DiscoveryClient(rest));
}

/**
 * The scale of any object that can be scaled: of a Deployment as of a custom resource. Scales are always those of
 * `autoscaling/v1`; of old groups that have a kind of their own they are converted.
 *
 * Every method rejects with `ApiError` `isNotFound` where there is no such object, or where it cannot be scaled.
 */
export interface ScaleClient extends ClientsetBase, ScaleVerbs {}

class Client extends ClientsetBase implements ScaleClient {
  readonly #given: ResourceMapper | undefined;
  #own: Promise<ResourceMapper> | undefined;

  constructor(connection: Connection, mapper?: ResourceMapper, options?: RESTClientOptions) {
    super(connection, options);
    this.#given = mapper;
  }

  async get(
    resource: ScalableResource,
    { namespace, name }: ObjectName,
    options?: GetOptions,
  ): Promise<Stored<Scale>> {
    const { target } = await this.#find(resource, namespace, options);
    return this.#send(requests.getRequest(target, name, options, 'scale'));
  }

  async update(
    resource: ScalableResource,
    scale: Named<Scale>,
    options?: SubmitOptions,
  ): Promise<Stored<Scale>> {
    const { target, kind } = await this.#find(resource, scale.metadata.namespace, options);
    return this.#send(requests.updateRequest(target, scaleTo(kind, scale), options, 'scale'));
  }

  async patch(
    resource: ScalableResource,
    { namespace, name }: ObjectName,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<Scale>> {
    const { target } = await this.#find(resource, namespace, options);
    return this.#send(requests.patchRequest(target, name, body, options, 'scale'));
  }

  async apply(
    resource: ScalableResource,
    intent: Intent<Scale>,
    options: SubmitApplyOptions,
  ): Promise<Stored<Scale>> {
    const { target, kind } = await this.#find(resource, intent.metadata.namespace, options);
    return this.#send(requests.applyRequest(target, { ...intent, ...kind }, options, 'scale'));
  }

  async #find(
    resource: ScalableResource,
    namespace: string | undefined,
    { signal, timeoutMs }: RequestOptions = {},
  ): Promise<ScaleTarget> {
    const { group, version, resource: plural } = resource;
    if (version !== undefined) return stated({ group, version, resource: plural }, namespace);
    const mapper = await this.#mapper();
    const mapped = await mapper.mappingFor({ group, resource: plural }, { signal, timeoutMs });
    return found(resource, mapped, namespace);
  }

  async #mapper(): Promise<ResourceMapper> {
    if (this.#given !== undefined) return this.#given;
    this.#own ??= ownMapper(this.rest);
    return this.#own;
  }

  async #send(request: Request): Promise<Stored<Scale>> {
    const { operation } = request;
    const scale = decodeObject<OldScale>(await this.rest.request(request), operation);
    return decodeObject<Stored<Scale>>(scaleFrom(scale), operation);
  }
}

/**
 * Makes a client. The mapper finds the versions of resources that are named without; default: one of its own, which
 * asks the server when that is first needed.
 */
export const ScaleClient: new (
  connection: Connection,
  mapper?: ResourceMapper,
  options?: RESTClientOptions,
) => ScaleClient = Client;
