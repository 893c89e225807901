/** Validation of requests before a connection is used, the same with and without a proxy. */

import type { RequestOperation } from '../../api/operation.ts';
import { describeOperation } from '../../api/operation.ts';
import { printable } from '../../common/printable.ts';

/** A request as a connection receives it. */
export interface WireRequest {
  readonly method: string;
  /** Escaped path and query; the whole URL for a proxy that forwards plain HTTP. */
  readonly target: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body?: string | Uint8Array | undefined;
}

/** Method and header names. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/**
 * Characters that Node's HTTP/1.1 rejects in a value: control characters, and characters of more than one
 * byte.
 */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;
/**
 * All but the characters that RFC 3986 allows in paths and queries, and brackets, which Go's URLs accept too.
 */
const illegal = /[^\w\-.~!$&'()*+,;=:@/?[\]%]/u;

/** Headers of the connection or its framing, which callers must not set. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Maximum characters of a name or a path in a message. */
const shownLength = 200;

/**
 * Checks a request before it is sent on a connection.
 * @throws {TypeError} if the method, path or a header cannot be sent unchanged; the message names the request
 * and the part, without header values
 */
export function checkSendable(request: WireRequest, operation: RequestOperation): void {
  const problem = problemOf(request);
  if (problem !== undefined) throw new TypeError(`${shown(describeOperation(operation))}: ${problem}`);
}

/** Returns a part of a request for messages: without control characters, and shortened. */
function shown(text: string): string {
  const clean = printable(text);
  return clean.length > shownLength ? `${clean.slice(0, shownLength)}…` : clean;
}

function problemOf(request: WireRequest): string | undefined {
  const { method, target } = request;
  if (!token.test(method)) return `${JSON.stringify(shown(method))} is not a method`;
  return problemOfTarget(target) ?? problemOfHeaders(request);
}

function problemOfTarget(target: string): string | undefined {
  if (!illegal.test(target)) return undefined;
  const [character = ''] = illegal.exec(target) ?? [];
  return `the path has the character ${codePoint(character)}, which URLs cannot contain; escape it with encodeURIComponent`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function problemOfHeaders(request: WireRequest): string | undefined {
  const { headers } = request;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const problem = problemOfHeader(String(headers[at]).toLowerCase(), String(headers[at + 1]), request);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfHeader(name: string, value: string, { body }: WireRequest): string | undefined {
  if (!token.test(name)) {
    return `${JSON.stringify(shown(name))} is not a valid header name; names consist of letters, digits and hyphens`;
  }
  if (ofTheConnection.has(name) || (name === 'te' && value !== 'trailers')) {
    return `the header ${name} is set by the connection; omit it`;
  }
  if (name === 'content-length') return problemOfLength(value, body);
  if (!unsendable.test(value)) return undefined;
  const [character = ''] = unsendable.exec(value) ?? [];
  return (
    `the value of the header ${shown(name)} has the character ${codePoint(character)}, which headers cannot contain; ` +
    'remove line breaks and control characters, and escape characters outside Latin-1'
  );
}

function problemOfLength(value: string, body: WireRequest['body']): string | undefined {
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  return value === String(length)
    ? undefined
    : 'the header content-length differs from the length of the body; omit it';
}
