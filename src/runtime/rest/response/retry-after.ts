/** Delays requested by servers. */

/**
 * Parses the seconds of a `Retry-After` header. Dates are not supported: Kubernetes components do not send
 * them.
 */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
