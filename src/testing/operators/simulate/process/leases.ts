/** The leases of a run, and the processes that hold them. */

import { text } from '@kgen/schema/values/json';
import type { Change } from '@kgen/testserver/internal/store/store';

/** Holders of leases. */
export class Leases {
  /** Holders by the key of the lease. */
  readonly #holders = new Map<string, string>();
  /** Processes by their identity in a lease. */
  readonly #identities = new Map<string, string>();
  /** Identities of the processes that run. */
  readonly #living = new Map<string, string>();

  /** Whether a lease exists. */
  get areUsed(): boolean {
    return this.#holders.size > 0;
  }

  /** Notes the identity with which a process writes a lease. */
  sent(replica: string, identity: string): void {
    if (identity === '') return;
    this.#identities.set(identity, replica);
    this.#living.set(replica, identity);
  }

  /** Notes the end of a process. Its successor has another identity. */
  ended(replica: string): void {
    this.#living.delete(replica);
  }

  /** Returns whether a lease is held by a process that has ended: another one waits for it. */
  isElecting(): boolean {
    const living = new Set(this.#living.values());
    return [...this.#holders.values()].some((holder) => this.#identities.has(holder) && !living.has(holder));
  }

  changed({ type, key, object }: Change): void {
    if (type === 'DELETED') this.#holders.delete(key);
    else this.#holders.set(key, text(object, 'spec', 'holderIdentity'));
  }

  /** Returns the process that holds the lease; `undefined` without one, or if there are several leases. */
  leader(): string | undefined {
    const [holder, ...others] = this.#holders.values();
    return holder === undefined || others.length > 0 ? undefined : this.#identities.get(holder);
  }
}

/** Returns whether a process has ended with an error because it does not lead any more. */
export function isLeadershipLoss(error: unknown): boolean {
  return error instanceof Error && error.name === 'LeadershipLostError';
}
