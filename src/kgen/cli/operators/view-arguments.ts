/** Command line of `kgen view`. */
import { Command } from 'commander';
import type { CommandEntry } from '../commands/entry.ts';
import { file } from '../options/values.ts';

/** Parsed command line of `kgen view`. */
export interface ViewArguments {
  readonly command: 'view';
  /** Path of a recording or of a document, as on the command line. */
  readonly file: string;
  /** File to which the page is written, in place of serving it. */
  readonly out?: string;
}

/** The command `kgen view`. */
export const viewCommand: CommandEntry<ViewArguments> = {
  name: 'view',
  usage: '[options] <file>',
  about: 'shows a recording on a page',
  describe,
  interpret,
  run: async (parsed, console) => (await import('./view.ts')).runView(parsed, console),
};

function describe(): Command {
  return new Command('kgen view')
    .description(
      'Serves a page with a recording of the flight recorder on 127.0.0.1, and prints its address. Only this address,\nwhich contains a token, opens it. Ends with SIGINT.',
    )
    .argument('<file>', 'recording, or a document in the format of docs/view.md')
    .option('--out <file>', 'write the page to a file instead, which contains the recording', file)
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nValues of Secrets are not on the page. Exit status 1 if the file cannot be read or is invalid, 2 for an invalid\ncommand line.',
    )
    .showHelpAfterError('(kgen view --help lists the options)')
    .allowExcessArguments(false);
}

function interpret(command: Command): ViewArguments {
  const [path = ''] = command.args;
  return { command: 'view', file: path, ...command.opts<Pick<ViewArguments, 'out'>>() };
}
