/** Times at which an operator held its leases. */
import type { ViewEvent } from '../../format.ts';

/** A time at which a lease was held. */
export interface Holding {
  readonly from: number;
  /** Absent if it is still held. */
  readonly until?: number;
  readonly holder: string;
}

/** Returns the names of the leases, in the order of their first event. */
export function leasesOf(events: readonly ViewEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => (event.kind === 'lease' ? [event.lease] : [])))];
}

/** Returns the times at which a lease was held, oldest first. */
export function holdingsOf(events: readonly ViewEvent[], lease: string): readonly Holding[] {
  const found: Holding[] = [];
  for (const event of events) {
    if (event.kind !== 'lease' || event.lease !== lease) continue;
    const { at, isHeld, holder } = event;
    const last = found.at(-1);
    const isOpen = last !== undefined && last.until === undefined;
    if (isOpen && isHeld && last.holder === holder) continue;
    if (isOpen) found[found.length - 1] = { ...last, until: at };
    if (isHeld) found.push({ from: at, holder });
  }
  return found;
}
