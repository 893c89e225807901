/** Documents outside of resources: discovery, the version, keys of tokens, metrics and the list of paths. */
import type { JsonObject } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { issuer } from '../identity/tokens.ts';
import { type MediaType, mediaTypes, negotiate } from '../request/accept.ts';
import { encodingOf, jsonEncoding, prettyEncoding } from '../request/encoding.ts';
import { type ApiRequest, type ApiResponse, pageNotFound } from '../request/request.ts';
import { loadCodecs } from '../resources/builtin/schemas.ts';
import { servedTypes } from '../resources/catalog.ts';
import { apiVersionOf } from '../resources/type.ts';
import type { Store } from '../store/store.ts';
import { aggregated, coreVersions, group, groupList, resourceList } from './discovery.ts';
import { checks, healthOf } from './health.ts';
import { metricsOf, serverVersion } from './metrics.ts';
import { checkRouted } from './route.ts';

/** Responds to a path that is neither one of discovery nor of an OpenAPI document. */
export function rootDocument(state: ServerState, request: ApiRequest): ApiResponse {
  const { pathname, host = 'localhost' } = request;
  switch (pathname.replace(/(?<=.)\/$/, '')) {
    case '/version':
      checkRouted(request, ['application/json']);
      return indented(serverVersion);
    case '/openid/v1/jwks':
      return keyDocument(request, 'application/jwk-set+json', state.authenticator.tokens.keySet());
    case '/.well-known/openid-configuration':
      return keyDocument(request, 'application/json', {
        issuer,
        jwks_uri: `https://${host}/openid/v1/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      });
    case '/':
    case '/index.html':
      return indented({ paths: pathsOf(state.store) });
    default:
      return metricsOf(state, pathname) ?? healthOf(request) ?? pageNotFound;
  }
}

/** These documents are indented for every client. */
function indented(body: JsonObject): ApiResponse {
  return { kind: 'json', code: 200, body, warnings: [], encoding: prettyEncoding };
}

/** Clients may keep the keys for an hour. */
function keyDocument(request: ApiRequest, contentType: string, body: JsonObject): ApiResponse {
  checkRouted(request, [contentType]);
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  return { kind: 'json', code: 200, body, warnings: [], contentType, headers, encoding: jsonEncoding };
}

/** Returns the paths that the server lists, in alphabetical order. */
function pathsOf(store: Store): readonly string[] {
  const versions = servedTypes(store).flatMap(({ group, version }) =>
    group === '' ? [] : [`/apis/${group}`, `/apis/${apiVersionOf(group, version)}`],
  );
  const health = [...checks].flatMap(([root, names]) => [
    `/${root}`,
    ...names.map((name) => `/${root}/${name}`),
  ]);
  const documents = ['/openapi/v2', '/openapi/v3', '/openapi/v3/', '/openid/v1/jwks', '/version'];
  const others = ['/.well-known/openid-configuration', '/api', '/api/v1', '/apis', '/apis/', '/metrics'];
  return [...new Set([...versions, ...health, ...documents, ...others, '/metrics/slis'])].sort();
}

/** Responds to `/api` and `/apis`: the groups, or all resources in one document. */
export function discoveryRoot(store: Store, request: ApiRequest, isCore: boolean): Discovery {
  const types = servedTypes(store);
  if (isCore) checkRouted(request, mediaTypes);
  const plain = isCore ? coreVersions(request.host) : groupList(types);
  return discoveryResponse(request, plain, () => aggregated(types, isCore));
}

/** Responds to `/apis/<group>`. */
export function discoveryGroup(store: Store, request: ApiRequest, name: string): Discovery {
  const body = group(name, servedTypes(store));
  return body === undefined ? pageNotFound : discoveryResponse(request, body);
}

/** Responds to `/api/v1` and `/apis/<group>/<version>`. `undefined` if it is not served. */
export function discoveryVersion(
  store: Store,
  request: ApiRequest,
  name: string,
  version: string,
): Discovery | undefined {
  const types = servedTypes(store);
  const body = resourceList(name, version, types);
  if (body === undefined) return undefined;
  const isCustom = types.some((type) => type.group === name && type.strategy === 'custom');
  if (!isCustom) checkRouted(request, mediaTypes);
  return discoveryResponse(request, body);
}

/** A response, or a promise while codecs are loaded. */
type Discovery = ApiResponse | Promise<ApiResponse>;

/**
 * Returns a document in the media type that the request prefers.
 * @throws {Failure} 406
 */
function discoveryResponse(
  { accept }: ApiRequest,
  plain: JsonObject,
  whole?: () => JsonObject,
): ApiResponse | Promise<ApiResponse> {
  const { mediaType, convert } = negotiate(accept, {
    plain: mediaTypes,
    allows: ({ group, version, kind }) =>
      whole !== undefined &&
      kind === 'APIGroupDiscoveryList' &&
      version === 'v2' &&
      ['apidiscovery.k8s.io', ''].includes(group),
  });
  if (convert === undefined || whole === undefined) return encodedIn(mediaType, plain);
  return encodedIn(mediaType, whole(), {
    contentType: `${mediaType};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`,
    headers: { 'Cache-Control': 'public', Vary: 'Accept' },
  });
}

type ContentHeaders = Pick<Extract<ApiResponse, { readonly kind: 'json' }>, 'contentType' | 'headers'>;

function encodedIn(mediaType: MediaType, body: JsonObject, content: ContentHeaders = {}): Discovery {
  const response = { kind: 'json', code: 200, body, warnings: [], ...content } as const;
  if (mediaType === 'application/json') return response;
  const encoding =
    mediaType === 'application/yaml'
      ? encodingOf(mediaType)
      : loadCodecs('v1/Pod').then(({ codecs }) => encodingOf(mediaType, codecs));
  return encoding instanceof Promise
    ? encoding.then((loaded) => ({ ...response, encoding: loaded }))
    : { ...response, encoding };
}
