/** Crash of a process at one of its requests. */
import { placedText } from '../coverage.ts';
import type { ActionOf } from '../schedule/actions.ts';
import type { Dice } from '../schedule/dice.ts';
import type { Fault } from './fault.ts';

/** Times for which a process stays down. */
const downTimesMs = [100, 5_000, 40_000] as const;

/** Draws the time for which a process stays down. */
export function drawnDownMs(dice: Dice): number {
  return dice.pick(downTimesMs) ?? 0;
}

/** The process of a replica ends at a request, as with SIGKILL. */
export const crash: Fault<ActionOf<'crash'>> = {
  classes: ['crash before', 'crash after'],
  singles: ['crash before', 'crash after'],
  singleOf: ({ when }) => `crash ${when}`,
  plan: ({ dice, replicas }) => ({
    do: 'crash',
    replica: dice.between(0, replicas - 1),
    request: dice.between(1, 8),
    when: dice.chance(0.5) ? 'before' : 'after',
    downMs: drawnDownMs(dice),
  }),
  target: ({ fault: selected, write, round, nth, replica }) => {
    const when = selected === 'crash before' ? 'before' : 'after';
    const downMs = downTimesMs[round % downTimesMs.length] ?? 0;
    return { before: [{ do: 'crash', replica, request: nth, when, downMs, at: write }], after: [] };
  },
  simpler: [
    // Lines of the operator change, so that a saved schedule would not meet them.
    (action) => (action.at?.site ? { ...action, at: { ...action.at, site: '' } } : undefined),
  ],
  text: ({ replica, request, at, when, downMs }) => {
    const write = at === undefined ? '' : ` to ${placedText(at)}`;
    const effect = when === 'after' ? 'which the server executes' : 'which is not sent';
    return `replica ${replica + 1} will crash at its request ${request}${write}, ${effect}, for ${downMs} ms`;
  },
  begin: ({ processOf, setDownMs }) => ({
    perform: (action) => {
      setDownMs(action.replica, action.downMs);
      processOf(action.replica)?.crashAt(action);
      return '';
    },
  }),
};
