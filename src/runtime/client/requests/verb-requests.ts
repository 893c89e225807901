/** Requests of each verb, as values. */
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchTyped,
  RequestOptions,
  WriteOptions,
} from '../../api/options.ts';
import type { APIRequest } from '../../api/transport.ts';
import { selectionIn } from '../../codec/projection/selected-mark.ts';
import { type SelectorOptions, selectionOf } from '../../selectors/selection.ts';
import type { WatchParams } from '../../watch/source.ts';
import { type Body, deleteBody, nameOf } from './bodies.ts';
import { bodyOf, build, type RequestTarget, writing } from './build-request.ts';

/** Types of patches, and their media types. */
export const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** Type of a patch. */
export type PatchType = keyof typeof patchTypes;

/** Options of a patch, for any kind of resource. */
export type PatchRequestOptions = PatchTyped<PatchType, 'All' | undefined>;

/** Returns the request for an object, or for its subresource. */
export function getRequest(
  target: RequestTarget,
  name: string,
  options: GetOptions = {},
  subresource?: string,
): APIRequest {
  const query = { resourceVersion: options.resourceVersion };
  return build(target, options, { verb: 'get', method: 'GET', name, subresource, query });
}

/**
 * Returns the request for a list. `timeout` limits the work of the server; `timeoutSeconds` is its name in
 * the API.
 */
export function listRequest(target: RequestTarget, options: ListOptions = {}): APIRequest {
  const { limit, resourceVersion, resourceVersionMatch, timeoutSeconds } = options;
  const timeout = timeoutSeconds === undefined ? undefined : `${timeoutSeconds}s`;
  const paging = { limit, continue: options.continue, resourceVersion, resourceVersionMatch };
  const query = { ...selectionOf(options), ...paging, timeoutSeconds, timeout };
  return build(target, options, { verb: 'list', method: 'GET', query });
}

/** Returns the request for a watch. */
export function watchRequest(
  target: RequestTarget,
  options: RequestOptions & SelectorOptions,
  params: WatchParams,
): APIRequest {
  const query = { ...selectionOf(options), ...params, watch: true };
  return { ...build(target, options, { verb: 'watch', method: 'GET', query }), stream: true };
}

/** Returns the request that creates an object. */
export function createRequest(
  target: RequestTarget,
  object: Body,
  options: WriteOptions<'All' | undefined> = {},
): APIRequest {
  const request = build(target, options, {
    verb: 'create',
    method: 'POST',
    query: writing(options),
    body: bodyOf(target, object),
  });
  return { ...request, operation: { ...request.operation, name: object.metadata?.name } };
}

/**
 * Returns the request that replaces the object named by `metadata.name`, or its subresource.
 * @throws {TypeError} if the object contains only selected fields of another one
 */
export function updateRequest(
  target: RequestTarget,
  object: Body,
  options: WriteOptions<'All' | undefined> = {},
  subresource?: string,
): APIRequest {
  const selection = selectionIn(object);
  if (selection !== undefined) throw new TypeError(incomplete(target, object, selection));
  return build(target, options, {
    verb: 'update',
    method: 'PUT',
    name: nameOf(object),
    subresource,
    query: writing(options),
    body: bodyOf(target, object, { subresource }),
  });
}

function incomplete({ resource }: RequestTarget, { metadata }: Body, selection: unknown): string {
  const name = [metadata?.namespace, metadata?.name].filter((part) => part !== undefined).join('/');
  return (
    `update ${resource.plural} ${name}: the object has only selected fields, ${JSON.stringify(selection)}, ` +
    'and the update would remove all others: use patch or apply, or get the whole object first'
  );
}

/**
 * Returns the request that patches an object, or its subresource.
 * @throws {TypeError} if the body does not match the type: a JSON patch is an array, the others are objects
 */
export function patchRequest(
  target: RequestTarget,
  name: string,
  body: unknown,
  options: PatchRequestOptions = {},
  subresource?: string,
): APIRequest {
  const usual = target.resource.builtIn === true && subresource !== 'scale' ? 'strategic' : 'merge';
  const { type = usual } = options;
  if (!Object.hasOwn(patchTypes, type)) throw new TypeError(`unknown patch type: ${JSON.stringify(type)}`);
  if (typeof body !== 'object' || body === null || Array.isArray(body) !== (type === 'json')) {
    throw new TypeError(
      `the body of a ${type} patch must be ${type === 'json' ? 'an array of operations' : 'an object'}`,
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
 * Returns the request of a server-side apply.
 * @throws {TypeError} if the name is missing
 */
export function applyRequest(
  target: RequestTarget,
  intent: Body,
  options: ApplyOptions<'All' | undefined> = {},
  subresource?: string,
): APIRequest {
  const { fieldManager, force = false, dryRun } = options;
  return build(target, options, {
    verb: 'apply',
    method: 'PATCH',
    name: nameOf(intent),
    subresource,
    query: { fieldManager: fieldManager || undefined, force, dryRun },
    body: bodyOf(target, intent, { subresource }),
    contentType: 'application/apply-patch+yaml',
  });
}

/** Returns the request that deletes an object. */
export function deleteRequest(target: RequestTarget, name: string, options: DeleteOptions = {}): APIRequest {
  return build(target, options, { verb: 'delete', method: 'DELETE', name, body: deleteBody(options) });
}

/** Returns the request that deletes all objects matching the selectors. */
export function deleteCollectionRequest(
  target: RequestTarget,
  options: DeleteCollectionOptions = {},
): APIRequest {
  const query = selectionOf(options);
  const body = deleteBody(options);
  return build(target, options, { verb: 'deletecollection', method: 'DELETE', query, body });
}
