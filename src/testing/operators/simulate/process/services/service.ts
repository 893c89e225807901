/** External services of operators: handlers of requests that keep their state as named items. */

/** A request of the operator to an external service. */
export interface ServiceRequest<P extends string = string> {
  /** Such as `GET`. */
  readonly method: string;
  readonly url: URL;
  /** Segments of the path that have a name in the route. */
  readonly params: { readonly [K in ParamOf<P>]: string };
  readonly headers: Headers;
  /** Content: a value if it is JSON, otherwise its text; `undefined` without content. */
  readonly body: unknown;
}

/**
 * The state of a service: values by their names, which are kept as JSON. It is compared with that of the run
 * without faults, and has no other items than at the beginning once all objects of users are deleted.
 */
export interface ServiceItems {
  /** Returns the value of an item; `undefined` if there is none. */
  get(name: string): unknown;
  /** Sets the value of an item, which is created if there is none. */
  set(name: string, value: unknown): void;
  /** Creates an item under a new name, which is returned: names of two runs are equal up to a renaming. */
  add(value: unknown): string;
  /** Deletes an item. Returns whether it existed. */
  delete(name: string): boolean;
  /** Returns all items, in the order of their names. */
  entries(): readonly (readonly [name: string, value: unknown])[];
}

/**
 * Handles a request. Returns a `Response`; another value is the content of a response 200, as text if it is a
 * string, otherwise in JSON, and `undefined` is 204. Runs at once: nothing happens between its reads and
 * writes of `items`.
 */
export type ServiceHandler<P extends string = string> = (
  request: ServiceRequest<P>,
  items: ServiceItems,
) => unknown;

/** Options of a service. */
export interface ServiceOptions {
  /**
   * Base address: the scheme, the host, and the path before those of the routes. Default: any scheme with the
   * name of the service as host.
   */
  readonly url?: string;
  /** Items at the beginning of each run. Default: none. */
  readonly items?: Readonly<Record<string, unknown>>;
  /** Whether an item may exist after the deletion of all objects of users. Default: none. */
  readonly outlives?: (name: string, value: unknown) => boolean;
}

/** An external service of an operator in simulations: a value of the option `services` of `simulate`. */
export interface SimulatedService {
  readonly name: string;
  readonly handlers: Readonly<Record<string, ServiceHandler>>;
  readonly options: ServiceOptions;
}

/** Names of the segments of a route: `'zone' | 'name'` for `PUT /zones/:zone/records/:name`. */
export type ParamOf<P extends string> = P extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : P extends `${string}/:${infer Name}`
    ? Name
    : never;

/** Tools for simulations. */
export const simulation: {
  /**
   * Returns an external service, to which the requests go that the operator sends to its address with
   * `fetch`. They have faults as those of the API server: lost responses, status 429, 500 and 503, delays,
   * and crashes before and after them. Each run begins with a new state.
   * @param name its name in stories and, without `url`, its host
   * @param handlers functions by method and path: `{ 'GET /records/:name': ({ params }, items) => … }`
   * @throws {TypeError} for a name, a route or an address that is invalid
   * @example
   * ```ts
   * import { simulation } from '@kgen/testing';
   *
   * const dns = simulation.service('dns.example.com', {
   *   'PUT /records/:name': ({ params, body }, items) => items.set(params.name, { address: String(body) }),
   *   'DELETE /records/:name': ({ params }, items) =>
   *     items.delete(params.name) ? undefined : new Response('no such record', { status: 404 }),
   * });
   * console.log(dns.name); // dns.example.com
   * ```
   */
  readonly service: <const K extends string>(
    name: string,
    handlers: { readonly [P in K]: ServiceHandler<P> },
    options?: ServiceOptions,
  ) => SimulatedService;
} = {
  service(name, handlers, options = {}) {
    if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
      throw new TypeError(`the name of a service must be a host in lower case, got ${JSON.stringify(name)}`);
    if (options.url !== undefined && !URL.canParse(options.url))
      throw new TypeError(`the url of the service ${name} must be absolute, got ${options.url}`);
    for (const route of Object.keys(handlers)) {
      if (!/^[A-Z]+ \/\S*$/.test(route))
        throw new TypeError(`a route of the service ${name} must be like 'GET /items/:id', got '${route}'`);
    }
    // seam: a handler is called with the parameters of its own route.
    return { name, handlers: handlers as Readonly<Record<string, ServiceHandler>>, options };
  },
};

/** A handler with the parameters of a request. */
export interface Routed {
  readonly handler: ServiceHandler;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the path of a request below the address of a service; `undefined` if it goes elsewhere. */
export function pathBelow({ name, options }: SimulatedService, url: URL): string | undefined {
  if (options.url === undefined) return url.hostname === name ? url.pathname : undefined;
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/$/, '');
  const isBelow = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  return url.origin === base.origin && isBelow ? url.pathname.slice(prefix.length) || '/' : undefined;
}

/** Returns the handler of a request; `undefined` if there is none. The first route that matches counts. */
export function routed({ handlers }: SimulatedService, method: string, path: string): Routed | undefined {
  for (const [route, handler] of Object.entries(handlers)) {
    const [verb, pattern = ''] = route.split(' ');
    const params = verb === method ? paramsOf(pattern.split('/'), path.split('/')) : undefined;
    if (params !== undefined) return { handler, params };
  }
  return undefined;
}

function paramsOf(
  pattern: readonly string[],
  path: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = Object.create(null);
  for (const [index, part] of pattern.entries()) {
    const actual = path[index] ?? '';
    if (part.startsWith(':') && actual !== '') params[part.slice(1)] = decoded(actual);
    else if (part !== actual) return undefined;
  }
  return params;
}

/** Text that is not percent-encoded correctly stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
