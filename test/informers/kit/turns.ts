/** Turns of the event loop in which nothing happened, before all is taken to be quiet. */
const QUIET_TURNS = 3;

/** Resolves when nothing happens any more but by time: `activity` counts what happens. */
export async function quiet(activity: () => number, quietTurns = QUIET_TURNS): Promise<void> {
  let before = activity();
  for (let turns = 0; turns < quietTurns; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = activity();
    if (now === before) continue;
    before = now;
    turns = -1;
  }
}
