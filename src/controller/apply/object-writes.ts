/** Writes of this process to one object, as far as later ones are compared with them. Pure. */

import { type JsonObject, metadataString } from '../members.ts';
import type { WriteRequest } from './noop-writes.ts';
import { isOlder } from './write-comparison.ts';

/** Writes of this process to one object. Operators have as many of them as objects: their parts are few. */
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

/** Records that a write is sent. `content` is `undefined` for one that is not comparable. */
export function begin(state: ObjectWrites, request: WriteRequest, content: WriteContent | undefined): void {
  if (content === undefined) forgetWrites(state);
  else expect(state, request, content);
  state.open += 1;
  state.isCached = false;
}

/** Records the end of a write. */
export function end(state: ObjectWrites, isComparable: boolean): void {
  state.open -= 1;
  if (!isComparable) forgetWrites(state);
}

/** Records a response; it contains the effect of a lost one before it, if the write began after that. */
export function confirm(
  state: ObjectWrites,
  scope: object | undefined,
  response: JsonObject | undefined,
  isCertain: boolean,
): void {
  state.confirmed = confirmation(state.confirmed, scope, response);
  if (isCertain) state.isUncertain = false;
}

function confirmation(
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

/** Records that the server may have executed a write whose response was lost. */
export function doubt(state: ObjectWrites): void {
  state.isUncertain = true;
}

/** Forgets the results of all writes. */
export function forgetAll(state: ObjectWrites): void {
  forgetWrites(state);
  state.confirmed = undefined;
}

/** A write that is not comparable may change the effect of every other one. */
function forgetWrites(state: ObjectWrites): void {
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

/** Records the object after a write. */
export function remember(last: LastWrite, scopes: Scopes, result: WriteResult): void {
  last.scopes = scopes;
  last.isDisputed = false;
  last.repeats = undefined;
  last.result = result;
}

/** Records that a write must be sent once more, with the version of its response. */
export function repeat(last: LastWrite, response: JsonObject): void {
  last.repeats = metadataString(response, 'resourceVersion');
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

/**
 * Records that the object is in the same state in a newer version. Its uid replaces the equal one of the
 * response, as the cache keeps it anyway.
 */
export function renew(result: WriteResult, confirmed: Confirmation | undefined, object: JsonObject): void {
  const uid = metadataString(object, 'uid');
  result.version = metadataString(object, 'resourceVersion');
  result.uid = uid;
  if (confirmed !== undefined && confirmed.uid === uid) confirmed.uid = uid;
}
