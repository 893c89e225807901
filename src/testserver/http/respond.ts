/** Headers and bodies of complete responses. */
import { type Problem, statusOf } from '../errors/status.ts';
import { type Encoding, jsonEncoding } from '../request/encoding.ts';
import { type ApiResponse, noSniff } from '../request/request.ts';

/** Headers of a response. Several values of one name are several headers. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A complete response. */
export interface CompleteResponse {
  readonly code: number;
  readonly headers: ResponseHeaders;
  readonly body: string | Uint8Array;
}

/**
 * Returns the response of a result. A promise, if its encoding has to be loaded.
 * @param otherwise encoding of a result without one
 */
export function responseOf(
  response: Exclude<ApiResponse, { readonly kind: 'watch' | 'stream' | 'upgrade' }>,
  otherwise: Encoding,
): CompleteResponse | Promise<CompleteResponse> {
  if (response.kind === 'text') {
    const { contentType = 'text/plain; charset=utf-8', headers = {} } = response;
    return complete(response.code, contentType, headers, response.text);
  }
  if (response.kind === 'failure')
    return failureResponse(response.problem, response.warnings, response.encoding ?? otherwise);
  const { encoding = otherwise, code } = response;
  const type = response.contentType ?? encoding.contentType;
  const headers = { ...warningHeaders(response.warnings), ...response.headers };
  const body = encoding.body(response.body);
  if (!(body instanceof Promise)) return complete(code, type, headers, body);
  return body.then((bytes) => complete(code, type, headers, bytes));
}

/** Returns the Status of a failure, with Retry-After if it has one. */
export function failureResponse(
  problem: Problem,
  warnings: readonly string[] = [],
  encoding: Encoding = jsonEncoding,
): CompleteResponse | Promise<CompleteResponse> {
  const seconds = problem.details?.retryAfterSeconds;
  const retry = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  const sniff = problem.noSniff === true ? noSniff : {};
  const headers = { ...warningHeaders(warnings), ...retry, ...sniff };
  const body = encoding.body(statusOf(problem));
  const { contentType } = encoding;
  if (!(body instanceof Promise)) return complete(problem.code, contentType, headers, body);
  return body.then((bytes) => complete(problem.code, contentType, headers, bytes));
}

function complete(
  code: number,
  type: string,
  headers: ResponseHeaders,
  body: string | Uint8Array,
): CompleteResponse {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  return { code, headers: { ...contentHeaders(type), ...headers, ...length }, body };
}

/** Returns the headers of a response, or of a watch, with content of a type. */
export function contentHeaders(type: string): ResponseHeaders {
  return { ...(type === '' ? {} : { 'Content-Type': type }), 'Cache-Control': 'no-cache, private' };
}

/** Returns warnings as `299 - "text"` headers, one each. */
export function warningHeaders(warnings: readonly string[]): Readonly<Record<string, readonly string[]>> {
  if (warnings.length === 0) return {};
  return { Warning: warnings.map((text) => `299 - "${quote(text)}"`) };
}

/**
 * Returns a quoted string for a header: without control characters, with escaped quotes and backslashes.
 * Servers write UTF-8; Node writes a header with one byte per character.
 */
function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no header can hold.
  const quoted = text.replace(/[\u0000-\u001f\u007f]/g, '?').replace(/["\\]/g, '\\$&');
  return Buffer.from(quoted, 'utf8').toString('latin1');
}
