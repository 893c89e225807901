/** Loops that leave the event loop its turns. */

import type { EventLoopTurn } from '@kgen/runtime/queue';

/**
 * Calls a function for each item: at once, or in further turns of the event loop if `turn` is over between
 * two items. Returns a promise then, which rejects with what a later call throws.
 */
export function inTurns<Item>(
  items: Iterable<Item>,
  act: (item: Item) => void,
  turn: EventLoopTurn,
): Promise<void> | undefined {
  const iterator = items[Symbol.iterator]();
  const continued = async (first: Item): Promise<void> => {
    await turn.next();
    act(first);
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      if (turn.isOver) await turn.next();
      act(next.value);
    }
  };
  for (let next = iterator.next(), isFirst = true; next.done !== true; next = iterator.next()) {
    if (!isFirst && turn.isOver) return continued(next.value);
    isFirst = false;
    act(next.value);
  }
  return undefined;
}
