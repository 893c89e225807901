/** Choice of the verb for a request, after authorization. */
import { reviewOf } from '../access/reviews.ts';
import { issueToken, tokenRequestKind } from '../access/token-requests.ts';
import type { Context, ServerState } from '../call/context.ts';
import { runVerb, type Verb } from '../call/verb.ts';
import { loadSchema } from '../decoding/admit.ts';
import { badRequest, failure, methodNotAllowed, notFound } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';
import { boolean } from '../request/query.ts';
import { type ApiRequest, type ApiResponse, pageNotFound } from '../request/request.ts';
import { findType, servedTypes } from '../resources/catalog.ts';
import type { ResourceType } from '../resources/type.ts';
import { isWatch } from '../selectors/list-options.ts';
import type { Store } from '../store/store.ts';
import { attach, exec } from '../streams/exec.ts';
import { readLog } from '../streams/logs.ts';
import { portForward } from '../streams/port-forward.ts';
import { proxyPod, proxyService } from '../streams/proxy.ts';
import { create } from '../verbs/create.ts';
import { remove, removeCollection } from '../verbs/delete.ts';
import { get, list } from '../verbs/list.ts';
import { patch } from '../verbs/patch.ts';
import { review } from '../verbs/review.ts';
import { getScale, patchScale, updateScale } from '../verbs/scale.ts';
import { currentObject, update } from '../verbs/update.ts';
import { watch } from '../verbs/watch.ts';
import { negotiated } from './negotiated.ts';
import { openApi } from './openapi/openapi.ts';
import { discoveryGroup, discoveryRoot, discoveryVersion, rootDocument } from './roots.ts';
import { checkRoute } from './route.ts';
import { virtualHandler } from './virtual.ts';

type StreamHandler = (context: Context) => ApiResponse | Promise<ApiResponse>;

/** Handlers of streams by kind and subresource. */
const streams: ReadonlyMap<string, StreamHandler> = new Map<string, StreamHandler>([
  ['pods/log', readLog],
  ['pods/exec', exec],
  ['pods/attach', attach],
  ['pods/portforward', portForward],
  ['pods/proxy', proxyPod],
  ['services/proxy', proxyService],
]);

/**
 * Handles a request. Returns a promise only if the request waits for a webhook.
 * @throws {Failure} for failures that do not concern a resource
 */
export function dispatch(state: ServerState, request: ApiRequest): ApiResponse | Promise<ApiResponse> {
  const { store } = state;
  const [root = '', ...rest] = request.path;
  switch (root) {
    case 'api':
      return rest.length === 0 ? discoveryRoot(store, request, true) : version(state, request, '', rest);
    case 'apis':
      if (rest[0] === undefined) return discoveryRoot(store, request, false);
      return rest.length < 2
        ? discoveryGroup(store, request, rest[0])
        : version(state, request, rest[0], rest.slice(1));
    case 'openapi':
      return openApi(store, request);
    default:
      return rootDocument(state, request);
  }
}

/** Handles all paths below `/api/<version>` and `/apis/<group>/<version>`. */
function version(
  state: ServerState,
  request: ApiRequest,
  name: string,
  path: readonly string[],
): ApiResponse | Promise<ApiResponse> {
  const { store } = state;
  const [version = '', ...rest] = path;
  if (rest.length === 0) {
    return discoveryVersion(store, request, name, version) ?? unknownPath(store, name);
  }
  const isWatchPath = rest[0] === 'watch';
  if (isWatchPath && rest.length === 1) return withoutKind(request);
  const target = findTarget(store, name, version, isWatchPath ? rest.slice(1) : rest);
  if (target === undefined) return unknownPath(store, name);
  const warnings = new Set(target.type.deprecation === undefined ? [] : [target.type.deprecation]);
  const stream = streams.get(`${target.type.storage}/${target.subresource}`);
  if (stream !== undefined) return stream({ ...state, request, warnings, ...target });
  const isWatch = isWatchPath || isWatchRequest(request, target.name);
  const verb = isWatchPath ? watchPath : request.method === 'GET' ? run : withSchema;
  const context = { ...state, request, warnings, ...target };
  checkRoute(context, isWatchPath);
  return runVerb(negotiated(context, verb, isWatch));
}

function isWatchRequest({ method, query }: ApiRequest, name: string): boolean {
  return method === 'GET' && name === '' && boolean(query, 'watch') === true;
}

/** A real server responds with a Status below built-in groups, and with a page elsewhere. */
function unknownPath(store: Store, group: string): ApiResponse {
  const isBuiltIn = servedTypes(store).some((type) => type.group === group && type.strategy !== 'custom');
  if (group !== '' && !isBuiltIn) return pageNotFound;
  throw unknownResource();
}

function unknownResource(): Failure {
  return failure(404, 'NotFound', 'the server could not find the requested resource', { details: {} });
}

