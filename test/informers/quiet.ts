/** Event-loop turns without activity after which all work is considered complete. */
const quietTurnCount = 3;

/** Resolves when all work except timers is complete: `activity` counts its steps. */
export async function quiet(activity: () => number, quietTurns = quietTurnCount): Promise<void> {
  let before = activity();
  for (let turns = 0; turns < quietTurns; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = activity();
    if (now === before) continue;
    before = now;
    turns = -1;
  }
}
