/** Command line of `kgen create`. */
import { Argument, Command, Option } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen create api`. */
export interface CreateArguments {
  readonly command: 'create';
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly controller: boolean;
  readonly mode: 'write' | 'dry-run';
}

/** The command `kgen create`. */
export const createCommand: CommandEntry<CreateArguments> = {
  name: 'create',
  usage: 'api [options]',
  about: 'adds a kind with its controller and tests to a project',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../project.ts')).runCreate(parsed, console),
};

function describe(): Command {
  return new Command('kgen create')
    .description(
      'Adds a kind to the project in the current folder: its type, a sample, its controller and their tests.\nEdits of existing files are merged.',
    )
    .addArgument(new Argument('<part>').choices(['api']))
    .requiredOption('--group <group>', 'first part of the API group, before the domain of the project: cache')
    .requiredOption('--version <version>', 'version, such as v1alpha1')
    .requiredOption('--kind <kind>', 'kind, such as RedisCluster')
    .option('--plural <plural>', 'name of the resource (default: the plural of the kind in lower case)')
    .addOption(new Option('--scope <scope>').choices(['Namespaced', 'Cluster']).default('Namespaced'))
    .option('--no-controller', 'only the type and a sample')
    .option('--dry-run', 'write nothing, list what would be written')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is written; 1 if there are errors, in which case nothing is written; 2 for an invalid command\nline.',
    )
    .showHelpAfterError('(kgen create --help lists the options)')
    .allowExcessArguments(false);
}

type Flags = Omit<CreateArguments, 'command' | 'mode'> & { readonly dryRun?: true };

function interpret(command: Command): CreateArguments {
  const { dryRun, ...flags } = command.opts<Flags>();
  return { command: 'create', ...flags, mode: dryRun ? 'dry-run' : 'write' };
}
