/** Command line of `kgen create`. */
import { Argument, Command, Option } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen create`. */
export interface CreateArguments {
  readonly command: 'create';
  readonly part: 'api' | 'webhook';
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly controller: boolean;
  /** Of `webhook`; without both, both are written. */
  readonly defaults: boolean;
  readonly validates: boolean;
  readonly mode: 'write' | 'dry-run';
}

/** The command `kgen create`. */
export const createCommand: CommandEntry<CreateArguments> = {
  name: 'create',
  usage: 'api|webhook [options]',
  about: 'adds a kind with its controller and tests, a version of it, or webhooks to a project',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../project/project.ts')).runCreate(parsed, console),
};

function describe(): Command {
  return new Command('kgen create')
    .description(
      'Adds to the project in the current folder. api: a kind with its type, a sample, its controller and their tests, or\na further version of a kind with its conversion. webhook: admission webhooks of a kind with their test. Edits of\nexisting files are merged.',
    )
    .addArgument(new Argument('<part>').choices(['api', 'webhook']))
    .requiredOption(
      '--group <group>',
      'first part of the API group, before the domain of the project: cache; for webhooks also a group of Kubernetes: core',
    )
    .requiredOption('--version <version>', 'version, such as v1alpha1')
    .requiredOption('--kind <kind>', 'kind, such as RedisCluster')
    .optionsGroup('Of api:')
    .option('--plural <plural>', 'name of the resource (default: the plural of the kind in lower case)')
    .addOption(new Option('--scope <scope>').choices(['Namespaced', 'Cluster']).default('Namespaced'))
    .option('--no-controller', 'only the type and a sample')
    .optionsGroup('Of webhook:')
    .option(
      '--defaults',
      'a webhook that changes objects before they are stored (without both options, both)',
    )
    .option('--validates', 'a webhook that refuses objects')
    .optionsGroup('Options:')
    .option('--dry-run', 'write nothing, list what would be written')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is written; 1 if there are errors, in which case nothing is written; 2 for an invalid command\nline.',
    )
    .showHelpAfterError('(kgen create --help lists the options)')
    .allowExcessArguments(false);
}

type Flags = Omit<CreateArguments, 'command' | 'part' | 'mode' | 'defaults' | 'validates'> & {
  readonly defaults?: true;
  readonly validates?: true;
  readonly dryRun?: true;
};

function interpret(command: Command): CreateArguments {
  const { dryRun, defaults = false, validates = false, ...flags } = command.opts<Flags>();
  const part = command.args[0] === 'webhook' ? 'webhook' : 'api';
  const misplaced = (part === 'api' ? ['defaults', 'validates'] : ['plural', 'scope', 'controller']).find(
    (name) => command.getOptionValueSource(name) === 'cli',
  );
  if (misplaced !== undefined) {
    const option = misplaced === 'controller' ? 'no-controller' : misplaced;
    command.error(`error: --${option} is not an option of kgen create ${part}`);
  }
  const mode = dryRun ? 'dry-run' : 'write';
  return { command: 'create', part, ...flags, defaults, validates, mode };
}
