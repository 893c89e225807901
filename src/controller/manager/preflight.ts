/**
 * Permissions of a program, checked before its informers start: without them they would wait for ever.
 * @see
 * https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/self-subject-access-review-v1/
 */

import { isApiError, isConfigError } from '@kgen/runtime';
import type { Clock } from '@kgen/runtime/informers';
import { type Access, accessText } from '../client/accesses.ts';
import { linkedSignal } from '../client/linked-signal.ts';
import { errorOf, ManagerStartError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { member } from '../members.ts';

/** Time limit of all reviews together, in milliseconds. */
const limitMs = 10_000;
/** Maximum number of reviews at once. */
const maxReviews = 10;

/** Circumstances of a check. */
export interface PreflightOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends the check without a result. */
  readonly stopping: AbortSignal;
}

/**
 * Checks accesses of the present user. Logs a warning if accesses cannot be checked: the server decides then
 * when they are used. Events are not checked, as a program may record none, and refused ones are logged.
 * @throws {ManagerStartError} if some are denied, with all of them; or if the configuration or the
 * credentials are invalid
 */
export async function checkAccesses(accesses: readonly Access[], options: PreflightOptions): Promise<void> {
  const { clock, log, stopping } = options;
  const limit = new AbortController();
  const cancel = clock.timer(limitMs, () =>
    limit.abort(new Error(`the API server did not respond within ${limitMs / 1000} s`)),
  );
  const linked = linkedSignal([stopping, limit.signal]);
  const signal = linked.signal ?? limit.signal;
  const results = await inParallel(accesses, (access) => review(access, signal)).finally(() => {
    cancel();
    linked.release();
  });
  if (stopping.aborted) return;
  report(
    accesses.map((access, index) => ({ access, result: results[index] })),
    log,
  );
}

/** `true` if the access is granted, `false` if it is denied, or the error of the review. */
type Result = boolean | Error | undefined;

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: maxReviews }, worker));
  return results;
}

async function review(access: Access, signal: AbortSignal): Promise<Result> {
  if (signal.aborted) return errorOf(signal.reason);
  try {
    return await isAllowed(access, signal);
  } catch (error) {
    return signal.aborted ? errorOf(signal.reason) : errorOf(error);
  }
}

function report(checked: readonly { readonly access: Access; readonly result: Result }[], log: Logger): void {
  const failed = checked.map(({ result }) => result).find((result) => result instanceof Error);
  if (isApiError(failed) && failed.code === 401) {
    throw new ManagerStartError(`the API server rejects the credentials: ${failed.message}`, {
      cause: failed,
    });
  }
  if (isConfigError(failed)) {
    throw new ManagerStartError(`the configuration cannot be used: ${failed.message}`, { cause: failed });
  }
  const denied = checked.filter(({ result }) => result === false).map(({ access }) => access);
  if (denied.length > 0) {
    throw new ManagerStartError(
      `missing permissions: ${denied.map(accessText).join('; ')}. Grant them by a Role or ClusterRole to the user of this program, or disable this check by checkPermissions: false`,
    );
  }
  if (failed instanceof Error) {
    log.warn({ err: failed }, `permissions could not be checked: ${failed.message}`);
  }
}

async function isAllowed(access: Access, signal: AbortSignal): Promise<boolean> {
  const { rest, verb, group, resource, namespace = '', name } = access;
  const resourceAttributes = { verb, group, resource, namespace, ...(name !== undefined && { name }) };
  const response = await rest.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
    signal,
  });
  const allowed = member(member(response, 'status'), 'allowed');
  if (typeof allowed !== 'boolean') throw new Error('the response contains no review');
  return allowed;
}
