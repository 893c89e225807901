/**
 * Retry policy of requests, as documented in `docs/errors-and-retries.md`; loaded with the first decision
 * about a retry.
 */
import { TransportError } from '../../api/errors.ts';
import type { APIRequest, APIResponse, HTTPMethod, Transport } from '../../api/transport.ts';
import { onDemand } from '../../common/on-demand.ts';
import { retryTiming } from '../../common/timing.ts';
import { untilClosed } from '../abort/abort-on-close.ts';
import { noteFailure, type Sleep, statedBy } from '../abort/deadline.ts';
import { noteHint } from '../response/hints.ts';
import { discard } from '../response/read-body.ts';
import { retryAfterSeconds } from '../response/retry-after.ts';

const apiErrors = onDemand(() => import('../response/api-error.ts'));

/** Outcome of a request. */
export type Outcome =
  | { readonly response: Pick<APIResponse, 'status' | 'headers'> }
  | { readonly error: unknown };

const { maxRetries, reconnectMs, spreadMs, maxRetryAfterMs } = retryTiming;

/** Codes of connections that were established and broke, usually after being idle for too long. */
const broken: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);

/** Methods without effects, which are safe to repeat. */
const reads: ReadonlySet<HTTPMethod> = new Set<HTTPMethod>(['GET', 'HEAD', 'OPTIONS']);

/**
 * Decides whether to retry a request.
 * @param retries number of retries so far
 * @returns the delay in milliseconds without the random extension; `undefined` for no retry
 */
export function retryDelayMs(request: APIRequest, outcome: Outcome, retries: number): number | undefined {
  if (retries >= (request.maxRetries ?? maxRetries)) return undefined;
  if ('error' in outcome) {
    if (!isRead(request) || !isBroken(outcome.error)) return undefined;
    return retries === 0 ? 0 : reconnectMs;
  }
  if (!mayRepeat(request, outcome.response.status)) return undefined;
  const seconds = retryAfterSeconds(outcome.response.headers);
  return seconds === undefined || seconds * 1000 > maxRetryAfterMs ? undefined : seconds * 1000;
}

function mayRepeat(request: APIRequest, status: number): boolean {
  return status === 429 || (isRead(request) ? status >= 500 : status === 503);
}

/** Returns whether a request is safe to repeat: an upgrade is not, as it may run a command. */
function isRead({ method, upgrade }: APIRequest): boolean {
  return reads.has(method) && upgrade === undefined;
}

function isBroken(error: unknown): boolean {
  return error instanceof TransportError && error.code !== undefined && broken.has(error.code);
}

/** Clock and random numbers; replaceable in tests. */
export interface RetryEnvironment {
  readonly sleep: Sleep;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** Outcome of one attempt. */
export type Attempt = { readonly response: APIResponse } | { readonly error: unknown };

/** State of a request after its first attempt. */
export interface Retries {
  readonly send: Transport;
  readonly environment: RetryEnvironment;
  /** Aborts the delays when the client is closed. */
  readonly closed: AbortSignal | undefined;
  /** Time of the first attempt, by the clock of `environment`. */
  readonly startedAt: number;
}

/**
 * Retries a request as the policy allows. If the delay would exceed the time that the call has left, returns
 * or throws the last outcome at once.
 */
export async function sendAgain(request: APIRequest, first: Attempt, retries: Retries): Promise<APIResponse> {
  const { random, now, sleep } = retries.environment;
  const end = endOf(request, retries.startedAt);
  let outcome = first;
  for (let tries = 1; ; tries += 1) {
    const leastMs = retryDelayMs(request, outcome, tries - 1);
    if (leastMs === undefined || (leastMs > 0 && now() + leastMs >= end)) {
      noteRefusal(outcome, request, tries - 1);
      return ended(outcome, request, tries);
    }
    noteFailure(request.signal, await failureIn(outcome, request));
    const ms = leastMs + random() * spreadOf(leastMs, end - now(), spreadMs);
    await untilClosed(retries.closed, request, (signal) => sleep(ms, signal));
    request.signal?.throwIfAborted();
    outcome = await attempt(retries.send, request);
  }
}

/** Notes that a requested delay is too long, if it is the reason that a response is not retried. */
function noteRefusal(outcome: Attempt, request: APIRequest, retries: number): void {
  if ('error' in outcome || retries >= (request.maxRetries ?? maxRetries)) return;
  const { status, headers } = outcome.response;
  const seconds = mayRepeat(request, status) ? retryAfterSeconds(headers) : undefined;
  if (seconds === undefined) return;
  const limit =
    seconds * 1000 > maxRetryAfterMs
      ? `which exceeds the limit of ${maxRetryAfterMs / 1000} s`
      : 'which exceeds the time-out of the call';
  noteHint(outcome.response, `not retried: the server requests a delay of ${seconds} s, ${limit}`);
}

/**
 * Returns the maximum of the random extension of a delay, so that clients do not return at the same time. It
 * is limited so that time is left to send.
 */
function spreadOf(leastMs: number, leftMs: number, spreadMs: number): number {
  return Math.max(0, Math.min(Math.max(leastMs / 10, spreadMs), (leftMs - leastMs) / 2));
}

/** Returns the time at which a call times out: retries after that are not waited for. */
function endOf({ timeoutMs }: APIRequest, startedAt: number): number {
  return timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs;
}

/** Returns or throws the last outcome, with the number of attempts if there was more than one. */
function ended(outcome: Attempt, request: APIRequest, tries: number): APIResponse {
  noteFailure(request.signal, undefined);
  if ('response' in outcome) {
    if (tries > 1) noteHint(outcome.response, `tried ${tries} times`);
    return outcome.response;
  }
  const { error } = outcome;
  if (tries === 1 || !(error instanceof TransportError)) throw error;
  throw new TransportError(`${statedBy(error, request.operation)}; tried ${tries} times`, request.operation, {
    cause: error,
    code: error.code,
  });
}

/**
 * Returns the failure of an attempt as an error. Reads the body of a response, which frees its connection.
 */
async function failureIn(outcome: Attempt, request: APIRequest): Promise<unknown> {
  if ('error' in outcome) return outcome.error;
  const { status, headers } = outcome.response;
  const { readFailureOf } = await apiErrors();
  return readFailureOf({ status, headers, body: await discard(outcome.response) }, request);
}

async function attempt(send: Transport, request: APIRequest): Promise<Attempt> {
  try {
    return { response: await send(request) };
  } catch (error) {
    return { error };
  }
}
