/**
 * Conversion of error responses to `ApiError`, from the API server or an intermediary. Loaded with the first
 * failure.
 */

import { ApiError, isDecodeError } from '../../api/errors.ts';
import { describeGroup } from '../../api/group-version.ts';
import type { Status, StatusCause, StatusDetails } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { decodeText } from '../../codec/json.ts';
import { type Fields, isFields, member } from '../../common/fields.ts';
import { hideCredentials, readableText } from '../../common/readable.ts';
import type { ClusterConfig } from '../../config/types.ts';
import { heldResponse } from './buffered-response.ts';
import { reasonOf } from './failure-messages.ts';
import { hintsOf, noteHint } from './hints.ts';
import { readSome } from './read-body.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** Parses a `Status`; returns `undefined` for other values. Members of a wrong type are omitted. */
export function readStatus(value: unknown): Partial<Status> | undefined {
  if (!isFields(value) || value['kind'] !== 'Status') return undefined;
  const details = readDetails(value['details']);
  const metadata = isFields(value['metadata']) ? value['metadata'] : {};
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: { ...text(metadata, 'continue'), ...text(metadata, 'resourceVersion') },
    ...text(value, 'status'),
    ...text(value, 'message'),
    ...text(value, 'reason'),
    ...number(value, 'code'),
    ...(details !== undefined && { details }),
  };
}

function number<Name extends string>(fields: Fields, name: Name): { [K in Name]?: number } | undefined {
  const value = member(fields, name);
  // The key is the literal that the result's type names.
  return typeof value === 'number' ? ({ [name]: value } as { [K in Name]: number }) : undefined;
}

/**
 * Returns a member that is a string, with credentials hidden: some servers repeat the request that they
 * reject.
 */
function text<Name extends string>(fields: Fields, name: Name): { [K in Name]?: string } | undefined {
  const value = member(fields, name);
  // The key is the literal that the result's type names.
  return typeof value === 'string' && value !== ''
    ? ({ [name]: hideCredentials(value) } as { [K in Name]: string })
    : undefined;
}

function readDetails(value: unknown): StatusDetails | undefined {
  if (!isFields(value)) return undefined;
  const causes = readCauses(value['causes']);
  return {
    ...text(value, 'name'),
    ...text(value, 'group'),
    ...text(value, 'kind'),
    ...text(value, 'uid'),
    ...number(value, 'retryAfterSeconds'),
    ...(causes !== undefined && { causes }),
  };
}

function readCauses(value: unknown): StatusCause[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .filter(isFields)
    .map((cause) => ({ ...text(cause, 'field'), ...text(cause, 'message'), ...text(cause, 'reason') }));
}

/** Returns a `Status` that reports a failure. */
export function readFailure(value: unknown): Partial<Status> | undefined {
  const status = readStatus(value);
  return status?.status === 'Failure' ? status : undefined;
}

/** Maximum characters of a page that are parsed. */
const pageLength = 16_384;
/** Maximum bytes of an HTML page in a message: its title and first words identify the proxy that sent it. */
const markupBytes = 200;

/** Parts of a response that make an error. */
export interface FailedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its beginning. */
  readonly body: Uint8Array;
}

/**
 * Returns the error for an error response. `Retry-After` is added to the details if those of the server lack
 * it.
 * @param response key of the hints of `noteHint`
 */
export function failureOf(reply: FailedResponse, request: APIRequest, response?: object): ApiError {
  const own = readFailure(parsed(reply.body));
  const options = { hint: hintOf(reply, own, request, response) };
  if (own === undefined) return new ApiError(genericStatus(reply, request), request.operation, options);
  const seconds = own.details?.retryAfterSeconds ?? retryAfterSeconds(reply.headers);
  const details = { ...own.details, ...(seconds !== undefined && { retryAfterSeconds: seconds }) };
  const code = own.code ?? reply.status;
  // A failure without reason and message gets those of its status code.
  const silent = own.reason === undefined && own.message === undefined;
  const [reason, message] = reasonOf(code, request.method);
  const words = silent ? { reason, message } : {};
  return new ApiError({ ...own, ...words, code, details }, request.operation, options);
}

