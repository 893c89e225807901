/** When a server asks to come back. */

/** Seconds of a `Retry-After` header. Dates are not used between Kubernetes' own programs. */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
