/** Command line of `kgen dev`. */
import { Command } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen dev`. */
export interface DevArguments {
  readonly command: 'dev';
}

/** The command `kgen dev`. */
export const devCommand: CommandEntry<DevArguments> = {
  name: 'dev',
  usage: '[options]',
  about: 'runs the operator of a project in memory, and again after each change',
  describe,
  interpret: () => ({ command: 'dev' }),
  run: async (_, console) => (await import('../dev.ts')).runDev(console),
};

function describe(): Command {
  return new Command('kgen dev')
    .description(
      'Runs the operator of the project in the current folder on an API server in memory, with its definitions, its\nsamples, and the permissions of its service account. After a change of a file, everything is written again and\nthe operator restarts; the objects remain.',
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nNeeds @kgen/testing. kubectl uses the printed kubeconfig. Ends with SIGINT. Exit status 1 if the folder is\nnot a project, 2 for an invalid command line.',
    )
    .showHelpAfterError('(kgen dev --help lists the options)')
    .allowExcessArguments(false);
}
