import { type ApiError, type StatusCause, statusCauses } from '@kgen/runtime';

/**
 * Waits until a call fails, and returns the error.
 *
 * @throws {Error} if the call succeeds, or fails with an error that `expected` does not match
 */
export async function apiErrorOf(
  expected: (error: unknown) => error is ApiError,
  call: Promise<unknown>,
): Promise<ApiError> {
  const error = await failure(call);
  if (expected(error)) return error;
  throw new Error(`${expected.name} does not hold for: ${String(error)}`, { cause: error });
}

/** Waits until a call fails, and returns the thrown value. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  const value = await call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error;
  throw new Error(`expected a failure, got ${JSON.stringify(value.result)}`);
}

/** Returns the causes of an error as `field: reason`, in the order of the fields. */
export function causesOf(error: ApiError): readonly string[] {
  const causes: readonly StatusCause[] = error.details?.causes ?? [];
  return causes.map(({ field, reason }) => `${field}: ${reason}`).sort();
}

/** Returns the messages of the causes with this reason. */
export function messagesOf(error: ApiError, reason: string): readonly string[] {
  return statusCauses(error, reason).map(({ message }) => message ?? '');
}
