/** Requests as writes that are compared with the cache. Pure. */

import { parseBytes } from '@kgen/runtime/objects';
import type { RESTRequest } from '@kgen/runtime/rest';
import type { WriteRequest } from '../apply/noop-writes.ts';
import { metadataString } from '../members.ts';
import type { RequestTarget } from './request-target.ts';

/** Members of a write that do not follow from its request. */
interface SentBy extends Pick<WriteRequest, 'fieldManager' | 'scope'> {
  /** Default: the form of the request. */
  readonly verb?: 'other';
}

/** A write, whose body is read on demand: that of most writes that are skipped is not. */
export class SentRequest implements WriteRequest {
  readonly verb: WriteRequest['verb'];
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string | undefined;
  readonly fieldManager: string;
  readonly scope: object | undefined;
  readonly source: unknown;
  readonly text: string | undefined;
  readonly #request: RESTRequest;
  #body: unknown;
  #isRead = false;

  constructor(request: RESTRequest, target: RequestTarget, { fieldManager, scope, verb }: SentBy) {
    const { body } = request;
    this.verb = verb ?? comparableVerb(request, target);
    this.group = target.group;
    this.version = target.version;
    this.resource = target.resource;
    this.namespace = target.namespace ?? '';
    this.subresource = target.subresource;
    this.fieldManager = fieldManager;
    this.scope = scope;
    this.source = request.source;
    this.text = typeof body === 'string' && request.object === undefined ? body : undefined;
    this.#request = request;
    this.name = target.name ?? metadataString(this.body, 'name') ?? '';
  }

  get body(): unknown {
    if (!this.#isRead) this.#body = bodyOf(this.#request);
    this.#isRead = true;
    return this.#body;
  }
}

/**
 * Returns the body of a request as JSON, with all digits of integers beyond 2^53; `undefined` if it has none,
 * or one that is not JSON.
 */
export function bodyOf({ object, body }: Pick<RESTRequest, 'object' | 'body'>): unknown {
  if (object !== undefined) return object;
  if (typeof body !== 'string') return undefined;
  try {
    return longDigits.test(body) ? parseBytes(Buffer.from(body)) : JSON.parse(body);
  } catch {
    return undefined;
  }
}

const longDigits = /\d{16}/;

/** Writes that can be compared with the cache: those of one object with a readable body. */
function comparableVerb(request: RESTRequest, { name, subresource }: RequestTarget): WriteRequest['verb'] {
  if (name === undefined || (subresource !== undefined && subresource !== 'status')) return 'other';
  if (request.method === 'PUT') return subresource === 'status' ? 'updateStatus' : 'other';
  if (request.method !== 'PATCH') return 'other';
  const type = headerOf(request, 'content-type') ?? '';
  if (type.startsWith('application/apply-patch')) return 'apply';
  return emptyPatches.get(type) === request.body ? 'patch' : 'other';
}

/** Bodies of patches that contain no change, by media type. */
const emptyPatches: ReadonlyMap<string, string> = new Map([
  ['application/json-patch+json', '[]'],
  ['application/merge-patch+json', '{}'],
  ['application/strategic-merge-patch+json', '{}'],
]);

function headerOf({ headers = {} }: RESTRequest, name: string): string | undefined {
  return Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
}
