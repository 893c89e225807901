/** Waits that servers ask for. */

/**
 * The longest wait that a server's `Retry-After` is obeyed for, in seconds. A request that is asked to wait longer fails
 * at once; watches, waits and informers retry after this time.
 */
export const longestRetryAfterSeconds = 300;

/** Seconds of a `Retry-After` header. Dates are not used between Kubernetes' own programs. */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
