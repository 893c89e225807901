/** The webhooks of a manager, as servers in tests call them. */

/** Webhooks of one process; `ServedReviews` of `@kgen/controller`. */
export interface ServedReviews {
  readonly paths: readonly string[];
  /** Responds to a review in JSON. Never rejects. */
  respond(
    path: string,
    body: Uint8Array,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly status: number; readonly body: string }>;
}
