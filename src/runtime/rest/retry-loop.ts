/**
 * Sending again; loaded when that is first to be decided. Reads are repeated after 429 and any 5xx that says when (`Retry-After`), and after a connection that
 * broke; writes only after 429 and 503 that say when, as with anything else they may have been done.
 */
import { TransportError } from '../errors.ts';
import { discard } from './body.ts';
import { untilClosed } from './closing.ts';
import { noteFailure, type Sleep, saidBy } from './deadline.ts';
import { noteHint } from './hints.ts';
import { longestRetryAfterSeconds, retryAfterSeconds } from './retry-after.ts';
import type { Method, Request, Response, Transport } from './types.ts';

/** How often a request is sent again, at most. */
const defaultMaxRetries = 10;
/** Milliseconds before a read is sent again on a new connection; the first time at once. */
const reconnectMs = 1000;
/** Waits are longer by chance, so that clients do not return as one: by up to a tenth, and by up to this many ms. */
const spreadMs = 100;

/** What became of a request. */
export type Outcome =
  | { readonly response: Pick<Response, 'status' | 'headers'> }
  | { readonly error: unknown };

/** Codes of a connection that was there and broke, usually because it was idle for too long. */
const broken: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  // HTTP/2: the stream or its session was reset, no ping was answered, or the server is going away.
  'UND_ERR_INFO',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_INVALID_STREAM',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_PING_CANCEL',
]);

function isBroken(error: unknown): boolean {
  return error instanceof TransportError && error.code !== undefined && broken.has(error.code);
}

/** Methods that change nothing, so that sending them twice does no harm. */
const reads: ReadonlySet<Method> = new Set<Method>(['GET', 'HEAD', 'OPTIONS']);

function mayRepeat(method: Method, status: number): boolean {
  return status === 429 || (reads.has(method) ? status >= 500 : status === 503);
}

/**
 * Decides whether to send a request again.
 * @param retries how often that was done already
 * @returns milliseconds to wait before, without what chance adds; `undefined` to leave it
 */
export function retryDelayMs(request: Request, outcome: Outcome, retries: number): number | undefined {
  if (retries >= (request.maxRetries ?? defaultMaxRetries)) return undefined;
  if ('error' in outcome) {
    if (!reads.has(request.method) || !isBroken(outcome.error)) return undefined;
    return retries === 0 ? 0 : reconnectMs;
  }
  if (!mayRepeat(request.method, outcome.response.status)) return undefined;
  const seconds = retryAfterSeconds(outcome.response.headers);
  return seconds === undefined || seconds > longestRetryAfterSeconds ? undefined : seconds * 1000;
}

/** Clock and chance, so that tests need neither. */
export interface RetryEnvironment {
  readonly sleep: Sleep;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
}

/** What came of one time that a request was sent. */
export type Attempt = { readonly response: Response } | { readonly error: unknown };

async function attempt(send: Transport, request: Request): Promise<Attempt> {
  try {
    return { response: await send(request) };
  } catch (error) {
    return { error };
  }
}

/** What went wrong, as an error. An answer is read for it, which frees its connection. */
async function failureIn(outcome: Attempt, request: Request): Promise<unknown> {
  if ('error' in outcome) return outcome.error;
  const { status, headers } = outcome.response;
  const { readFailureOf } = await import('./status.ts');
  return readFailureOf({ status, headers, body: await discard(outcome.response) }, request);
}

/** The last outcome, which says how many tries there were where there was more than one. */
function ended(outcome: Attempt, request: Request, tries: number): Response {
  noteFailure(request.signal, undefined);
  if ('response' in outcome) {
    if (tries > 1) noteHint(outcome.response, `tried ${tries} times`);
    return outcome.response;
  }
  const { error } = outcome;
  if (tries === 1 || !(error instanceof TransportError)) throw error;
  throw new TransportError(`${saidBy(error, request.operation)}; tried ${tries} times`, request.operation, {
    cause: error,
    code: error.code,
  });
}

/** When the time of a call is up: what would be sent after that is not waited for. */
function endOf({ timeoutMs }: Request, startedAt: number): number {
  return timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs;
}

/** How much longer a wait may be: not so much that no time would be left to send. */
function spreadOf(leastMs: number, leftMs: number): number {
  return Math.max(0, Math.min(Math.max(leastMs / 10, spreadMs), (leftMs - leastMs) / 2));
}

/** What goes on after the first time that a request was sent. */
export interface Retries {
  readonly send: Transport;
  readonly environment: RetryEnvironment;
  /** Ends the waits, with the client. */
  readonly closed: AbortSignal | undefined;
  /** By the clock of `environment`, when the request was sent first. */
  readonly startedAt: number;
}

/**
 * Sends again for as long as that makes sense. Where the wait would be longer than the call has left, the answer or
 * failure that asks for it is given at once.
 */
export async function sendAgain(request: Request, first: Attempt, retries: Retries): Promise<Response> {
  const { random, now, sleep } = retries.environment;
  const end = endOf(request, retries.startedAt);
  let outcome = first;
  for (let tries = 1; ; tries += 1) {
    const leastMs = retryDelayMs(request, outcome, tries - 1);
    if (leastMs === undefined || (leastMs > 0 && now() + leastMs >= end)) {
      return ended(outcome, request, tries);
    }
    noteFailure(request.signal, await failureIn(outcome, request));
    const ms = leastMs + random() * spreadOf(leastMs, end - now());
    await untilClosed(retries.closed, request, (signal) => sleep(ms, signal));
    request.signal?.throwIfAborted();
    outcome = await attempt(retries.send, request);
  }
}
