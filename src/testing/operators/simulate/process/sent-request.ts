/** Requests of a simulated process. */
import type { APIRequest } from '@kgen/runtime/rest';
import { type Json, text } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { parseTarget } from '@kgen/testserver/internal/http/target';
import { administrator } from '@kgen/testserver/internal/identity/user';
import { attributesOf } from '@kgen/testserver/internal/request/attributes';
import type { SimulatedWrite } from '../coverage.ts';
import { isBookkeeping, targetOf } from '../history.ts';
import { callSite } from './call-site.ts';
import type { BegunCall } from './reconcile-call.ts';
import { mayChange } from './services/served-services.ts';
import type { SimulatedService } from './services/service.ts';

/** A request of a process. */
export interface SentRequest {
  /** `undefined` for a request to an external service. */
  readonly request: APIRequest | undefined;
  /** `undefined` for a request that changes nothing. */
  readonly write: SimulatedWrite | undefined;
  /** The reconcile that sends it; `undefined` for other requests. */
  readonly call: BegunCall | undefined;
  /** Whether the process crashes at it. */
  readonly crash: 'before' | 'after' | undefined;
}

/** A write of a reconcile. */
export interface ReconcileWrite {
  readonly write: SimulatedWrite;
  /** Name of the controller. */
  readonly controller: string;
  /** Path of the object in the API; that of the resource for a creation, and empty for a service. */
  readonly path: string;
}

/** Delays writes of reconciles. */
export interface WriteGate {
  /** Returns a promise that settles when a write may be sent; `undefined` for at once. Never rejects. */
  holds(sent: ReconcileWrite): Promise<void> | undefined;
  /** Called for each write that has had its effect. */
  wrote(sent: ReconcileWrite): void;
}

/** Returns the write of a request that is being sent; `undefined` if it changes nothing. */
export function writeOf({ method, path, operation }: APIRequest): SimulatedWrite | undefined {
  const target = method === 'GET' ? undefined : parseTarget(path);
  if (target === undefined) return undefined;
  const request = { ...target, method, user: administrator, accept: '', contentType: '', userAgent: '' };
  const attributes = attributesOf(request);
  const resource = targetOf(attributes);
  // The lines of leases and events, which are many, are not shown.
  return { verb: attributes.verb, resource, site: isBookkeeping(resource) ? '' : siteOf(operation) };
}

/** Returns the write of a request to an external service; `undefined` if it changes nothing. */
export function serviceWriteOf({ name }: SimulatedService, { method }: Request): SimulatedWrite | undefined {
  return mayChange(method) ? { verb: method, resource: name, site: callSite() } : undefined;
}

/** Lines by operation: the stack of a retry does not contain the caller. */
const sites = new WeakMap<object, string>();

function siteOf(operation: object): string {
  const site = sites.get(operation) ?? callSite();
  if (site !== '') sites.set(operation, site);
  return site;
}

/** Parts of a write that its path does not contain. */
export interface WriteContent {
  /** Name of the object; with an asterisk at its end if the server generates it. */
  readonly name: string;
  /** Identity in a lease. */
  readonly holder: string;
  readonly body: Json | undefined;
  /** Whether it is a server-side apply. */
  readonly isApply: boolean;
}

/** Returns the content of a write. */
export function contentOf(request: APIRequest): WriteContent {
  const body = bodyOf(request);
  const generated = text(body, 'metadata', 'generateName');
  return {
    name: text(body, 'metadata', 'name') || (generated === '' ? '' : `${generated}*`),
    holder: request.path.includes('/leases') ? text(body, 'spec', 'holderIdentity') : '',
    body,
    isApply: request.headers['content-type']?.startsWith('application/apply-patch') === true,
  };
}

/** Returns the body of a request; its text if it is not JSON, such as YAML; `undefined` if it has none. */
export function bodyOf({ object: value, body }: APIRequest): Json | undefined {
  if (typeof body !== 'string') return value === undefined ? undefined : readJson(writeJson(value));
  try {
    return readJson(body);
  } catch {
    return body;
  }
}
