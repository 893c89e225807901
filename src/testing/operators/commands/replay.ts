/** The command `kgen replay`. */
import { resolve } from 'node:path';
import type { Console, ReplayArguments } from 'kgen/commands';
import { replay } from '../simulate/replay/replay.ts';
import { loadModule, operatorIn } from './module.ts';
import { refused, statuses } from './status.ts';

/** Runs the command. Returns the exit status. */
export async function replayCommand(parsed: ReplayArguments, console: Console): Promise<number> {
  try {
    const exports = await loadModule(console.cwd, parsed.file);
    const operator = operatorIn(exports, parsed.file, parsed.export);
    const { isEqual, text } = await replay(resolve(console.cwd, parsed.recording), operator);
    console.stdout.write(`${text}\n`);
    return isEqual ? statuses.passed : statuses.failed;
  } catch (error) {
    return refused(error, console);
  }
}
