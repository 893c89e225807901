/** The request of each verb, as a value. */
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DryRun,
  GetOptions,
  ListOptions,
  RequestOptions,
  SelectorOptions,
  WriteOptions,
} from '../options.ts';
import type { ResourceFacts } from '../resource.ts';
import { commonParts, lowerCased } from '../rest/client.ts';
import { type QueryValue, queryOf } from '../rest/query.ts';
import type { Method, Operation, Request } from '../rest/types.ts';
import { fieldSelectorText } from '../selectors/fields.ts';
import { labelSelectorText } from '../selectors/labels.ts';
import type { WatchParams } from '../watch/source.ts';
import { type Body, deleteBody, identified, nameOf } from './bodies.ts';
import { apiVersionOf, resourcePath } from './paths.ts';

/** Which resource, and in which namespace: without one, all of them or a resource that is not in namespaces. */
export interface Target {
  readonly resource: ResourceFacts;
  readonly namespace?: string | undefined;
}

/** Types of patches, and their media types. */
export const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** How the body of a patch is read. */
export type PatchType = keyof typeof patchTypes;

/** Options of a patch, whatever its kind of resource. */
export type PatchRequestOptions = WriteOptions & Partial<DryRun> & { type?: PatchType };

interface Parts {
  readonly verb: string;
  readonly method: Method;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

function operationOf({ resource, namespace }: Target, { verb, name, subresource }: Parts): Operation {
  return {
    verb,
    resource: subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

function checked(target: Target, options: RequestOptions, parts: Parts): void {
  // Plain JavaScript gets here with `undefined`: what was meant for one object must not reach all of them.
  if ('name' in parts && parts.name === undefined) {
    throw new TypeError(`the name of the ${target.resource.kind} to ${parts.verb} is missing`);
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options of ${parts.verb} are not an object: ${JSON.stringify(options)}`);
  }
}

function build(target: Target, options: RequestOptions, parts: Parts): Request {
  checked(target, options, parts);
  const { method, name, subresource, query = {}, body, contentType = 'application/json' } = parts;
  return {
    method,
    path: resourcePath(target.resource, { namespace: target.namespace, name, subresource }),
    query: queryOf(query),
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': contentType }),
      ...lowerCased(options.headers),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    operation: operationOf(target, parts),
    ...commonParts(options),
  };
}

function selectors({ labelSelector, fieldSelector }: SelectorOptions): Record<string, QueryValue> {
  return { labelSelector: labelSelectorText(labelSelector), fieldSelector: fieldSelectorText(fieldSelector) };
}

function writing({
  fieldManager,
  fieldValidation,
  dryRun,
}: WriteOptions & Partial<DryRun>): Record<string, QueryValue> {
  return { fieldManager, fieldValidation, dryRun };
}

function bodyOf({ resource, namespace }: Target, object: Body, subresource?: string): object {
  const own = subresource === 'scale' ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : undefined;
  return identified(object, { apiVersion: apiVersionOf(resource), kind: resource.kind, ...own, namespace });
}

/** Fetches an object, or its subresource. */
export function getRequest(
  target: Target,
  name: string,
  options: GetOptions = {},
  subresource?: string,
): Request {
  const query = { resourceVersion: options.resourceVersion };
  return build(target, options, { verb: 'get', method: 'GET', name, subresource, query });
}

/** Fetches the objects. `timeout` is what bounds the server's work; `timeoutSeconds` is the same in the words of the API. */
export function listRequest(target: Target, options: ListOptions = {}): Request {
  const { limit, resourceVersion, resourceVersionMatch, timeoutSeconds } = options;
  const timeout = timeoutSeconds === undefined ? undefined : `${timeoutSeconds}s`;
  const paging = { limit, continue: options.continue, resourceVersion, resourceVersionMatch };
  const query = { ...selectors(options), ...paging, timeoutSeconds, timeout };
  return build(target, options, { verb: 'list', method: 'GET', query });
}

/** Follows the objects. */
export function watchRequest(
  target: Target,
  options: RequestOptions & SelectorOptions,
  params: WatchParams,
): Request {
  const query = { ...selectors(options), ...params, watch: true };
  return { ...build(target, options, { verb: 'watch', method: 'GET', query }), stream: true };
}

/** Stores an object. */
export function createRequest(
  target: Target,
  object: Body,
  options: WriteOptions & Partial<DryRun> = {},
): Request {
  const request = build(target, options, {
    verb: 'create',
    method: 'POST',
    query: writing(options),
    body: bodyOf(target, object),
  });
  const name = object.metadata?.name;
  return name === undefined ? request : { ...request, operation: { ...request.operation, name } };
}

/** Replaces the object that `metadata.name` names, or its subresource. */
export function updateRequest(
  target: Target,
  object: Body,
  options: WriteOptions & Partial<DryRun> = {},
  subresource?: string,
): Request {
  return build(target, options, {
    verb: 'update',
    method: 'PUT',
    name: nameOf(object),
    subresource,
    query: writing(options),
    body: bodyOf(target, object, subresource),
  });
}

/**
 * Changes parts of an object, or of its subresource.
 * @throws {TypeError} the body is not of the kind that the type says: a JSON patch is a list, the others are objects
 */
export function patchRequest(
  target: Target,
  name: string,
  body: unknown,
  options: PatchRequestOptions = {},
  subresource?: string,
): Request {
  const usual = target.resource.builtIn === true && subresource !== 'scale' ? 'strategic' : 'merge';
  const { type = usual } = options;
  if (!Object.hasOwn(patchTypes, type)) throw new TypeError(`no type of patch: ${JSON.stringify(type)}`);
  if (typeof body !== 'object' || body === null || Array.isArray(body) !== (type === 'json')) {
    throw new TypeError(
      `the body of a ${type} patch is ${type === 'json' ? 'a list of operations' : 'an object'}`,
    );
  }
  const query = writing(options);
  const contentType = patchTypes[type];
  return build(target, options, {
    verb: 'patch',
    method: 'PATCH',
    name,
    subresource,
    query,
    body,
    contentType,
  });
}

/**
 * Server-side apply.
 * @throws {TypeError} no field manager, or no name
 */
export function applyRequest(
  target: Target,
  intent: Body,
  options: ApplyOptions & Partial<DryRun>,
  subresource?: string,
): Request {
  const { fieldManager, force = false, dryRun } = options ?? {};
  if (typeof fieldManager !== 'string' || fieldManager === '') {
    throw new TypeError('apply needs a fieldManager: the name under which the fields are owned');
  }
  return build(target, options, {
    verb: 'apply',
    method: 'PATCH',
    name: nameOf(intent),
    subresource,
    query: { fieldManager, force, dryRun },
    body: bodyOf(target, intent, subresource),
    contentType: 'application/apply-patch+yaml',
  });
}

/** Deletes an object. */
export function deleteRequest(target: Target, name: string, options: DeleteOptions = {}): Request {
  return build(target, options, { verb: 'delete', method: 'DELETE', name, body: deleteBody(options) });
}

/** Deletes all objects that the selectors select. */
export function deleteCollectionRequest(target: Target, options: DeleteCollectionOptions = {}): Request {
  const query = selectors(options);
  const body = deleteBody(options);
  return build(target, options, { verb: 'deletecollection', method: 'DELETE', query, body });
}
