/** The router of built-in kinds, which refuses methods and media types before their verbs see a request. */

import type { Context } from '../call/context.ts';
import { failure } from '../errors/failures.ts';
import { mediaTypes } from '../request/accept.ts';
import type { ApiRequest } from '../request/request.ts';
import type { ResourceType } from '../resources/type.ts';

/**
 * Checks that a request to a built-in kind has a route. Custom resources have none: their verbs check.
 * @throws {Failure} 405 or 406
 */
export function checkRoute(context: Context, isWatchPath: boolean): void {
  const { type, request } = context;
  if (type.strategy === 'custom') return;
  const verbs = verbsOf(context);
  if (verbs.length === 0) return;
  const isAllowed = isWatchPath ? request.method === 'GET' : verbs.includes(verbOf(context));
  if (!isAllowed) throw methodNotRouted();
  checkAccepted(request, mediaTypes, verbOf(context) === 'list' ? streams : []);
}

/**
 * Checks that a request to a document has a route.
 * @throws {Failure} 405 or 406
 */
export function checkRouted(request: ApiRequest, types: readonly string[]): void {
  if (request.method !== 'GET') throw methodNotRouted();
  checkAccepted(request, types);
}

function checkAccepted({ accept }: ApiRequest, types: readonly string[], more: readonly string[] = []): void {
  if (acceptsSome(accept, types)) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${[...types, ...more].join(', ')}`;
  throw failure(406, 'NotAcceptable', message, { details: {} });
}

/** Media types of a route that also serves watches. */
const streams = mediaTypes.filter((type) => !type.endsWith('yaml')).map((type) => `${type};stream=watch`);

function methodNotRouted(): Error {
  const message = 'the server does not allow this method on the requested resource';
  return failure(405, 'MethodNotAllowed', message, { details: {} });
}

/** Returns the verbs of the path; none for a subresource that the kind does not have. */
function verbsOf({ type, namespace, name, subresource }: Context): readonly string[] {
  if (subresource !== '') return subresourceVerbs(type, subresource);
  // Objects that are not stored have no path.
  if (name !== '' && !type.verbs.includes('get')) return [];
  const ofAll = ['list', 'watch'];
  return name === '' && type.namespaced && namespace === ''
    ? type.verbs.filter((verb) => ofAll.includes(verb))
    : type.verbs;
}

function subresourceVerbs({ subresources = [] }: ResourceType, subresource: string): readonly string[] {
  const { verbs, connects = false } = subresources.find(({ name }) => name === subresource) ?? { verbs: [] };
  return connects ? [] : verbs;
}

function verbOf({ request, name, subresource }: Context): string {
  const isCollection = name === '' && subresource === '';
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return isCollection ? 'list' : 'get';
    case 'POST':
      return isCollection || subresource !== '' ? 'create' : '';
    case 'PUT':
      return isCollection ? '' : 'update';
    case 'PATCH':
      return isCollection ? '' : 'patch';
    case 'DELETE':
      return isCollection ? 'deletecollection' : 'delete';
    default:
      return '';
  }
}

/** Returns whether a header names a type of the routes, whatever its parameters are. */
function acceptsSome(accept: string, types: readonly string[]): boolean {
  if (accept === '') return true;
  const ranges = accept.split(',').map((part) => (part.split(';')[0] ?? '').trim());
  return ranges.some((range) => range === '*/*' || types.includes(range));
}
