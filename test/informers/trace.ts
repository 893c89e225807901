import { Play } from './play.ts';
import type { Schedule } from './schedule.ts';
import type { Noted } from './server/journal.ts';

/** Runs a schedule and prints its steps with the exchanges between the server and its clients. */
export async function traced(
  schedule: Schedule,
): Promise<{ readonly lines: readonly string[]; readonly problems: readonly string[] }> {
  const { steps: _, ...conditions } = schedule;
  const lines = [JSON.stringify(conditions)];
  const play = new Play(schedule, { onStep: (act, at) => lines.push(`${Math.round(at)} ${act}`) });
  play.world.server.journal.onNote = (note) => lines.push(describe(note));
  const { problems } = await play.run();
  return { lines, problems };
}

function describe({ at, source, type, ...rest }: Noted): string {
  const values = Object.entries(rest).filter(([, value]) => value !== undefined);
  const words = values.map(([name, value]) => `${name}=${value}`).join(' ');
  return `    ${Math.round(at)} ${source}: ${type} ${words}`;
}
