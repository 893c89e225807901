/** Command line of `kgen permissions`. */
import { Command } from 'commander';
import { file } from '../../options/values.ts';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen permissions`. */
export interface PermissionsArguments {
  readonly command: 'permissions';
  /** Files and folders of the program; empty for `src`. */
  readonly paths: readonly string[];
  /** Value of `--config`, if present. */
  readonly config?: string;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
}

/** The command `kgen permissions`. */
export const permissionsCommand: CommandEntry<PermissionsArguments> = {
  name: 'permissions',
  usage: '[options] [files or folders...]',
  about: 'prints the permissions that a program needs',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../permissions.ts')).runPermissions(parsed, console),
};

function describe(): Command {
  return new Command('kgen permissions')
    .description(
      'Prints the permissions that a program needs: verbs, resources, namespaces, the lines that need them, and which\nof them are dangerous. Clients name their resources by their types.',
    )
    .argument('[files or folders...]', 'programs (default: src without tests, or the files of tsconfig.json)')
    .option('--config <file>', 'configuration file with stated permissions (default: kgen.config.*)', file)
    .option('--json', 'print one JSON object: { ok, permissions, dangers, problems }')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0, 1 if the resource of a call is not known at compile time, 2 for an invalid command line. Such a\ncall needs a comment above its statement, /** @permissions apps/deployments get list */.',
    )
    .showHelpAfterError('(kgen permissions --help lists the options)');
}

function interpret(command: Command): PermissionsArguments {
  const { json = false, config } = command.opts<{ readonly json?: true; readonly config?: string }>();
  const named = config === undefined ? {} : { config };
  return { command: 'permissions', paths: command.args, isJson: json, ...named };
}
