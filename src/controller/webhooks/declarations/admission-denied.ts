/** Status of a refused request, besides errors of fields. */

/** Options of an `AdmissionDenied`. */
export interface AdmissionDeniedOptions {
  /** HTTP status code of the response to the user, 400 to 599. Default: 403. */
  readonly code?: number | undefined;
  /** Machine-readable reason, such as `Conflict`. Default: `Forbidden`. */
  readonly reason?: string | undefined;
}

/**
 * Thrown by a handler to refuse a request for a reason that does not concern a field. The user receives the
 * message, after the name of the webhook.
 */
export class AdmissionDenied extends Error {
  override readonly name = 'AdmissionDenied';
  readonly code: number;
  readonly reason: string;

  /** @throws {RangeError} a code outside of 400 to 599 */
  constructor(message: string, { code = 403, reason = 'Forbidden' }: AdmissionDeniedOptions = {}) {
    super(message);
    if (!Number.isInteger(code) || code < 400 || code > 599)
      throw new RangeError(`code of AdmissionDenied must be an integer from 400 to 599, got ${code}`);
    this.code = code;
    this.reason = reason;
  }
}
