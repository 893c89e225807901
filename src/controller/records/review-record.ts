/** Records of the reviews of webhooks. */

/** A review that has ended: names, but no values of the object, which messages may quote. */
export interface ReviewRecord {
  /** Path of the webhook, such as `/validates/cache.example.com/v1/redisclusters`. */
  readonly path: string;
  /** `CREATE`, `UPDATE`, `DELETE` or `CONNECT`; `CONVERT` for conversions. */
  readonly operation: string;
  /** Kind of the object with its group and version, such as `RedisCluster.v1.cache.example.com`. */
  readonly kind: string;
  /** Empty for cluster-scoped objects, and for conversions of several objects. */
  readonly namespace: string;
  /** Empty if the server generates it later, and for conversions of several objects. */
  readonly name: string;
  readonly uid: string;
  /** Name of the user who sent the request; empty for conversions. */
  readonly user: string;
  readonly durationMs: number;
  /**
   * - `allowed`: also a conversion that succeeded.
   * - `denied`: by the handler.
   * - `failed`: the handler threw, returned an invalid value, or did not settle in time.
   * - `refused`: the review is invalid; no handler was called.
   */
  readonly outcome: 'allowed' | 'denied' | 'failed' | 'refused';
  /** Code and reason of the status in the response: 422 and `Invalid`; 200 and empty for `allowed`. */
  readonly code: number;
  readonly reason: string;
  /** Paths of the invalid fields, such as `spec.replicas`. */
  readonly fields: readonly string[];
  /** Name of the error of a handler that failed, such as `TypeError`; empty otherwise. */
  readonly error: string;
}

/** A review with the response of a webhook, with its content. */
export interface EndedReview {
  /** Begin of the review, in milliseconds since the epoch. */
  readonly at: number;
  readonly path: string;
  /** The review in JSON. */
  readonly body: Uint8Array;
  readonly response: { readonly status: number; readonly body: string };
}
