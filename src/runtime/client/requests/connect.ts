/** Requests to subresources with a connection: exec, attach, port-forward and proxy. */

import type { RequestOperation } from '../../api/operation.ts';
import type { RequestOptions } from '../../api/options.ts';
import type { ConnectFacts, ConnectResource } from '../../api/resource.ts';
import type { APIRequest, HTTPMethod } from '../../api/transport.ts';
import { commonParts } from '../../rest/request/call-request.ts';
import { lowerCased } from '../../rest/request/headers.ts';
import { checkedPath } from '../../rest/request/path.ts';
import { type QueryValue, queryOf } from '../../rest/request/query.ts';
import { resourcePath } from './paths.ts';
import { parametersOf } from './subresource-requests.ts';

/** Target of a connection to a subresource, such as the proxy of a pod. */
export interface ConnectTarget {
  /** Namespace of the object; required for namespaced resources. */
  readonly namespace?: string | undefined;
  /**
   * Name of the object. For a proxy also `name:port` or `https:name:port`; the port is a number or a name.
   */
  readonly name: string;
  /** Rest of the path behind a proxy, not escaped: `api/items`. `/` is its root. */
  readonly path?: string | undefined;
  /** Query parameters behind a proxy, in addition to those of the subresource itself. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /**
   * HTTP method. Default: `GET`, which also opens a WebSocket, or else the first method that the subresource
   * supports.
   */
  readonly method?: HTTPMethod | undefined;
}

/** `name`, `name:port`, `scheme:name:port`. */
const proxyName = /^(?:https?:[^:]+:[^:]*|[^:]+(?::[^:]+)?)$/;

/**
 * Creates the request that opens a connection. To read a proxied resource, pass it to `rest.stream`:
 * `rest.stream(connectRequest(podProxy, { namespace, name, path }))`. For a method with a body, add `body` to
 * the request.
 * @throws {TypeError} if a part is missing, or would change the path: the path of a proxy must not contain a
 * segment `..`
 */
export function connectRequest<Options>(
  descriptor: ConnectResource<Options>,
  target: ConnectTarget,
  options?: Options & RequestOptions,
): APIRequest {
  const { namespace, name, path, query, method } = target;
  const { plural, subresource } = descriptor;
  checkNamespace(descriptor, namespace);
  checkName(descriptor, name);
  const common: RequestOptions = options ?? {};
  const operation: RequestOperation = {
    verb: 'connect',
    resource: `${plural}/${subresource}`,
    ...(namespace !== undefined && { namespace }),
    name,
  };
  const root = resourcePath({ ...descriptor, kind: plural }, { namespace, name, subresource });
  return {
    method: methodOf(descriptor, method),
    path: checkedPath(`${root}${rest(descriptor, path)}`),
    query: queryOf({ ...query, ...parametersOf(common) }),
    headers: { accept: '*/*', ...lowerCased(common.headers) },
    operation,
    stream: true,
    ...commonParts(common),
  };
}

function methodOf(
  { methods, plural, subresource }: ConnectFacts,
  method: HTTPMethod | undefined,
): HTTPMethod {
  const known: readonly HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
  const chosen = known.find((one) => methods.includes(one) && (method === undefined || one === method));
  if (chosen !== undefined) return chosen;
  throw new TypeError(
    `${plural}/${subresource} is not served by ${method ?? 'any method'}: ${methods.join(', ')}`,
  );
}

function rest({ path: allowed, plural, subresource }: ConnectFacts, path: string | undefined): string {
  if (path === undefined) return '';
  if (!allowed) throw new TypeError(`${plural}/${subresource} takes no path: ${JSON.stringify(path)}`);
  if (/\p{Cs}/u.test(path)) {
    throw new TypeError(
      `the path behind ${plural}/${subresource} contains a lone surrogate: ${JSON.stringify(path)}`,
    );
  }
  const segments = path.replace(/^\//, '').split('/').map(encodeURIComponent);
  return `/${segments.join('/')}`;
}

function checkNamespace({ scope, plural, subresource }: ConnectFacts, namespace: string | undefined): void {
  if (scope === 'Namespaced' && namespace === undefined) {
    throw new TypeError(`${plural}/${subresource} needs the namespace of the object`);
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    throw new TypeError(`${plural} are cluster-scoped: omit the namespace ${JSON.stringify(namespace)}`);
  }
}

function checkName({ subresource, path, plural }: ConnectFacts, name: string): void {
  if (typeof name !== 'string' || !name.includes(':')) return;
  if (!path)
    throw new TypeError(`${plural}/${subresource} takes a name without a port: ${JSON.stringify(name)}`);
  if (proxyName.test(name)) return;
  throw new TypeError(`name must be name, name:port or https:name:port, got ${JSON.stringify(name)}`);
}
