/** The command line: from its arguments to the exit status. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { version } from '../common/version.ts';
import { isProject } from '../project/record.ts';
import { type Arguments, misspeltCommand, parseArguments } from './arguments.ts';
import { refuse, runOutputs, runProject } from './commands/generate.ts';
import { commandNamed } from './commands/table.ts';
import type { Console } from './console.ts';

/** Runs the command: takes arguments and returns the exit status. */
export async function run(argv: readonly string[], console: Console): Promise<number> {
  const parsed = parseArguments(argv, version);
  if ('exitCode' in parsed) {
    console.stdout.write(parsed.stdout);
    console.stderr.write(parsed.stderr);
    return parsed.exitCode;
  }
  if ('command' in parsed) {
    const command = commandNamed(parsed.command);
    if (command !== undefined) return command.run(parsed, console);
    throw new Error(`unknown command ${parsed.command}`);
  }
  if (isWholeRun(parsed) && isProject(console.cwd)) return runProject(parsed, console);
  const { input = [] } = parsed.settings;
  const isFirstMissing = input[0] !== undefined && !existsSync(resolve(console.cwd, input[0]));
  const misspelt = isFirstMissing ? misspeltCommand(input, version) : undefined;
  return misspelt === undefined ? runOutputs(parsed, console) : refuse([misspelt], parsed, console);
}

/** Returns whether the command line names no part of a project. */
function isWholeRun({ settings, config }: Arguments): boolean {
  return Object.keys(settings).length === 0 && config === undefined;
}
