/**
 * Keys that wait for creations of their own. An own write is visible in the caches at once; a creation whose
 * name the server chose is not if its response was lost, or if no cache could decide whether it selects the
 * object. A run before it is visible would create it again.
 * @see https://github.com/kubernetes/enhancements/issues/5647
 */

import type { RunWrite } from '../client/run-scope.ts';
import { metadataString } from '../members.ts';
import { idOf, type ReconcileKey } from '../runs/key.ts';
import type { EndedRun, RunListener } from './run-listener.ts';

/** Maximum time for which a key waits, in milliseconds. */
const maximumMs = 5000;

/** A creation that caches do not show yet. */
export interface UnseenCreation {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  /** Version of the object; `undefined` if the response was lost. */
  readonly resourceVersion: string | undefined;
  readonly until: number;
}

/** Returns whether every cache of a resource contains a creation; `true` without a cache. */
export type SeenCreation = (creation: UnseenCreation) => boolean;

/** Returns the time until the next check of a key that waits, in milliseconds: as long as it has waited. */
export function nextCheckMs({ until }: UnseenCreation, now: number): number {
  return Math.min(Math.max(firstCheckMs, now - (until - maximumMs)), Math.max(1, until - now));
}

/** Delay before the first check of a key, in milliseconds. */
const firstCheckMs = 50;

/** Unseen creations by key. */
export class StaleGate implements RunListener {
  readonly #unseen = new Map<string, readonly UnseenCreation[]>();
  /** Number of keys from which expired ones are removed. */
  #limit = 1000;

  /** Records the creations of a run. */
  ends({ key, end, endedAt }: Pick<EndedRun, 'key' | 'end' | 'endedAt'>): void {
    const unseen = end.writes.filter(isUnseen).map((write) => creationOf(write, endedAt));
    if (unseen.length === 0) return;
    if (this.#unseen.size >= this.#limit) this.#prune(endedAt);
    const id = idOf(key);
    this.#unseen.set(id, [...(this.#unseen.get(id) ?? []), ...unseen]);
  }

  /** Returns a creation for which a key must wait; `undefined` if it may run. */
  pending(key: ReconcileKey, seen: SeenCreation, now: number): UnseenCreation | undefined {
    const id = idOf(key);
    const unseen = this.#unseen.get(id);
    if (unseen === undefined) return undefined;
    const left = unseen.filter((creation) => creation.until > now && !seen(creation));
    if (left.length === 0) this.#unseen.delete(id);
    else this.#unseen.set(id, left);
    return left[0];
  }

  /** Keys that are not reconciled again would stay. */
  #prune(now: number): void {
    for (const [id, creations] of this.#unseen) {
      if (creations.every(({ until }) => until <= now)) this.#unseen.delete(id);
    }
    this.#limit = Math.max(1000, 2 * this.#unseen.size);
  }
}

function isUnseen({ isNameGenerated, isVisible }: RunWrite): boolean {
  return isNameGenerated && !isVisible;
}

function creationOf({ target, object }: RunWrite, now: number): UnseenCreation {
  const { group, resource, namespace = '' } = target;
  return {
    group,
    resource,
    namespace,
    resourceVersion: metadataString(object, 'resourceVersion'),
    until: now + maximumMs,
  };
}
