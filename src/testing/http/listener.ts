import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dispatch } from '../api/dispatch.ts';
import { badRequest, failure } from '../api/failures.ts';
import type { ApiRequest } from '../api/request.ts';
import { Failure, type Problem } from '../api/status.ts';
import type { Store } from '../store/store.ts';
import type { ArmedFaults, LoggedRequest } from './faults.ts';
import { respond, respondFailure } from './respond.ts';
import type { Watches } from './watches.ts';

/** Maximum size of a body in bytes, equal to that of a real API server. */
const bodyLimit = 3 * 1024 * 1024;

/** Maximum number of logged requests. */
const logLimit = 10_000;

/** Paths that need no token. */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version']);

/** Parts that the listener serves. */
export interface ListenerParts {
  readonly store: Store;
  readonly watches: Watches;
  readonly faults: ArmedFaults;
  readonly token: string;
  readonly log: LoggedRequest[];
}

/** Returns an HTTP server for the store, which does not listen yet. */
export function createListener(parts: ListenerParts): Server {
  return createServer((message, response) => {
    void handle(parts, message, response);
  });
}

async function handle(
  parts: ListenerParts,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const logged = logRequest(parts.log, message);
    // The body is always read first, because the connection can be reused only then.
    const request = await readRequest(message);
    authorize(message, logged.path, parts.token);
    const fault = parts.faults.take(logged);
    if (fault !== undefined) throw fault;
    const answer = dispatch(parts.store, request);
    if (answer.kind === 'watch') parts.watches.start(response, answer.plan, answer.warnings);
    else respond(response, answer);
  } catch (error) {
    const { problem } = error instanceof Failure ? error : internal(error);
    if (response.headersSent || response.destroyed) response.destroy();
    else fail(message, response, problem);
  }
}

/** Never throws: a fault may have a status or a header that cannot be sent. */
function fail(message: IncomingMessage, response: ServerResponse, problem: Problem): void {
  try {
    if (message.complete) respondFailure(response, problem);
    else refuseRest(message, response, problem);
  } catch {
    response.destroy();
  }
}

/** Responds to a request whose body was not read completely, and closes the connection. */
function refuseRest(message: IncomingMessage, response: ServerResponse, problem: Problem): void {
  response.setHeader('Connection', 'close');
  response.once('finish', () => message.destroy());
  respondFailure(response, problem);
}

/** A bug of this server: the response contains the stack, because only tests see it. */
function internal(error: unknown): Failure {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return failure(500, 'InternalError', `Internal error occurred: ${detail}`);
}

function logRequest(log: LoggedRequest[], message: IncomingMessage): LoggedRequest {
  const url = new URL(message.url ?? '/', 'http://127.0.0.1');
  const logged = {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    userAgent: message.headers['user-agent'] ?? '',
  };
  if (log.length >= logLimit) log.shift();
  log.push(logged);
  return logged;
}

function authorize(message: IncomingMessage, path: string, token: string): void {
  if (publicPaths.has(path)) return;
  const sent = Buffer.from(message.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (sent.length === wanted.length && timingSafeEqual(sent, wanted)) return;
  throw failure(401, 'Unauthorized', 'Unauthorized');
}

/**
 * Reads the whole request.
 * @throws {Failure} 400 for a path that cannot be decoded, 413 for a body that is too large
 */
async function readRequest(message: IncomingMessage): Promise<ApiRequest> {
  const url = new URL(message.url ?? '/', 'http://127.0.0.1');
  return {
    method: message.method ?? 'GET',
    path: segments(url.pathname),
    query: url.searchParams,
    accept: message.headers.accept ?? '',
    contentType: message.headers['content-type'] ?? '',
    userAgent: message.headers['user-agent'] ?? '',
    body: await readBody(message),
  };
}

function segments(path: string): readonly string[] {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch (error) {
    throw badRequest(
      `the path ${path} cannot be decoded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not destroy the socket, which is needed for the response.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    // Without an encoding, the chunks of a request are buffers.
    const buffer = chunk as Buffer;
    size += buffer.length;
    if (size > bodyLimit)
      throw failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
