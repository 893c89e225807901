/** Choice of the verb for a request, after authorization. */
import { reviewOf } from '../access/reviews.ts';
import { issueToken, tokenRequestKind } from '../access/token-requests.ts';
import type { Context, ServerState } from '../call/context.ts';
import { runVerb, type Verb } from '../call/verb.ts';
import { loadSchema } from '../decoding/admit.ts';
import { badRequest, failure, methodNotAllowed, notFound } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';
import { acceptsAggregated, preferredType } from '../request/accept.ts';
import { jsonEncoding } from '../request/encoding.ts';
import { boolean } from '../request/query.ts';
import { type ApiRequest, type ApiResponse, json } from '../request/request.ts';
import { findType, servedTypes } from '../resources/catalog.ts';
import type { ResourceType } from '../resources/type.ts';
import { isWatch } from '../selectors/list-options.ts';
import type { Store } from '../store/store.ts';
import { attach, exec } from '../streams/exec.ts';
import { readLog } from '../streams/logs.ts';
import { portForward } from '../streams/port-forward.ts';
import { create } from '../verbs/create.ts';
import { remove, removeCollection } from '../verbs/delete.ts';
import { get, list } from '../verbs/list.ts';
import { patch } from '../verbs/patch.ts';
import { review } from '../verbs/review.ts';
import { getScale, patchScale, updateScale } from '../verbs/scale.ts';
import { currentObject, update } from '../verbs/update.ts';
import { watch } from '../verbs/watch.ts';
import { aggregated, coreVersions, group, groupList, resourceList } from './discovery.ts';
import { healthOf } from './health.ts';
import { negotiated } from './negotiated.ts';
import { openApiDocument, openApiIndex } from './openapi/documents.ts';
import { swagger } from './openapi/swagger.ts';
import { checkRoute } from './route.ts';
import { virtualHandler } from './virtual.ts';

/** Response of `/version`: the version of the API server whose behaviour is implemented. */
const serverVersion = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+kgen.memory',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '',
  goVersion: '',
  compiler: '',
  platform: '',
};

const notAcceptableText: ApiResponse = { kind: 'text', code: 406, text: '' };

const notFoundText: ApiResponse = { kind: 'text', code: 404, text: '404 page not found\n' };

/** Handlers of the streams of pods by subresource. */
const podStreams: ReadonlyMap<string, (context: Context) => ApiResponse> = new Map([
  ['log', readLog],
  ['exec', exec],
  ['attach', attach],
  ['portforward', portForward],
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
      return rest.length === 0 ? roots(store, request, true) : version(state, request, '', rest);
    case 'apis':
      return rest.length < 2
        ? groups(store, request, rest[0])
        : version(state, request, rest[0] ?? '', rest.slice(1));
    case 'version':
      return json(200, serverVersion);
    case 'openapi':
      return openApi(store, request.accept, rest);
    default:
      return healthOf(request) ?? notFoundText;
  }
}

/** Handles the paths of OpenAPI documents. */
function openApi(store: Store, accept: string, path: readonly string[]): ApiResponse | Promise<ApiResponse> {
  const [version, ...rest] = path;
  if (version === 'v2' && rest.length === 0) return openApiV2(store, accept);
  if (version !== 'v3') return notFoundText;
  if (rest.length === 0) return json(200, openApiIndex(store));
  return openApiDocument(store, rest.join('/')).then((body) => {
    if (body === undefined) return notFoundText;
    return preferredType(accept, ['application/json']) === undefined ? notAcceptableText : json(200, body);
  });
}

const swaggerProtobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** The media types of the document. Older clients request protobuf with an @ in its name. */
const swaggerTypes = ['application/json', swaggerProtobuf.replace('v2.', 'v2@'), swaggerProtobuf];

async function openApiV2(store: Store, accept: string): Promise<ApiResponse> {
  const type = preferredType(accept, swaggerTypes);
  if (type === undefined) return notAcceptableText;
  const body = await swagger(store);
  if (type === 'application/json') return json(200, body);
  const { encodeSwagger } = await import('./openapi/swagger-protobuf.ts');
  const encoding = { ...jsonEncoding, contentType: swaggerProtobuf, body: encodeSwagger };
  return { kind: 'json', code: 200, body, warnings: [], encoding };
}

function roots(store: Store, request: ApiRequest, core: boolean): ApiResponse {
  const types = servedTypes(store);
  if (!acceptsAggregated(request.accept)) return json(200, core ? coreVersions() : groupList(types));
  const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { kind: 'json', code: 200, body: aggregated(types, core), warnings: [], contentType };
}

function groups(store: Store, request: ApiRequest, name: string | undefined): ApiResponse {
  if (name === undefined) return roots(store, request, false);
  const body = group(name, servedTypes(store));
  return body === undefined ? notFoundText : json(200, body);
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
    const body = resourceList(name, version, servedTypes(store));
    return body === undefined ? unknownPath(store, name) : json(200, body);
  }
  const isWatchPath = rest[0] === 'watch';
  if (isWatchPath && rest.length === 1) return withoutKind(request);
  const target = findTarget(store, name, version, isWatchPath ? rest.slice(1) : rest);
  if (target === undefined) return unknownPath(store, name);
  const warnings = new Set(target.type.deprecation === undefined ? [] : [target.type.deprecation]);
  const stream = target.type.storage === 'pods' ? podStreams.get(target.subresource) : undefined;
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
  if (group !== '' && !isBuiltIn) return notFoundText;
  throw unknownResource();
}

function unknownResource(): Failure {
  return failure(404, 'NotFound', 'the server could not find the requested resource', { details: {} });
}

/** As the real server, whose parser of paths needs a kind behind `/watch`. */
function withoutKind({ path, query }: ApiRequest): ApiResponse {
  const url = `/${path.join('/')}${query.size === 0 ? '' : `?${query}`}`;
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
    return others.length > 0 ? undefined : targetOf(findType(store, group, version, own), '', object, sub);
  }
  return more.length > 0
    ? undefined
    : targetOf(findType(store, group, version, plural), namespace, name, subresource);
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
  const handler = virtualHandler(context);
  if (handler !== undefined) return yield* handler(context);
  if (name === '') return yield* onCollection(context);
  checkName(name);
  if (!hasSubresource(context.type, subresource)) {
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
      return type.namespaced && namespace === '' ? notFoundText : yield* createOrReview(context);
    case 'DELETE':
      if (!type.verbs.includes('deletecollection')) throw methodNotAllowed(type);
      return type.namespaced && namespace === '' ? notFoundText : yield* removeCollection(context);
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
