/** Records of the reviews of webhooks. */

/** Facts of one review, without values of its objects. */
export interface ReviewRecord {
  /** Path of the webhook, such as `/validates/cache.example.com/v1/redisclusters`. */
  readonly path: string;
  readonly type: 'defaults' | 'validates' | 'converts';
  /** Empty for conversions, and for refused reviews, whose requests were not read. */
  readonly operation: string;
  readonly kind: string;
  readonly namespace: string;
  /** Empty if the server generates it later. */
  readonly name: string;
  readonly uid: string;
  /** Name of the user who sent the request. */
  readonly user: string;
  readonly dryRun: boolean;
  readonly durationMs: number;
  /** `failed`: the handler failed. `refused`: it is not a review for this path. */
  readonly outcome: 'allowed' | 'denied' | 'failed' | 'refused';
  /** Code of the status for the user, or of a refusal; 200 if the request is allowed. */
  readonly code: number;
  /** Paths of invalid fields and names of errors; no text of a handler, which may quote values. */
  readonly message: string;
}
