/** Responses to the paths of OpenAPI documents. */
import { preferredType } from '../../request/accept.ts';
import { type Encoding, jsonEncoding } from '../../request/encoding.ts';
import { type ApiRequest, type ApiResponse, pageNotFound } from '../../request/request.ts';
import type { Store } from '../../store/store.ts';
import { documentHash, openApiDocument, openApiIndex } from './documents.ts';
import { swagger } from './swagger.ts';

/** Handles the paths of OpenAPI documents. */
export function openApi(store: Store, request: ApiRequest): ApiResponse | Promise<ApiResponse> {
  const { pathname } = request;
  if (pathname === '/openapi/v2') return openApiV2(store, request.accept);
  if (pathname === '/openapi/v3') {
    const contentType = 'text/plain; charset=utf-8';
    return {
      kind: 'json',
      code: 200,
      body: openApiIndex(store),
      warnings: [],
      contentType,
      encoding: jsonEncoding,
    };
  }
  return pathname.startsWith(documentRoot) ? openApiV3(store, request) : pageNotFound;
}

const documentRoot = '/openapi/v3/';

const notAcceptable: ApiResponse = { kind: 'text', code: 406, text: '', contentType: '' };

async function openApiV2(store: Store, accept: string): Promise<ApiResponse> {
  const type = preferredType(accept, typesOf('v2'));
  if (type === undefined) return notAcceptable;
  const body = await swagger(store);
  const encoding = await encodingOf(type, async () => (await import('./swagger-protobuf.ts')).encodeSwagger);
  return { kind: 'json', code: 200, body, warnings: [], encoding };
}

/** The media types of a document. Older clients request protobuf with an @ in its name. */
function typesOf(version: string): readonly string[] {
  const name = `application/com.github.proto-openapi.spec.${version}`;
  return ['application/json', `${name}@v1.0+protobuf`, `${name}.v1.0+protobuf`];
}

/** The index names each document with its hash: one with another hash has moved. */
async function openApiV3(store: Store, { pathname, accept, query }: ApiRequest): Promise<ApiResponse> {
  const path = pathname.slice(documentRoot.length);
  const [hash, sent] = [documentHash(store, path), query.get('hash') ?? ''];
  const body = await openApiDocument(store, path);
  if (body === undefined || hash === undefined) return { kind: 'text', code: 404, text: '', contentType: '' };
  const type = preferredType(accept, typesOf('v3'));
  if (type === undefined) return notAcceptable;
  const encoding = await encodingOf(
    type,
    async () => (await import('./document-protobuf.ts')).encodeDocument,
  );
  const headers = { ETag: JSON.stringify(hash), Vary: 'Accept' };
  if (sent !== '' && sent !== hash) {
    const moved = { ...headers, Location: `${pathname}?hash=${hash}` };
    return { kind: 'text', code: 301, text: '', contentType: encoding.contentType, headers: moved };
  }
  const lasting = sent === '' ? {} : { 'Cache-Control': 'public, immutable' };
  return { kind: 'json', code: 200, body, warnings: [], encoding, headers: { ...headers, ...lasting } };
}

async function encodingOf(type: string, load: () => Promise<Encoding['body']>): Promise<Encoding> {
  if (type === 'application/json') return jsonEncoding;
  return { ...jsonEncoding, contentType: type.replace('@', '.'), body: await load() };
}
