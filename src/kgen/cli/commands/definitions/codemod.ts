/** Command line of `kgen codemod`. */
import { Command } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen codemod`. */
export interface CodemodArguments {
  readonly command: 'codemod';
  /** Names of kgen that have moved, or programs on `@kubernetes/client-node`. */
  readonly subject: 'renames' | 'client-node';
  /** Files and folders; empty for the files of `tsconfig.json`. */
  readonly paths: readonly string[];
  /** Whether a change is a failure. */
  readonly isCheck: boolean;
  /** Whether files are written. */
  readonly isWritten: boolean;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
}

/** The command `kgen codemod`. */
export const codemodCommand: CommandEntry<CodemodArguments> = {
  name: 'codemod',
  usage: '[client-node] [options] [files or folders...]',
  about: 'rewrites programs for a new release, or from client-node',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../codemod.ts')).runCodemod(parsed, console),
};

function describe(): Command {
  return new Command('kgen codemod')
    .description(
      'Rewrites programs for this release: names of kgen and @kgen packages that have moved or were renamed.\nFormatting and comments remain.\n\nkgen codemod client-node converts programs on @kubernetes/client-node to kgen, and prints the difference; --write\nwrites the files. Places that it cannot convert get a comment `// kgen codemod: …`.',
    )
    .argument('[files or folders...]', 'programs (default: the files of tsconfig.json)')
    .option('--check', 'print what would change, and write nothing; exit status 1 if something would')
    .option('--dry-run', 'print what would change, and write nothing')
    .option('--write', 'with client-node, write the converted programs')
    .option('--json', 'print one JSON object: { ok, files: [{ path, changes }], problems }')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is done, 1 with --check if a file would change or if one cannot be written, 2 for an\ninvalid command line. Places that must be changed by hand are warnings.',
    )
    .showHelpAfterError('(kgen codemod --help lists the options)');
}

interface CodemodFlags {
  readonly check?: true;
  readonly dryRun?: true;
  readonly write?: true;
  readonly json?: true;
}

function interpret(command: Command): CodemodArguments {
  const { check = false, dryRun = false, write = false, json = false } = command.opts<CodemodFlags>();
  const [first, ...others] = command.args;
  const isClientNode = first === 'client-node';
  if (write && (check || dryRun)) command.error('error: --write excludes --check and --dry-run');
  if (write && !isClientNode) command.error('error: --write is an option of kgen codemod client-node');
  return {
    command: 'codemod',
    subject: isClientNode ? 'client-node' : 'renames',
    paths: isClientNode ? others : command.args,
    isCheck: check,
    isWritten: isClientNode ? write : !(check || dryRun),
    isJson: json,
  };
}
