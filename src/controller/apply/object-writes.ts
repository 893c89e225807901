/** Writes of this process to one object, as far as later ones are compared with them. Pure. */

import { type JsonObject, metadataString } from '../members.ts';
import type { WriteRequest } from './noop-writes.ts';
import { isOlder } from './write-comparison.ts';

/** Writes of this process to one object. Operators have as many of them as objects: few members, few parts. */
export interface ObjectWrites {
  /** Last comparable write by its manager, form and subresource, whatever the version of the API. */
  last: readonly LastWrite[];
  /** Number of writes that were sent and have not ended. */
  open: number;
  /** Number of beginnings and ends of writes that are not comparable. */
  opaque: number;
  /** Whether the server may have executed a write whose response was lost. */
  isUncertain: boolean;
  /** Whether nothing was sent: the cached object was as desired. */
  isCached: boolean;
  /** Newest version in a response. Older cached objects do not contain the writes of this process. */
  confirmed: Confirmation | undefined;
}

/** The newest response. */
export interface Confirmation {
  readonly scope: object | undefined;
  uid: string | undefined;
  readonly version: string | undefined;
}

/** Ownerships. */
export type Scopes = readonly (object | undefined)[];

/** Form and manager of writes: field managers are those of an object, whatever the version of the API. */
type Writer = Pick<WriteRequest, 'verb' | 'fieldManager'> & { readonly subresource: string };

/** Content of a write. */
export interface WriteContent {
  /** Digest of the body, whatever the order of its members. */
  readonly digest: string;
  /** Digest of the text of a body without preconditions: an equal text is an equal body. */
  readonly text: string | undefined;
}

/** Last write of a manager to an object. */
export interface LastWrite extends Writer {
  readonly content: WriteContent;
  /** Ownerships in which the body was sent since another one was. */
  scopes: Scopes;
  /** Object after the write. `undefined` until the response arrives. */
  result: WriteResult | undefined;
  /** Whether another body was sent before, without a response: it may take effect at any time. */
  isDisputed: boolean;
  /** Version of the response that must be repeated, because the server did not store the whole body. */
  repeats: string | undefined;
}

/** Object after a write. */
export interface WriteResult {
  /** Whether only the version proves that nothing has changed. */
  readonly isExact: boolean;
  uid: string | undefined;
  /** Newest resourceVersion with this content. */
  version: string | undefined;
  /** Digest of the content. */
  readonly digest: string;
  /** Digest of the owned fields after an apply. */
  readonly owned: string | undefined;
}

/** Returns the state of an object to which nothing was written. */
export function newState(): ObjectWrites {
  return {
    last: none,
    open: 0,
    opaque: 0,
    isUncertain: false,
    isCached: true,
    confirmed: undefined,
  };
}

/** A write that is not comparable may change the effect of every other one. */
export function forgetWrites(state: ObjectWrites): void {
  state.opaque += 1;
  state.isCached = false;
  state.last = none;
}

/** Replaces the last write by one without a result: until its response arrives, nothing is skipped. */
export function expect(state: ObjectWrites, request: WriteRequest, content: WriteContent): LastWrite {
  const last = lastOf(state, request);
  const isSame = last?.content.digest === content.digest;
  const next: LastWrite = {
    verb: request.verb,
    subresource: subresourceOf(request),
    fieldManager: request.fieldManager,
    content,
    scopes: last !== undefined && isSame ? last.scopes : none,
    result: undefined,
    isDisputed: last !== undefined && ((last.result === undefined && !isSame) || last.isDisputed),
    repeats: isSame ? last?.repeats : undefined,
  };
  const others = state.last.filter((each) => each !== last);
  // A literal has no room for more items.
  state.last = others.length === 0 ? [next] : [...others, next];
  return next;
}

/** The empty list of all objects. */
const none: readonly [] = [];

/** Returns the last write of the same form and manager. */
export function lastOf({ last }: ObjectWrites, request: WriteRequest): LastWrite | undefined {
  const { verb, fieldManager } = request;
  const subresource = subresourceOf(request);
  return last.find(
    (each) => each.verb === verb && each.fieldManager === fieldManager && each.subresource === subresource,
  );
}

/** Paths contain a text of their own for each request, which would be kept for each object. */
function subresourceOf({ verb, subresource = '' }: WriteRequest): string {
  return verb === 'updateStatus' ? 'status' : subresource;
}

/** Keeps the text of the uid that the cache has, in place of the equal one of the response. */
export function shareUid(result: WriteResult, confirmed: Confirmation | undefined, object: JsonObject): void {
  const uid = metadataString(object, 'uid');
  result.uid = uid;
  if (confirmed !== undefined && confirmed.uid === uid) confirmed.uid = uid;
}

/** Returns the newest response of two. */
export function confirmation(
  before: Confirmation | undefined,
  scope: object | undefined,
  response: JsonObject | undefined,
): Confirmation | undefined {
  const version = metadataString(response, 'resourceVersion');
  if (version === undefined) return undefined;
  const uid = metadataString(response, 'uid');
  // Responses of overlapping writes arrive in any order.
  const isLate = before?.uid === uid && isOlder(version, before?.version);
  return { scope, uid, version: isLate ? before?.version : version };
}
