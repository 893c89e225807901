/** Command line of `kgen codemod`. */
import { Command } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen codemod`. */
export interface CodemodArguments {
  readonly command: 'codemod';
  /** Files and folders; empty for the files of `tsconfig.json`. */
  readonly paths: readonly string[];
  /** Whether changes are only printed. */
  readonly isCheck: boolean;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
}

/** The command `kgen codemod`. */
export const codemodCommand: CommandEntry<CodemodArguments> = {
  name: 'codemod',
  usage: '[options] [files or folders...]',
  about: 'rewrites programs for a new release',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../codemod.ts')).runCodemod(parsed, console),
};

function describe(): Command {
  return new Command('kgen codemod')
    .description(
      'Rewrites programs for this release: names of kgen and @kgen packages that have moved or were renamed.\nFormatting and comments remain.',
    )
    .argument('[files or folders...]', 'programs (default: the files of tsconfig.json)')
    .option('--check', 'print what would change, and write nothing')
    .option('--json', 'print one JSON object: { ok, files: [{ path, changes }], problems }')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is done, 1 with --check if a file would change or if one cannot be written, 2 for an\ninvalid command line. Places that must be changed by hand are warnings.',
    )
    .showHelpAfterError('(kgen codemod --help lists the options)');
}

function interpret(command: Command): CodemodArguments {
  const { check = false, json = false } = command.opts<{ readonly check?: true; readonly json?: true }>();
  return { command: 'codemod', paths: command.args, isCheck: check, isJson: json };
}
