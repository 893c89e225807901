import { type ApiError, type StatusCause, statusCauses } from '@kgen/runtime';

/**
 * Waits until a call fails, and gives the error.
 *
 * @throws {Error} when the call succeeds, or fails in a way that `expected` does not recognise
 */
export async function refusal(
  expected: (error: unknown) => error is ApiError,
  call: Promise<unknown>,
): Promise<ApiError> {
  const error = await failure(call);
  if (expected(error)) return error;
  throw new Error(`${expected.name} does not hold for: ${String(error)}`, { cause: error });
}

/** Waits until a call fails, and gives whatever it failed with. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  const value = await call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error;
  throw new Error(`expected a failure, got ${JSON.stringify(value.result)}`);
}

/** The causes of a refusal as `field: reason`, in the order of the fields. */
export function causesOf(error: ApiError): readonly string[] {
  const causes: readonly StatusCause[] = error.details?.causes ?? [];
  return causes.map(({ field, reason }) => `${field}: ${reason}`).sort();
}

/** The messages of the causes that have this reason. */
export function messagesOf(error: ApiError, reason: string): readonly string[] {
  return statusCauses(error, reason).map(({ message }) => message ?? '');
}
