/** Turns of the event loop for work without IO. */

import { type Clock, systemEnvironment } from './clock.ts';
import { MeasuredTurn, processTurn } from './time-slice.ts';

/**
 * Turn of the event loop that several works share: each awaits `next` before a step if `isOver` is true. The
 * turn is then short, however many works there are.
 */
export interface EventLoopTurn {
  /** Counts a step. Returns whether the share of the turn is used. */
  readonly isOver: boolean;
  /** Waits for a turn that is not over, in the order of the calls. */
  next(): Promise<void>;
}

const turns = new WeakMap<object, EventLoopTurn>();

/**
 * Returns the turn of all works with a clock. That of the process, with the system clock, is over after 3 ms.
 * Other clocks do not measure work: their turns are over after 200 steps.
 */
export function eventLoopTurn(clock: Pick<Clock, 'now'>): EventLoopTurn {
  if (clock === systemEnvironment.clock) return processTurn;
  const turn = turns.get(clock) ?? new MeasuredTurn({ now: () => 0 });
  turns.set(clock, turn);
  return turn;
}