/** As the real server, whose parser of paths needs a kind behind `/watch`. */
function withoutKind({ pathname, query }: ApiRequest): ApiResponse {
  const url = `${pathname}${query.size === 0 ? '' : `?${query}`}`;
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${url}`;
  return { kind: 'text', code: 500, text: `Internal Server Error: ${JSON.stringify(url)}: ${why}\n` };
}

/** Handles the deprecated form of watches, `/watch/` in front of the path. */
function watchPath(context: Context): Verb<ApiResponse> {
  if (context.request.method !== 'GET') throw methodNotAllowed(context.type);
  return watch(context);
}

type Target = Pick<Context, 'type' | 'namespace' | 'name' | 'subresource'>;

function findTarget(
  store: Store,
  group: string,
  version: string,
  path: readonly string[],
): Target | undefined {
  const [first = '', namespace = '', plural, name = '', subresource = '', ...more] = path;
  if (first !== 'namespaces' || plural === undefined || isOfNamespace(plural, group, version)) {
    const [own = '', object = '', sub = '', ...others] = path;
    return isTooLong(sub, others)
      ? undefined
      : targetOf(findType(store, group, version, own), '', object, sub);
  }
  return isTooLong(subresource, more)
    ? undefined
    : targetOf(findType(store, group, version, plural), namespace, name, subresource);
}

/** Only proxies have a path behind them. */
function isTooLong(subresource: string, rest: readonly string[]): boolean {
  return rest.length > 0 && subresource !== 'proxy';
}

/** `/api/v1/namespaces/<name>/status` is a subresource, `/namespaces/<name>/foos` a collection. */
function isOfNamespace(segment: string, group: string, version: string): boolean {
  return group === '' && version === 'v1' && (segment === 'status' || segment === 'finalize');
}

function targetOf(
  type: ResourceType | undefined,
  namespace: string,
  name: string,
  subresource: string,
): Target | undefined {
  if (type === undefined) return undefined;
  const scoped = type.namespaced ? namespace !== '' || name === '' : namespace === '';
  return scoped ? { type, namespace, name, subresource } : undefined;
}

/** Handles a write, for which the schema of a built-in kind is needed. */
function* withSchema(context: Context): Verb<ApiResponse> {
  yield* loadSchema(context.type);
  return yield* run(context);
}

function* run(context: Context): Verb<ApiResponse> {
  const { request, name, subresource } = context;
  if (name !== '' && subresource === '' && !context.type.verbs.includes('get')) throw unknownResource();
  const handler = virtualHandler(context);
  if (handler !== undefined) return yield* handler(context);
  if (name === '') return yield* onCollection(context);
  checkName(name);
  if (!hasSubresource(context.type, subresource)) {
    // The warning about a deprecated kind is one of its routes.
    if (context.type.strategy !== 'custom') context.warnings.clear();
    throw context.type.strategy === 'custom' ? notFound(context.type, name) : unknownResource();
  }
  if (subresource === 'scale') return yield* onScale(context);
  switch (request.method) {
    case 'GET':
      return yield* get(context, currentObject);
    case 'PUT':
      return yield* update(context);
    case 'PATCH':
      return yield* patch(context);
    case 'DELETE':
      if (subresource !== '') throw methodNotAllowed(context.type, 'delete');
      return yield* remove(context);
    case 'POST':
      if (subresource === 'token') return review(context, issueToken, tokenRequestKind);
      if (subresource !== '') throw methodNotAllowed(context.type, 'create');
      // A name in the path has no effect; the name in the object is used.
      return yield* create({ ...context, name: '' });
    default:
      throw methodNotAllowed(context.type);
  }
}

/** Names that would change the path of the object in the database. */
function checkName(name: string): void {
  const why =
    name === '.' || name === '..' ? `may not be '${name}'` : name.includes('%') ? "may not contain '%'" : '';
  if (why !== '') throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${why}`);
}

function hasSubresource(type: ResourceType, subresource: string): boolean {
  if (subresource === '') return true;
  if (type.subresources !== undefined) return type.subresources.some(({ name }) => name === subresource);
  if (subresource === 'status') return type.status;
  return subresource === 'scale' && type.scale !== undefined;
}

function* onCollection(context: Context): Verb<ApiResponse> {
  const { request, type, namespace } = context;
  if (!type.verbs.includes('list') && request.method !== 'POST') throw methodNotAllowed(type);
  switch (request.method) {
    case 'GET':
      return yield* isWatch(request.query) ? watch(context) : list(context);
    case 'POST':
      return type.namespaced && namespace === '' ? pageNotFound : yield* createOrReview(context);
    case 'DELETE':
      if (!type.verbs.includes('deletecollection')) throw methodNotAllowed(type);
      return type.namespaced && namespace === '' ? pageNotFound : yield* removeCollection(context);
    case 'PUT':
    case 'PATCH':
      throw badRequest('name must be provided');
    default:
      throw methodNotAllowed(type);
  }
}

function* createOrReview(context: Context): Verb<ApiResponse> {
  const complete = reviewOf(context.type.storage);
  return complete === undefined ? yield* create(context) : review(context, complete);
}

function* onScale(context: Context): Verb<ApiResponse> {
  switch (context.request.method) {
    case 'GET':
      return yield* getScale(context);
    case 'PUT':
      return yield* updateScale(context);
    case 'PATCH':
      return yield* patchScale(context);
    default:
      throw methodNotAllowed(context.type);
  }
}
