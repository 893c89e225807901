/** Failures of calls whose time-out may be too short for a starved machine. */

/** Time-out in milliseconds after which a failure is final, whatever it is. */
export const longest = 60_000;

/**
 * Returns the error of a call. While it is not the expected one, the call is repeated with twice the
 * time-out: on a starved machine the time-out may elapse before the fault occurs.
 * @param firstMs time-out of the first attempt; calls that wait for their time-out take that long
 */
export async function patientFailure<T>(
  call: (timeoutMs: number) => Promise<T>,
  firstMs: number,
  isExpected: (error: unknown) => boolean,
): Promise<unknown> {
  for (let timeoutMs = firstMs; ; timeoutMs *= 2) {
    const error: unknown = await call(timeoutMs).then(
      () => new Error('did not fail'),
      (reason: unknown) => reason,
    );
    if (isExpected(error) || timeoutMs >= longest) return error;
  }
}
