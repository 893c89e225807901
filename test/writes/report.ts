/** Reports of histories with differences. */

import { type History, printHistory } from './history.ts';
import { shrink } from './shrink.ts';
import { printFailure } from './state.ts';
import { play, type Stage } from './trial.ts';

/** Plays a history. Returns its fewest necessary steps with the difference; `undefined` if there is none. */
export async function problemOf({ name, ...stage }: Stage, history: History): Promise<string | undefined> {
  let attempt = 0;
  const replay = (each: History): ReturnType<typeof play> => {
    attempt += 1;
    return play({ ...stage, name: `${name}-${attempt}` }, each);
  };
  const first = await replay(history);
  if (first === undefined) return undefined;
  const least = await shrink(history, replay);
  const failure = (await replay(least)) ?? first;
  return `${printHistory(least)}\n${printFailure(failure)}`;
}
