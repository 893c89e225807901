/** Command line of `kgen create`. */
import { Argument, Command, Option } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen create`: a kind of others, or of the project. */
export type CreateArguments = ExternalArguments | OwnArguments;

interface ExternalArguments {
  readonly command: 'create';
  readonly part: 'external';
  /** Group, version and kind. */
  readonly external: string;
  /** Source of the definition; absent for a kind of Kubernetes. */
  readonly from?: string;
  readonly controller: boolean;
  readonly mode: 'write' | 'dry-run';
}

interface OwnArguments {
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
    .option(
      '--group <group>',
      'first part of the API group, before the domain of the project: cache; for webhooks also a group of Kubernetes: core',
    )
    .option('--version <version>', 'version, such as v1alpha1')
    .option('--kind <kind>', 'kind, such as RedisCluster')
    .optionsGroup('Of api:')
    .option('--plural <plural>', 'name of the resource (default: the plural of the kind in lower case)')
    .addOption(new Option('--scope <scope>').choices(['Namespaced', 'Cluster']).default('Namespaced'))
    .option('--no-controller', 'only the type and a sample')
    .optionsGroup('Of api, for a kind of another operator or of Kubernetes:')
    .option(
      '--external <kind>',
      'group, version and kind: cert-manager.io/v1/Certificate, apps/v1/Deployment',
    )
    .option(
      '--from <source>',
      'file, folder or address of its definition, or cluster (default: a kind of Kubernetes)',
    )
    .option('--controller', 'a controller, too, and its tests')
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

type Flags = Partial<Omit<OwnArguments, 'command' | 'part' | 'mode' | 'scope'>> &
  Pick<OwnArguments, 'scope'> & {
    readonly external?: string;
    readonly from?: string;
    readonly dryRun?: true;
  };

function interpret(command: Command): CreateArguments {
  const { dryRun, external, from, controller, ...flags } = command.opts<Flags>();
  const mode = dryRun ? 'dry-run' : 'write';
  const part = command.args[0] === 'webhook' ? 'webhook' : 'api';
  const isExternal = external !== undefined;
  refuseOthers(command, part, isExternal);
  if (isExternal) {
    const source = from === undefined ? {} : { from };
    return {
      command: 'create',
      part: 'external',
      external,
      ...source,
      // The default of kinds of the project has no source.
      controller: controller === true && command.getOptionValueSource('controller') === 'cli',
      mode,
    };
  }
  const { group, version, kind, defaults = false, validates = false, ...rest } = flags;
  if (group === undefined) return missing(command, '--group <group>');
  if (version === undefined) return missing(command, '--version <version>');
  if (kind === undefined) return missing(command, '--kind <kind>');
  const names = { group, version, kind };
  return {
    command: 'create',
    part,
    ...rest,
    ...names,
    controller: controller !== false,
    defaults,
    validates,
    mode,
  };
}

const ofOwn = ['group', 'version', 'kind', 'plural', 'scope'];
const ofWebhooks = ['defaults', 'validates'];

/** Ends with an error if an option belongs to another use of the command. */
function refuseOthers(command: Command, part: 'api' | 'webhook', isExternal: boolean): void {
  const others =
    part === 'webhook'
      ? ['plural', 'scope', 'controller', 'external', 'from']
      : isExternal
        ? [...ofOwn, ...ofWebhooks]
        : ['from', ...ofWebhooks];
  const name = others.find((each) => command.getOptionValueSource(each) === 'cli');
  if (name === undefined) return;
  const option = name === 'controller' && command.getOptionValue(name) === false ? 'no-controller' : name;
  const use = isExternal && part === 'api' ? 'api --external' : part;
  const hint = name === 'from' && part === 'api' ? ' without --external' : '';
  command.error(`error: --${option} is not an option of kgen create ${use}${hint}`);
}

function missing(command: Command, option: string): never {
  return command.error(`error: required option '${option}' not specified`);
}
