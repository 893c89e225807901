/** What every request to a resource is made of. */

import { apiVersionOf } from '../group-version.ts';
import { jsonOf } from '../integers/write-json.ts';
import type { RequestOptions, SubmitOptions } from '../options.ts';
import type { BodyKind } from '../resource.ts';
import { commonParts } from '../rest/client.ts';
import { lowerCased } from '../rest/headers.ts';
import { type QueryValue, queryOf } from '../rest/query.ts';
import type { Method, Operation, ProtobufCodecs, Request } from '../rest/types.ts';
import { type Body, identified } from './bodies.ts';
import { acceptOf, type Form } from './forms.ts';
import { objectWords, type ResourceIdentity, resourcePath } from './paths.ts';

/** Which resource, and in which namespace: without one, all of them or a resource that is not in namespaces. */
export interface Target {
  readonly resource: ResourceIdentity;
  readonly namespace?: string | undefined;
  /** In which form answers are asked for. Default: whole objects. */
  readonly form?: Form | undefined;
  /** What reads the form in protobuf. Without it, the answers of a form are JSON. */
  readonly codecs?: ProtobufCodecs;
}

/** What a verb adds. */
export interface Parts {
  readonly verb: string;
  readonly method: Method;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: object | undefined;
  /** Default: JSON, or protobuf where that may be sent. */
  readonly contentType?: string;
  /** Default: JSON. */
  readonly accept?: string;
}

/** What a request is for, in words. */
export function operationOf(
  { resource, namespace }: Target,
  { verb, name, subresource }: Pick<Parts, 'verb' | 'name' | 'subresource'>,
): Operation {
  return {
    verb,
    resource: subresource ? `${resource.plural}/${subresource}` : resource.plural,
    ...(namespace && { namespace }),
    ...(name && { name }),
  };
}

/** What can be asked of all namespaces at once. */
const everywhere: ReadonlySet<string> = new Set(['list', 'watch']);

function checked(target: Target, options: RequestOptions, parts: Parts): void {
  // Plain JavaScript gets here with `undefined`: what was meant for one object must not reach all of them.
  if ('name' in parts && parts.name === undefined) {
    throw new TypeError(`the name of the ${objectWords(target.resource)} to ${parts.verb} is missing`);
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options of ${parts.verb} are not an object: ${JSON.stringify(options)}`);
  }
  const { resource, namespace } = target;
  if (resource.scope === 'Namespaced' && namespace === undefined && !everywhere.has(parts.verb)) {
    throw new TypeError(
      `${resource.plural} live in namespaces: the namespace to ${parts.verb} in is missing`,
    );
  }
}

/** What may be protobuf: the resource's own kind, whatever it is asked by. */
function codecsOf({ resource, form, codecs }: Target, subresource: string | undefined): Request['protobuf'] {
  const { protobuf: load, kind } = resource;
  return form || !load || !kind || bodyKind(resource, subresource).kind !== kind
    ? codecs
    : { apiVersion: apiVersionOf(resource), kind, load };
}

/** Makes a request; a header of the caller wins, and is all that is said of what is sent and asked for. */
export function build(target: Target, options: RequestOptions, parts: Parts): Request {
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
    ...(protobuf && { protobuf }),
    ...(body && (protobuf && !contentType ? { object: body } : { body: jsonOf(body) })),
    operation: operationOf(target, parts),
    ...commonParts(options),
  };
}

/** The query of what writes. */
export function writing({
  fieldManager,
  fieldValidation,
  dryRun,
}: SubmitOptions): Record<string, QueryValue> {
  return { fieldManager, fieldValidation, dryRun };
}

/** What Kubernetes' own subresources take. Others take the resource's own kind, unless its facts say otherwise. */
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

/** Where a body goes that does not say it all by itself. */
export interface BodyTarget {
  readonly subresource?: string | undefined;
  /** Name of the object, where the caller gives it beside the body. */
  readonly name?: string | undefined;
}

/** Where the kind of the resource is not known, a body that is sent to a subresource and says what it is may be anything. */
function isItsOwn(resource: ResourceIdentity, object: Body, { subresource }: BodyTarget): boolean {
  return resource.kind === undefined && subresource !== undefined && object?.kind !== undefined;
}

/** The object with what is known of it filled in. */
export function bodyOf({ resource, namespace }: Target, object: Body, to: BodyTarget = {}): object {
  const kind = isItsOwn(resource, object, to) ? {} : bodyKind(resource, to.subresource);
  return identified(object, { ...kind, namespace, name: to.name });
}
