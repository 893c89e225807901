/** Contract of the commands of kgen. */
import type { Command } from 'commander';
import type { Console } from '../console.ts';

/** A command in the help of kgen. */
export interface CommandSummary {
  readonly name: string;
  /** Arguments after the name. */
  readonly usage: string;
  /** Its effect: a verb in the third person and its objects. */
  readonly about: string;
}

/** A command: its command line and its function. */
export interface CommandEntry<Arguments> extends CommandSummary {
  /** Returns the definition of its command line. */
  readonly describe: () => Command;
  /** Returns the arguments of a valid command line. */
  readonly interpret: (parsed: Command) => Arguments;
  /** Runs the command and returns the exit status. Loads the modules that `--help` does not need. */
  readonly run: (parsed: Arguments, console: Console) => Promise<number>;
}