function hintOf(
  reply: FailedResponse,
  own: Partial<Status> | undefined,
  request: APIRequest,
  response: object | undefined,
): string | undefined {
  const hint = (response && hintsOf(response)) ?? lostPath(reply, own, request) ?? needsTls(reply);
  return [...preventingBudgets(own), hint].filter(Boolean).join('; ') || undefined;
}

/**
 * Returns a hint if the path of a request does not exist: a server that supports the resource names the
 * missing object in its error, and responds to other paths without a name or with a page.
 */
function lostPath(
  response: FailedResponse,
  own: Partial<Status> | undefined,
  request: APIRequest,
): string | undefined {
  const { path, operation } = request;
  const isStatus = own?.code === 404 && own.details !== undefined && !own.details.name;
  const isPage = own === undefined && response.status === 404;
  if (!(isStatus || isPage) || operation.resource === path) return undefined;
  const what = resourceOf(path, operation.resource);
  if (what === undefined && isPage) return undefined;
  const found = what === undefined ? `path ${path} not found` : `looked for ${what} at ${path}`;
  return `${found}: is that the plural, is its API served, does it need a namespace?`;
}

/** Returns the resource and the group version of a path: `resource "pods" in group "apps", version "v1"`. */
function resourceOf(path: string, resource: string): string | undefined {
  const [, group = '', version] = /^\/(?:api|apis\/([^/]+))\/([^/]+)\//.exec(path) ?? [];
  if (version === undefined) return undefined;
  return `resource ${JSON.stringify(resource)} in ${describeGroup(group)}, version ${JSON.stringify(version)}`;
}

/**
 * Returns the disruption budgets that prevent an eviction: the message of the status does not name them.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/
 */
function preventingBudgets(status: Partial<Status> | undefined): string[] {
  const causes = status?.details?.causes ?? [];
  return causes.flatMap(({ reason, message }) =>
    reason === 'DisruptionBudget' && message ? [readableText(message)] : [],
  );
}

/**
 * Returns a hint if the server expects TLS, as Go's servers respond to HTTP. A configuration without a scheme
 * and TLS settings uses HTTP.
 */
function needsTls({ status, body }: FailedResponse): string | undefined {
  const isPlain = status === 400 && /^Client sent an HTTP request to an HTTPS server/.test(decodeText(body));
  return isPlain ? 'write the server of the configuration with https://' : undefined;
}

function parsed(body: Uint8Array): unknown {
  const content = decodeText(body);
  if (!/^\s*\{/.test(content)) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    // Not JSON despite its declaration: the message is the text of the body.
    return undefined;
  }
}

function genericStatus(response: FailedResponse, request: APIRequest): Partial<Status> {
  const contentType = response.headers['content-type'] ?? '';
  const [reason, words] = reasonOf(response.status, request.method);
  const redirected = response.status >= 300 && response.status < 400;
  const message = redirected ? redirection(response.headers) : words;
  const isText = contentType === '' || /^text\//i.test(contentType);
  // The page of a redirect repeats its whole URL.
  const stated = redirected
    ? ''
    : gatewayMessage(response.body) || (isText ? pageOf(response, contentType) : '');
  const { name, resource } = request.operation;
  const seconds = retryAfterSeconds(response.headers);
  return {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    code: response.status,
    reason,
    message: stated === '' ? message : `${message}: ${stated}`,
    details: {
      ...(name !== undefined && { name }),
      kind: resource,
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      causes: [{ reason: 'UnexpectedServerResponse', message: stated === '' ? 'no explanation' : stated }],
    },
  };
}

/** Response of Go's servers to a path without a handler, which adds nothing to the message of a 404. */
const goNotFound = '404 page not found';

function pageOf(response: FailedResponse, contentType: string): string {
  const stated = readable(decodeText(response.body), contentType);
  return response.status === 404 && stated === goNotFound ? '' : stated;
}

