/** Writes of one controller that come between the begin of a reconcile of another one and its writes. */
import type { Interleaving, SimulatedWrite } from '../coverage.ts';
import type { BegunCall } from './reconcile-call.ts';

/** A write that the server has received. */
interface ReceivedWrite {
  readonly atMs: number;
  readonly controller: string;
  readonly write: SimulatedWrite;
}

/** The interleavings of a run. */
export class Interleavings {
  /** Those that were met, in their order. */
  readonly met: Interleaving[] = [];
  readonly #received: ReceivedWrite[] = [];

  /**
   * Notes a write of a reconcile that the server receives now. Returns whether others came between the begin
   * of the reconcile and it.
   */
  received(write: SimulatedWrite, call: BegunCall, atMs: number): boolean {
    const { controller, startMs } = call;
    const before = this.met.length;
    for (let index = this.#received.length - 1; index >= 0; index -= 1) {
      const other = this.#received[index];
      // One of the same millisecond may have been before the begin.
      if (other === undefined || other.atMs <= startMs) break;
      if (other.controller !== controller) this.met.push({ between: other.write, write });
    }
    this.#received.push({ atMs, controller, write });
    return this.met.length > before;
  }
}
