/** Construction of requests to resources. */

import { apiVersionOf } from '../../api/group-version.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { RequestOptions, WriteOptions } from '../../api/options.ts';
import type { BodyKind } from '../../api/resource.ts';
import type { APIRequest, HTTPMethod, ProtobufCodecs } from '../../api/transport.ts';
import { jsonOf } from '../../codec/integers/write-json.ts';
import { commonParts } from '../../rest/request/call-request.ts';
import { lowerCased } from '../../rest/request/headers.ts';
import { type QueryValue, queryOf } from '../../rest/request/query.ts';
import { type Body, identified } from './bodies.ts';
import { objectWords, type ResourceIdentity, resourcePath } from './paths.ts';
import { acceptOf, type Representation } from './representation.ts';

/** Resource and namespace of a request. Without a namespace: all namespaces, or a cluster-scoped resource. */
export interface RequestTarget {
  readonly resource: ResourceIdentity;
  readonly namespace?: string | undefined;
  /** Representation of objects in responses. Default: whole objects. */
  readonly form?: Representation | undefined;
  /** Protobuf codecs of the representation. Without them its responses are JSON. */
  readonly codecs?: ProtobufCodecs;
}

/** Parts of a request that depend on the verb. */
export interface Parts {
  readonly verb: string;
  readonly method: HTTPMethod;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: object | undefined;
  /** Media type of the body. Default: JSON, or protobuf if it is enabled. */
  readonly contentType?: string;
  /** `Accept` header. Default: JSON. */
  readonly accept?: string;
}

/** Returns the operation of a request, for messages. */
export function operationOf(
  { resource, namespace }: RequestTarget,
  { verb, name, subresource }: Pick<Parts, 'verb' | 'name' | 'subresource'>,
): RequestOperation {
  return {
    verb,
    resource: subresource ? `${resource.plural}/${subresource}` : resource.plural,
    namespace,
    name,
  };
}

/** Verbs that support all namespaces at once. */
const everywhere: ReadonlySet<string> = new Set(['list', 'watch']);

/**
 * Builds a request. Headers of the caller take precedence, and with `accept` or `content-type` among them the
 * request does not use protobuf.
 */
export function build(target: RequestTarget, options: RequestOptions, parts: Parts): APIRequest {
  checked(target, options, parts);
  const { method, name, subresource, query = {}, body, contentType, accept } = parts;
  const headers = lowerCased(options.headers);
  const stated = accept || headers['accept'] || headers['content-type'];
  const protobuf = stated ? undefined : codecsOf(target, subresource);
  return {
    method,
    path: resourcePath(target.resource, { namespace: target.namespace, name, subresource }),
    query: queryOf(query),
    headers: {
      accept: accept ?? acceptOf(target.form, parts.verb),
      ...(body && { 'content-type': contentType ?? 'application/json' }),
      ...headers,
    },
    protobuf,
    ...((method === 'DELETE' || acknowledgedActions.has(subresource)) && { acknowledged: true }),
    ...(body && (protobuf && !contentType ? { object: body } : { body: jsonOf(body), source: body })),
    operation: operationOf(target, parts),
    ...commonParts(options),
  };
}

/** Subresources whose creation only triggers an action. */
const acknowledgedActions: ReadonlySet<string | undefined> = new Set(['binding', 'eviction']);

/** Returns the codecs of the kind in the bodies of the request, if it is the resource's own kind. */
function codecsOf(
  { resource, form, codecs }: RequestTarget,
  subresource: string | undefined,
): APIRequest['protobuf'] {
  const { protobuf: load, kind } = resource;
  return form || !load || !kind || bodyKind(resource, subresource).kind !== kind
    ? codecs
    : { apiVersion: apiVersionOf(resource), kind, load };
}

function checked(target: RequestTarget, options: RequestOptions, parts: Parts): void {
  // JavaScript callers may pass `undefined`: a request for one object must not affect all of them.
  if ('name' in parts && parts.name === undefined) {
    throw new TypeError(`the name of the ${objectWords(target.resource)} to ${parts.verb} is missing`);
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options of ${parts.verb} are not an object: ${JSON.stringify(options)}`);
  }
  const { resource, namespace } = target;
  if (resource.scope === 'Namespaced' && namespace === undefined && !everywhere.has(parts.verb)) {
    throw new TypeError(`${resource.plural} are namespaced: the namespace to ${parts.verb} in is missing`);
  }
}

/** Returns the query parameters of writing verbs. */
export function writing({
  fieldManager,
  fieldValidation,
  dryRun,
}: WriteOptions<'All' | undefined>): Record<string, QueryValue> {
  return { fieldManager, fieldValidation, dryRun };
}

/**
 * Kinds of the bodies of built-in subresources. Other subresources use the resource's own kind, unless its
 * facts contain another one.
 */
const bodyKinds: ReadonlyMap<string, BodyKind> = new Map([
  ['binding', { apiVersion: 'v1', kind: 'Binding' }],
  ['eviction', { apiVersion: 'policy/v1', kind: 'Eviction' }],
  ['scale', { apiVersion: 'autoscaling/v1', kind: 'Scale' }],
  ['token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' }],
]);

function bodyKind(resource: ResourceIdentity, subresource: string | undefined): Partial<BodyKind> {
  const { kind } = resource;
  const own = { apiVersion: apiVersionOf(resource), ...(kind && { kind }) };
  if (subresource === undefined) return own;
  const { bodies = {} } = resource;
  const stated = Object.hasOwn(bodies, subresource) ? bodies[subresource] : undefined;
  return stated ?? bodyKinds.get(subresource) ?? own;
}

/** Target of a body, for members that the body omits. */
export interface BodyTarget {
  readonly subresource?: string | undefined;
  /** Name of the object, if the caller passes it separately from the body. */
  readonly name?: string | undefined;
}

/** Returns the object of a body with the known members added. */
export function bodyOf({ resource, namespace }: RequestTarget, object: Body, to: BodyTarget = {}): object {
  const kind = isItsOwn(resource, object, to) ? {} : bodyKind(resource, to.subresource);
  return identified(object, { ...kind, namespace, name: to.name });
}

/**
 * Returns whether a body may be of any kind: for a resource of unknown kind, the body of a subresource with
 * its own kind is not checked.
 */
function isItsOwn(resource: ResourceIdentity, object: Body, { subresource }: BodyTarget): boolean {
  return resource.kind === undefined && subresource !== undefined && object?.kind !== undefined;
}