/** Members of JSON bodies in which gateways describe a failure, including those of RFC 9457. */
const messageMembers = ['message', 'error_description', 'detail', 'error', 'title', 'errors', 'msg', 'fault'];

/** Maximum levels of objects and lists around a message. */
const messageLevels = 3;

/** Returns the message of a JSON body that is not a `Status`; `''` if it has none. */
function gatewayMessage(body: Uint8Array): string {
  return readableText(messageIn(parsed(body), messageLevels));
}

function messageIn(value: unknown, levels: number): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isFields(first) || levels === 0) return '';
  for (const name of messageMembers) {
    const inner = member(first, name);
    const found = typeof inner === 'string' ? inner : messageIn(inner, levels - 1);
    if (found.trim() !== '') return found;
  }
  return '';
}

/** Describes the target of a redirect: only its host, as the rest of the URL may contain credentials. */
function redirection(headers: Readonly<Record<string, string>>): string {
  const to = headers['location'] ?? '';
  const plain = 'the server redirects to another address, which is not followed';
  if (to === '' || !URL.canParse(to, 'http://same.invalid')) return plain;
  const { protocol, host } = new URL(to, 'http://same.invalid');
  if (host === 'same.invalid') return 'the server redirects to another path, which is not followed';
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp
    ? `the server redirects to ${protocol}//${host}, which is not followed; is that, or a login page, in between?`
    : plain;
}

/** Returns the text of a page without markup, on one line. */
function readable(body: string, contentType: string): string {
  const page = body.slice(0, pageLength);
  const isMarkup = /html/i.test(contentType) || /^\s*</.test(page);
  if (!isMarkup) return readableText(body);
  const words = page.replaceAll(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, ' ').replaceAll(/<[^>]*>?/g, ' ');
  return readableText(words, markupBytes);
}

/** Prefix of every object in protobuf, regardless of the declared content type. */
const beginning = Buffer.from('k8s\0');

/** Returns the error for an error response in JSON, protobuf or another format. See `failureOf`. */
export async function readFailureOf(
  reply: FailedResponse,
  request: APIRequest,
  response?: object,
): Promise<ApiError> {
  const readable = isEnvelope(reply.body) ? await inJson(reply, request) : reply;
  return failureOf(readable, request, response);
}

/** Returns the same response in JSON. */
async function inJson(response: FailedResponse, { operation }: APIRequest): Promise<FailedResponse> {
  const { decodeResponse } = await import('../../protobuf/response/response.ts');
  const options = { apiVersion: 'v1', kind: 'Status', codecs: new Map(), keepUnknown: true };
  try {
    const status = await decodeResponse(heldResponse(response, response.body), operation, options);
    return { ...response, body: Buffer.from(JSON.stringify(status)) };
  } catch (error) {
    // Not protobuf despite its prefix: only the status code remains.
    if (isDecodeError(error)) return response;
    throw error;
  }
}

function isEnvelope(body: Uint8Array): boolean {
  return beginning.equals(body.subarray(0, beginning.length));
}

/** Maximum bytes of an error response that are read: more than any `Status` has. */
const failureBytes = 1024 * 1024;

/** Reads an error response and returns its error. */
export async function errorOf(
  response: APIResponse,
  request: APIRequest,
  config: ClusterConfig,
): Promise<ApiError> {
  const { status, headers } = response;
  if (status === 401 && request.headers['authorization'] === undefined) {
    const { whyUnauthorized } = await import('./unauthorized.ts');
    const why = await whyUnauthorized(config);
    if (why !== undefined) noteHint(response, why);
  }
  const body = await readSome(response, failureBytes);
  return readFailureOf({ status, headers, body }, request, response);
}

/** Throws if the body of a successful response is a `Status` that reports a failure. */
export function throwFailure(value: unknown, operation: RequestOperation): void {
  const failure = readFailure(value);
  if (failure !== undefined) throw new ApiError(failure, operation);
}
