/** Command line of `kgen update`. */
import { Command } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen update`. */
export interface UpdateArguments {
  readonly command: 'update';
  readonly mode: 'write' | 'dry-run';
}

/** The command `kgen update`. */
export const updateCommand: CommandEntry<UpdateArguments> = {
  name: 'update',
  usage: '[options]',
  about: 'brings a project to this version of kgen',
  describe,
  interpret: (command) => {
    const { dryRun } = command.opts<{ readonly dryRun?: true }>();
    return { command: 'update', mode: dryRun ? 'dry-run' : 'write' };
  },
  run: async (parsed, console) => (await import('../project/update.ts')).runUpdate(parsed, console),
};

function describe(): Command {
  return new Command('kgen update')
    .description(
      'Brings the project in the current folder to this version of kgen: rewrites names that have moved or were\nrenamed, raises the packages of kgen in package.json, merges changes of the templates with the edits of the\nauthor, and writes config and generated again.',
    )
    .option('--dry-run', 'write nothing, list what would be written')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is written; 1 if there are errors, in which case the files of the author are unchanged, or if\nlines that the author and kgen have changed are marked as conflicts; 2 for an invalid command line.',
    )
    .showHelpAfterError('(kgen update --help lists the options)')
    .allowExcessArguments(false);
}
