/** Requests to subresources that are not read and written like the object itself. */
import type { ApplyOptions, DeleteOptions, RequestOptions, WriteOptions } from '../../api/options.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { QueryValue } from '../../rest/request/query.ts';
import { type Body, deleteBody } from './bodies.ts';
import { bodyOf, build, type RequestTarget, writing } from './build-request.ts';
import { applyRequest, type PatchRequestOptions, patchRequest } from './verb-requests.ts';

/** Subresource of a request, and its options. */
export interface Call<Options> {
  readonly subresource: string;
  readonly options?: Options | undefined;
}

/**
 * Returns the request that posts a body to a subresource of the named object.
 * @param verb the method of the client, for messages
 */
export function actionRequest(
  target: RequestTarget,
  name: string,
  body: Body,
  { subresource, options = {} }: Call<WriteOptions<'All' | undefined>>,
  verb = 'create',
): APIRequest {
  return build(target, options, {
    verb,
    method: 'POST',
    name,
    subresource,
    query: writing(options),
    body: bodyOf(target, body, { subresource, name }),
  });
}

/** Returns the request that replaces a subresource of the named object. */
export function replaceRequest(
  target: RequestTarget,
  name: string,
  body: Body,
  { subresource, options = {} }: Call<WriteOptions<'All' | undefined>>,
): APIRequest {
  const request = actionRequest(target, name, body, { subresource, options });
  return { ...request, method: 'PUT', operation: { ...request.operation, verb: 'update' } };
}

/**
 * Returns the request that patches a subresource. The type is JSON merge patch, as it is unknown whether the
 * subresource supports another one.
 */
export function changeRequest(
  target: RequestTarget,
  name: string,
  body: unknown,
  { subresource, options = {} }: Call<PatchRequestOptions>,
): APIRequest {
  return patchRequest(target, name, body, { type: 'merge', ...options }, subresource);
}

/** Returns the request of a server-side apply to a subresource. */
export function claimRequest(
  target: RequestTarget,
  name: string,
  intent: Body,
  { subresource, options }: Call<ApplyOptions<'All' | undefined>>,
): APIRequest {
  const body = bodyOf(target, intent, { subresource, name });
  return applyRequest(target, body, options, subresource);
}

/** Returns the request that deletes a subresource. */
export function removeRequest(
  target: RequestTarget,
  name: string,
  { subresource, options = {} }: Call<DeleteOptions>,
): APIRequest {
  const body = deleteBody(options);
  return build(target, options, { verb: 'delete', method: 'DELETE', name, subresource, body });
}

/**
 * Options of a call that are not query parameters. It lists all of `RequestOptions`, so that a new one is
 * never sent.
 */
const ownOptions: Readonly<Record<keyof RequestOptions | 'as', true>> = {
  signal: true,
  timeoutMs: true,
  headers: true,
  maxResponseBytes: true,
  impersonate: true,
  as: true,
};

/** Returns the options of a call that are query parameters. */
export function parametersOf(options: object): Readonly<Record<string, QueryValue>> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(ownOptions, name)));
}

/** Returns the request that streams a string response. */
export function textRequest(
  target: RequestTarget,
  name: string,
  { subresource, options = {} }: Call<RequestOptions>,
): APIRequest {
  const request = build(target, options, {
    verb: 'get',
    method: 'GET',
    name,
    subresource,
    query: parametersOf(options),
    accept: 'text/plain, */*',
  });
  return { ...request, stream: true };
}
