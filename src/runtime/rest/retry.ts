/**
 * Sending again. Reads are repeated after 429 and any 5xx that says when (`Retry-After`), and after a connection that
 * broke; writes only after 429 and 503 that say when, as with anything else they may have been done.
 */
import { TransportError } from '../errors.ts';
import { discard } from './body.ts';
import { noteFailure, type Sleep, sleep } from './deadline.ts';
import { failureOf, retryAfterSeconds } from './status.ts';
import type { Request, Response, Transport } from './types.ts';

/** How often a request is sent again, at most. */
const defaultMaxRetries = 10;
/** A server that asks for a longer wait than this has its error handed to the caller instead. */
const longestWaitSeconds = 300;
/** Milliseconds before a read is sent again on a new connection; the first time at once. */
const reconnectMs = 1000;

/** What became of a request. */
export type Outcome =
  | { readonly response: Pick<Response, 'status' | 'headers'> }
  | { readonly error: unknown };

/** Codes of a connection that was there and broke, usually because it was idle for too long. */
const broken: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);

function isBroken(error: unknown): boolean {
  return error instanceof TransportError && error.code !== undefined && broken.has(error.code);
}

function mayRepeat(method: string, status: number): boolean {
  return status === 429 || (method === 'GET' ? status >= 500 : status === 503);
}

/**
 * Decides whether to send a request again.
 * @param retries how often that was done already
 * @returns milliseconds to wait before, without jitter; `undefined` to leave it
 */
export function retryDelayMs(request: Request, outcome: Outcome, retries: number): number | undefined {
  if (retries >= (request.maxRetries ?? defaultMaxRetries)) return undefined;
  if ('error' in outcome) {
    if (request.method !== 'GET' || !isBroken(outcome.error)) return undefined;
    return retries === 0 ? 0 : reconnectMs;
  }
  const seconds = retryAfterSeconds(outcome.response.headers);
  if (seconds === undefined || seconds > longestWaitSeconds) return undefined;
  return mayRepeat(request.method, outcome.response.status) ? seconds * 1000 : undefined;
}

/** Clock and chance, so that tests need neither. */
export interface RetryEnvironment {
  readonly sleep: Sleep;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

type Attempt = { readonly response: Response } | { readonly error: unknown };

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
  return failureOf({ status, headers, body: await discard(outcome.response) }, request);
}

/** A transport that sends again. Waits are up to a tenth longer than asked for, so that clients do not return as one. */
export function retrying(
  send: Transport,
  environment: RetryEnvironment = { sleep, random: Math.random },
): Transport {
  return async (request) => {
    for (let retries = 0; ; retries += 1) {
      const outcome = await attempt(send, request);
      const delayMs = retryDelayMs(request, outcome, retries);
      if (delayMs === undefined) {
        noteFailure(request.signal, undefined);
        if ('error' in outcome) throw outcome.error;
        return outcome.response;
      }
      noteFailure(request.signal, await failureIn(outcome, request));
      if (delayMs > 0) await environment.sleep(delayMs * (1 + environment.random() * 0.1), request.signal);
      request.signal?.throwIfAborted();
    }
  };
}
