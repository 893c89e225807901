/** The external services of one run: their state is kept in the store of the cluster. */
import { type JsonObject, own, text } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import type { ArmedFaults } from '@kgen/testserver/internal/http/faults';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { Store, StoreContent } from '@kgen/testserver/internal/store/store';
import { pathBelow, routed, type ServiceItems, type SimulatedService } from './service.ts';

/** Parts of a cluster that serve services. */
export interface ServicesScope {
  readonly services: readonly SimulatedService[];
  readonly store: Pick<Store, 'get' | 'put' | 'remove' | 'list'>;
  readonly faults: Pick<ArmedFaults, 'take'>;
  readonly time: { now(): number; timer(ms: number, callback: () => void): unknown };
  /** Called for each request, before it has an effect. */
  readonly onRequest: (request: LoggedRequest) => void;
}

/** A request that an operator sends with `fetch`, to a service that exists. */
export interface ServiceCall {
  readonly service: SimulatedService;
  /** Path below the address of the service. */
  readonly path: string;
  readonly request: Request;
  readonly body: string;
}

/** Returns the key under which the items of a service are stored, as those of a resource. */
export function resourceOf({ name }: SimulatedService): string {
  return `${name} (service)`;
}

/** Returns whether a verb is a method of requests to services: verbs of the API are in lower case. */
export function isServiceVerb(verb: string): boolean {
  return verb === verb.toUpperCase();
}

/** Begin of the names that services choose. */
const prefix = 'item-';

/** Methods that change nothing. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether requests with a method may change items. */
export function mayChange(method: string): boolean {
  return !safeMethods.has(method);
}

/** Adds the items with which services begin. */
export function withItems(content: StoreContent, services: readonly SimulatedService[]): StoreContent {
  const items = services.map((service) => {
    const entries = Object.entries(service.options.items ?? {});
    return [
      resourceOf(service),
      entries.map(([name, value]) => [name, stored(name, value)] as const),
    ] as const;
  });
  return new Map([...content, ...items]);
}

/** A request whose status is set by its response. */
type Responded = Omit<LoggedRequest, 'status'> & { status: number | undefined };

/**
 * Returns whether an item of a service may exist after the deletion of all objects of users; `undefined` for
 * a resource of the cluster.
 */
export function itemOutlives(
  services: readonly SimulatedService[],
  resource: string,
  item: JsonObject,
): boolean | undefined {
  const service = services.find((each) => resourceOf(each) === resource);
  const name = text(item, 'metadata', 'name');
  return service && (service.options.outlives?.(name, own(item, 'value')) ?? false);
}

/** Serves the services of a run. */
export class ServedServices {
  readonly #scope: ServicesScope;
  /** Number of names that services have chosen. */
  #added = 0;

  constructor(scope: ServicesScope) {
    this.#scope = scope;
  }

  /** Storage keys of their items. */
  get resources(): readonly string[] {
    return this.#scope.services.map(resourceOf);
  }

  /** Returns the service to which a request goes, and the path below its address; `undefined` without one. */
  find(url: URL): Pick<ServiceCall, 'service' | 'path'> | undefined {
    for (const service of this.#scope.services) {
      const path = pathBelow(service, url);
      if (path !== undefined) return { service, path };
    }
    return undefined;
  }

  /**
   * Responds to a request, or to none.
   * @throws {TypeError} as `fetch` does if the connection is lost
   */
  async respond(call: ServiceCall): Promise<Response> {
    const { faults, onRequest } = this.#scope;
    const logged: Responded = this.#logged(call);
    onRequest(logged);
    const fault = faults.take(logged) ?? {};
    if (fault.delayMs !== undefined) await this.#pause(fault.delayMs);
    if (fault.cut === 'before') throw lost(logged);
    const { status, retryAfterSeconds } = fault;
    const response =
      status === undefined
        ? this.#handled(call)
        : new Response(`the simulation responds with ${status}`, {
            status,
            headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
          });
    if (fault.cut === 'after') throw lost(logged);
    logged.status = response.status;
    return response;
  }

  #handled({ service, path, request, body }: ServiceCall): Response {
    const { method, headers } = request;
    const found = routed(service, method, path);
    if (found === undefined) {
      const known = Object.keys(service.handlers).join(', ');
      return new Response(`the service ${service.name} has no route ${method} ${path}, only ${known}`, {
        status: 404,
      });
    }
    const { handler, params } = found;
    const value = { method, url: new URL(request.url), params, headers, body: contentOf(headers, body) };
    try {
      return responseOf(handler(value, this.#itemsOf(service)));
    } catch (error) {
      throw new Error(`the handler of ${method} ${path} of the service ${service.name} failed`, {
        cause: error,
      });
    }
  }

  #itemsOf(service: SimulatedService): ServiceItems {
    const { store } = this.#scope;
    const resource = resourceOf(service);
    const get = (name: string): unknown => own(store.get(resource, name), 'value');
    return {
      get,
      set: (name, value) => {
        // A write that changes nothing is not a change.
        const before = store.get(resource, name);
        if (before !== undefined && writeJson(get(name) ?? null) === writeJson(value)) return;
        store.put(resource, name, stored(name, value, text(before, 'metadata', 'generateName')));
      },
      add: (value) => {
        const name = this.#newName(resource);
        store.put(resource, name, stored(name, value, prefix));
        return name;
      },
      delete: (name) => store.remove(resource, name) !== undefined,
      entries: () => store.list(resource).map(([name, value]) => [name, own(value, 'value')]),
    };
  }

  /** Names are not used again: an operator must not find the item of another one under a former name. */
  #newName(resource: string): string {
    this.#added += 1;
    const name = `${prefix}${this.#added}`;
    return this.#scope.store.get(resource, name) === undefined ? name : this.#newName(resource);
  }

  #logged({ service, path, request }: ServiceCall): Responded {
    const { method, url } = request;
    return {
      ...{ method, path, user: '', userAgent: '', verb: method, group: '', resource: service.name },
      ...{ subresource: '', namespace: '', name: path, time: this.#scope.time.now(), status: undefined },
      query: Object.fromEntries(new URL(url).searchParams),
    };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#scope.time.timer(ms, resolve);
    });
  }
}

function responseOf(result: unknown): Response {
  if (result instanceof Response) return result;
  if (result === undefined) return new Response(null, { status: 204 });
  return typeof result === 'string' ? new Response(result) : Response.json(result);
}

/** Returns an item as an object of the store. */
function stored(name: string, value: unknown, generateName = ''): JsonObject {
  const metadata = { name, ...(generateName === '' ? {} : { generateName }) };
  // Values of handlers may be changed by them later.
  return { metadata, value: readJson(writeJson(value)) };
}

function lost({ method, resource, path }: LoggedRequest): TypeError {
  const cause = Object.assign(new Error(`${method} ${resource}${path}: the connection was cut`), {
    code: 'ECONNRESET',
  });
  return new TypeError('fetch failed', { cause });
}

/** Returns the content of a request. */
function contentOf(headers: Headers, body: string): unknown {
  if (body === '') return undefined;
  if (headers.get('content-type')?.includes('json') !== true) return body;
  try {
    return readJson(body);
  } catch {
    return body;
  }
}
