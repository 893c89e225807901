/** Implementation of `ScaleClient`, loaded with its first call. */

import { DecodeError } from '../../api/errors.ts';
import { isNotFound } from '../../api/failure-reasons.ts';
import { apiVersionOf, describeGroup, groupName } from '../../api/group-version.ts';
import type { Scale } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { ApplyOptions, GetOptions, RequestOptions, WriteOptions } from '../../api/options.ts';
import type { BodyKind } from '../../api/resource.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { Intent, Stored, WithName } from '../../api/types.ts';
import { decodeObject } from '../../client/reading/decode.ts';
import type { RequestTarget } from '../../client/requests/build-request.ts';
import type { ResourceIdentity } from '../../client/requests/paths.ts';
import * as requests from '../../client/requests/verb-requests.ts';
import { messageOf } from '../../common/callbacks.ts';
import { NoMatchError } from '../../discovery/mapping/errors.ts';
import type { DiscoveryCallOptions } from '../../discovery/types.ts';
import { timeLeft } from '../../rest/abort/deadline.ts';
import type { RESTClient } from '../../rest/client.ts';
import { identityOf, inNamespace, isMapped, type ResourceName } from '../target.ts';
import { type OldScale, scaleFrom, scaleKindOf, scaleTo } from './scale.ts';
import type {
  MappedSubresources,
  ObjectName,
  ResourceMapper,
  ScalableResource,
  UnversionedResourceName,
} from './scale-types.ts';

/** Location and kind of a scale. */
interface ScaleTarget {
  readonly target: RequestTarget;
  readonly kind: BodyKind;
  /** The error if there is no scale and discovery listed none. */
  readonly unscalable?: NoMatchError;
}

/** Scales over a REST client. */
export class Scales {
  readonly #rest: RESTClient;
  readonly #mapper: ResourceMapper;

  constructor(rest: RESTClient, mapper: ResourceMapper) {
    this.#rest = rest;
    this.#mapper = mapper;
  }

  async get(
    resource: ScalableResource,
    { namespace, name }: ObjectName,
    options?: GetOptions,
  ): Promise<Stored<Scale>> {
    const left = timeLeft(options);
    const found = await this.#find(resource, namespace, left);
    return this.#send(found, requests.getRequest(found.target, name, left(), 'scale'));
  }

  async update(
    resource: ScalableResource,
    scale: WithName<Scale>,
    options?: WriteOptions<'All' | undefined>,
  ): Promise<Stored<Scale>> {
    const left = timeLeft(options);
    const found = await this.#find(resource, scale.metadata.namespace, left);
    const body = scaleTo(found.kind, scale);
    return this.#send(found, requests.updateRequest(found.target, body, left(), 'scale'));
  }

  async patch(
    resource: ScalableResource,
    { namespace, name }: ObjectName,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<Scale>> {
    const left = timeLeft(options);
    const found = await this.#find(resource, namespace, left);
    return this.#send(found, requests.patchRequest(found.target, name, body, left(), 'scale'));
  }

  async apply(
    resource: ScalableResource,
    intent: Intent<Scale>,
    options?: ApplyOptions<'All' | undefined>,
  ): Promise<Stored<Scale>> {
    const left = timeLeft(options);
    const found = await this.#find(resource, intent.metadata.namespace, left);
    const body = { ...intent, ...found.kind };
    return this.#send(found, requests.applyRequest(found.target, body, left(), 'scale'));
  }

  async #find(
    resource: ScalableResource,
    namespace: string | undefined,
    left: () => RequestOptions | undefined,
  ): Promise<ScaleTarget> {
    if (isComplete(resource)) {
      return isMapped(resource) ? mappedTarget(resource, namespace) : stated(resource, namespace);
    }
    return mappedTarget(await this.#mapped(resource, left), namespace);
  }

  /**
   * Returns the preferred version, or another version if that has no scale. All versions have the same
   * objects.
   */
  async #mapped(
    resource: UnversionedResourceName,
    left: () => RequestOptions | undefined,
  ): Promise<MappedSubresources> {
    const query = { group: groupName(resource.group), resource: resource.resource };
    const limits = (): DiscoveryCallOptions => {
      const { signal, timeoutMs } = left() ?? {};
      return { signal, timeoutMs };
    };
    const mapped = await this.#mapper.mappingFor(query, limits());
    checkGroup(query, mapped);
    if (isScalable(mapped)) return mapped;
    const others = (await this.#mapper.mappingsFor?.(query, limits())) ?? [];
    const isVersion = (other: MappedSubresources): boolean =>
      other.resource.group === mapped.resource.group && other.resource.resource === mapped.resource.resource;
    return others.find((other) => isVersion(other) && isScalable(other)) ?? mapped;
  }

  async #send({ unscalable }: ScaleTarget, request: APIRequest): Promise<Stored<Scale>> {
    const { operation } = request;
    const response = await this.#rest.request(request).catch((error: unknown) => {
      throw unscalable !== undefined && isNotFound(error) ? unscalable : error;
    });
    return decodeObject<Stored<Scale>>(
      scaleOf(decodeObject<OldScale>(response, operation), operation),
      operation,
    );
  }
}

/** A mapper may accept the prefix of a group's name, but a request must not reach another group. */
function checkGroup({ group, resource }: UnversionedResourceName, mapped: MappedSubresources): void {
  if (mapped.resource.group === group) return;
  throw new NoMatchError(`resource ${resource} in ${describeGroup(group)}`, {
    suggestions: [wordsOf(mapped)],
  });
}

function wordsOf({ resource }: MappedSubresources): string {
  return `${resource.resource} (${apiVersionOf(resource)})`;
}

function isScalable({ subresources }: MappedSubresources): boolean {
  return subresources === undefined || subresources.has('scale');
}

function mappedTarget(mapped: MappedSubresources, namespace: string | undefined): ScaleTarget {
  const { resource, subresources } = mapped;
  const statedKind = subresources?.get('scale')?.kind;
  const kind =
    statedKind === undefined
      ? scaleKindOf(resource)
      : { apiVersion: apiVersionOf(statedKind), kind: statedKind.kind };
  const found = scaleTarget(identityOf(mapped), namespace, kind);
  if (isScalable(mapped)) return found;
  // The resource may have a scale since the discovery request, so only the response to the request decides.
  return { ...found, unscalable: new NoMatchError(`scale of ${wordsOf(mapped)}`) };
}

function scaleTarget(known: ResourceIdentity, namespace: string | undefined, kind: BodyKind): ScaleTarget {
  const resource = { ...known, bodies: { scale: kind } };
  return { target: namespace === undefined ? { resource } : inNamespace(resource, namespace), kind };
}

function stated(name: ResourceName, namespace: string | undefined): ScaleTarget {
  const identity = identityOf(name);
  return scaleTarget(identity, namespace, scaleKindOf(identity));
}

/** A name with a version needs no discovery. */
function isComplete(name: ScalableResource): name is ResourceName {
  return (
    typeof name !== 'object' ||
    name === null ||
    'plural' in name ||
    isMapped(name) ||
    name.version !== undefined
  );
}

/** The server may send a status or a selector of any shape. */
function scaleOf(response: OldScale, operation: RequestOperation): Scale {
  try {
    return scaleFrom(response);
  } catch (cause) {
    throw new DecodeError(`the status of the scale cannot be read: ${messageOf(cause)}`, operation, {
      cause,
    });
  }
}
