/** Verdicts of admission webhooks: calls of handlers, and everything that they can do. */

import { isApiError } from '@kgen/runtime';
import { type FieldError, invalidStatus, isFieldError, jsonOf } from '@kgen/runtime/objects';
import { errorOf } from '../../errors.ts';
import type { JsonObject } from '../../members.ts';
import type { AdmissionWebhook } from '../declarations/admission.ts';
import { AdmissionDenied } from '../declarations/admission-denied.ts';
import { changesOf, InvalidHandlerResult, isTooDeep, tooDeep } from './changes.ts';
import { type ContextParts, contextOf, Notes } from './context.ts';

/** Status of a response, as in Kubernetes. */
export interface ReviewStatus {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message: string;
  readonly details?: object | undefined;
}

/** Result of a review. */
export interface Verdict {
  readonly outcome: 'allowed' | 'denied' | 'failed';
  /** Members of the response of every verdict: warnings and annotations. */
  readonly notes: object;
  /** Present unless it is allowed. */
  readonly status?: ReviewStatus | undefined;
  /** Present if the handler failed. */
  readonly err?: Error | undefined;
  /** Paths of invalid fields. */
  readonly fields?: readonly string[] | undefined;
  /** JSON patch; `undefined` without changes. */
  readonly patch?: string | undefined;
}

/** A call of a handler. */
export interface HandlerCall extends ContextParts {
  readonly webhook: AdmissionWebhook;
  /** Returns the object of the request again, as the handler cannot have changed it. */
  readonly original: () => JsonObject;
}

const badRequest = { code: 400, reason: 'BadRequest' } as const;

/** Calls the handler of a webhook. Never rejects, and resolves once the signal aborts. */
export async function admit(call: HandlerCall): Promise<Verdict> {
  const { webhook, request, log, signal } = call;
  const notes = new Notes();
  const verdict = (part: Omit<Verdict, 'notes'>): Verdict => ({ ...part, notes: notes.members() });
  try {
    if (signal.aborted) throw new DeadlineError();
    // One that is stored can be deleted, and replaced.
    if (request.operation !== 'DELETE' && isTooDeep(request.object))
      throw new AdmissionDenied(`${request.kind} ${JSON.stringify(request.name)} has ${tooDeep}`, badRequest);
    const context = contextOf({ request, log, signal }, notes);
    const handled = new Promise((resolve) => resolve(webhook.options.handle(request.object, context)));
    const result = await beforeAbort(handled, signal);
    if (webhook.type === 'defaults') return verdict({ outcome: 'allowed', patch: patchOf(call, result) });
    const errors = errorsIn(result);
    if (errors.length === 0) return verdict({ outcome: 'allowed' });
    const { group } = webhook.resource;
    const status = invalidStatus({ group, kind: request.kind, name: request.name }, errors);
    return verdict({ outcome: 'denied', status, fields: errors.map(({ field }) => field) });
  } catch (thrown) {
    return verdict(thrownVerdict(thrown, call));
  }
}

/** Settles as `work`, or rejects when the signal aborts. A later rejection of `work` is ignored. */
export function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DeadlineError());
    // A handler may have taken until then without a pause.
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  override readonly message = 'no response within the time limit of the API server';
}

function patchOf({ request, original }: HandlerCall, result: unknown): string | undefined {
  const operations = changesOf(original(), request.object, result);
  if (operations.length === 0) return undefined;
  if (request.operation === 'DELETE')
    throw new InvalidHandlerResult('the handler must not change an object that is deleted');
  return jsonOf(operations);
}

function errorsIn(result: unknown): readonly FieldError[] {
  if (result === undefined) return [];
  if (Array.isArray(result) && result.every(isFieldError)) return result;
  throw new InvalidHandlerResult('the handler must return a list of field errors, or nothing');
}

function thrownVerdict(
  thrown: unknown,
  { webhook, request }: HandlerCall,
): Pick<Verdict, 'outcome' | 'status' | 'err'> {
  if (thrown instanceof AdmissionDenied) {
    const { code, reason, message } = thrown;
    return { outcome: 'denied', status: { code, reason, message } };
  }
  const err = errorOf(thrown);
  const message = `${webhook.type} of ${request.kind} failed: ${err.message}`;
  return { outcome: 'failed', status: { ...failureOf(err), message }, err };
}

/** Failed requests of a handler keep code, reason and details. */
function failureOf(err: Error): Omit<ReviewStatus, 'message'> {
  if (err instanceof DeadlineError) return { code: 504, reason: 'Timeout' };
  if (!isApiError(err) || err.code < 400 || err.code > 599) return { code: 500, reason: 'InternalError' };
  const { code, reason, details } = err;
  return { code, reason, details };
}
