/**
 * HTTP requests to ports of pods and services, which the handler of connections to ports serves.
 * @see https://kubernetes.io/docs/tasks/access-application-cluster/access-cluster-services/
 */

import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '@kgen/schema/values/thrown';
import type { Context } from '../call/context.ts';
import { failure, notImplemented } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';
import type { ApiResponse } from '../request/request.ts';
import { connectionPair } from './port-connection.ts';
import { type ProxyTarget, podTarget, serviceTarget } from './proxy-target.ts';

/** Handles `pods/proxy`. */
export function proxyPod(context: Context): ApiResponse | Promise<ApiResponse> {
  return proxy(context, podTarget(context));
}

/** Handles `services/proxy`. */
export function proxyService(context: Context): ApiResponse | Promise<ApiResponse> {
  return proxy(context, serviceTarget(context));
}

function proxy(context: Context, target: ProxyTarget): ApiResponse | Promise<ApiResponse> {
  const { namespace, name, type, request } = context;
  const prefix = `/api/v1/namespaces/${namespace}/${type.plural}/${name}/proxy`;
  const path = request.pathname.slice(prefix.length);
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  if (path === '' && (request.method === 'GET' || request.method === 'HEAD')) {
    const headers = { Location: `${encodeURI(request.pathname)}/${query}` };
    return { kind: 'text', code: 301, text: '', contentType: '', headers };
  }
  return exchange(context, target, { prefix, path: `${encodeURI(path || '/')}${query}` });
}

interface ProxyPath {
  /** Path of the proxy itself. */
  readonly prefix: string;
  /** Escaped path and query behind it. */
  readonly path: string;
}

async function exchange(
  context: Context,
  { pod, address, port }: ProxyTarget,
  { prefix, path }: ProxyPath,
): Promise<ApiResponse> {
  const { namespace, request } = context;
  const handler = context.streams.get('portForward');
  if (handler === undefined) throw notImplemented('proxies without a handler: call server.onPortForward()');
  const [near, far] = connectionPair();
  const ended = new AbortController();
  near.once('close', () => ended.abort());
  const sent = send(near, context, `${address}:${port}`, path);
  const response = responseOf(sent);
  const { signal } = ended;
  const handle = async (): Promise<void> =>
    handler({ namespace, pod, port, stream: far, signal, user: request.user.name });
  handle().catch((error: unknown) => far.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    const message = await response;
    const { statusCode: code = 502, headers } = message;
    const contentType = headers['content-type'] ?? '';
    const isPage = contentType.startsWith('text/html') && headers['content-encoding'] === undefined;
    return {
      ...{ kind: 'stream', code, contentType },
      headers: headersOf(message, prefix, isPage),
      chunks: isPage ? linkedChunks(message, prefix) : chunksOf(message),
      cancel: () => near.destroy(),
    };
  } catch (error) {
    near.destroy();
    throw unreachable(error);
  }
}

/** Yields the body until its connection breaks: a response that has begun cannot fail otherwise. */
async function* chunksOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  for await (const chunk of message) yield chunk;
}

/** Yields a page whose links lead through the proxy, too. */
async function* linkedChunks(message: IncomingMessage, prefix: string): AsyncGenerator<Uint8Array> {
  const page = Buffer.concat(await message.toArray()).toString('latin1');
  yield Buffer.from(
    page.replace(/<[^>]*/g, (tag) => tag.replace(links, (_, start: string) => `${start}${prefix}/`)),
    'latin1',
  );
}

/** Attributes with an absolute path. */
const links = /(\s(?:href|src|action|data|poster|background|cite|icon|manifest)=["']?)\/(?!\/)/gi;

function unreachable(error: unknown): Failure {
  return failure(503, 'ServiceUnavailable', `error trying to reach service: ${messageOf(error)}`);
}

function send(connection: Duplex, { request }: Context, host: string, path: string): ClientRequest {
  const { method, accept, contentType, userAgent } = request;
  const named = { host, accept, 'content-type': contentType, 'user-agent': userAgent };
  const headers = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''));
  const sent = sendRequest({ createConnection: () => connection, method, path, headers });
  sent.end(request.bytes ?? (request.body === '' ? undefined : request.body));
  return sent;
}

function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // An error after the response is that of its body, too.
    sent.on('error', reject);
  });
}

/** Headers of a single connection. */
const ownHeaders = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'content-type',
];

function headersOf(
  { headers }: IncomingMessage,
  prefix: string,
  isChanged: boolean,
): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  const omitted = isChanged ? [...ownHeaders, 'content-length'] : ownHeaders;
  for (const [name, value = ''] of Object.entries(headers))
    if (!omitted.includes(name)) result[name] = typeof value === 'string' ? value : value.join(', ');
  const { location } = headers;
  if (location?.startsWith('/') === true) result['location'] = prefix + location;
  return result;
}
