/**
 * A write was refused because this process does not own the key: another replica reconciles it, or will. The
 * request was not sent.
 */
export class ShardNotOwnedError extends Error {
  override readonly name = 'ShardNotOwnedError';
  /** Name of the ring, as in `sharding.name` of the manager. */
  readonly ring: string;

  constructor(ring: string, reason: string) {
    super(`no ownership in ring ${ring}: ${reason}`);
    this.ring = ring;
  }
}
