/** Command line of `kgen manifests`. */
import { Command, Option } from 'commander';
import type { GenerateMode } from '../../../generate/generate.ts';
import { against, context, file, folder, inputs } from '../../options/values.ts';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen manifests`. */
export interface ManifestsArguments {
  readonly command: 'manifests';
  /** Modules and folders; empty for the default. */
  readonly input: readonly string[];
  /** Absent for the default. */
  readonly out?: string;
  readonly program?: readonly string[];
  readonly name?: string;
  readonly namespace?: string;
  readonly watchNamespaces?: readonly string[];
  readonly mode: GenerateMode;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
  /** Whether only problems are printed. Default: false. */
  readonly isQuiet?: boolean;
  /** Whether the command runs again after each change. */
  readonly isWatch: boolean;
  /** The definitions to compare with: files, a commit, or `cluster`. Absent for none. */
  readonly against?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** The command `kgen manifests`. */
export const manifestsCommand: CommandEntry<ManifestsArguments> = {
  name: 'manifests',
  usage: '[options] [modules or folders...]',
  about: 'writes CustomResourceDefinitions and permissions from TypeScript',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../manifests.ts')).runManifests(parsed, console),
};

const purpose =
  'Writes the CustomResourceDefinitions that TypeScript modules declare with `api` of kgen/api,\nto crd/GROUP_PLURAL.yaml in the output folder, and the permissions that the program needs to rbac/.';

const exitStatus =
  '\nExit status: 0 if all is written, or up to date with --check; 1 if there are errors, in which case nothing is\nwritten, or if files differ with --check; 2 for an invalid command line or configuration; 4 if a change\nbreaks stored objects or clients, with --against.';

function describe(): Command {
  const command = new Command('kgen manifests')
    .description(purpose)
    .argument('[modules or folders...]', 'modules, and folders of them (default: api)')
    .option('-o, --out <dir>', 'output folder (default: config)', folder)
    .option(
      '--program <file|dir>',
      'file or folder of the program, for rbac/; may be repeated (default: src, if it exists)',
      inputs,
    )
    .option('--name <name>', 'name of the operator in rbac/ (default: that of package.json)')
    .option('--namespace <name>', 'namespace of the operator in rbac/ (default: its name)')
    .option(
      '--watch-namespaces <names>',
      'namespaces that the operator watches, separated by commas (default: all)',
      (names: string) => names.split(','),
    );
  return addRun(command)
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', exitStatus)
    .showHelpAfterError('(kgen manifests --help lists the options)');
}

function addRun(command: Command): Command {
  return command
    .addOption(
      new Option('--check', 'write nothing, report files that differ from the modules').conflicts('dryRun'),
    )
    .addOption(
      new Option(
        '--against <where>',
        'check, and report changes of definitions by their effect on stored objects and clients, compared with\nfiles, a folder, the output folder at a commit, or a cluster, whose objects are counted (cluster)',
      )
        .argParser(against)
        .implies({ check: true })
        .conflicts('dryRun'),
    )
    .option(
      '--context <name>',
      'context of the kubeconfig, with --against cluster (default: its own)',
      context,
    )
    .option('--kubeconfig <file>', 'with --against cluster (default: $KUBECONFIG, then ~/.kube/config)', file)
    .option('--dry-run', 'write nothing, list what would be written')
    .addOption(
      new Option(
        '--watch',
        'write again after each change of a file, until the command is interrupted',
      ).conflicts(['check', 'dryRun', 'against', 'json']),
    )
    .option(
      '--json',
      'print one JSON object: { ok, out, files, definitions, problems }, with changes and stored for --against',
    );
}

interface Flags
  extends Omit<ManifestsArguments, 'command' | 'input' | 'mode' | 'isJson' | 'isQuiet' | 'isWatch'> {
  readonly check?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly watch?: true;
}

function interpret(command: Command): ManifestsArguments {
  const { check, dryRun, json = false, watch = false, ...flags } = command.opts<Flags>();
  for (const option of ['context', 'kubeconfig'] as const)
    if (flags[option] !== undefined && flags.against !== 'cluster')
      command.error(`error: --${option} is an option of kgen manifests --against cluster`);
  return {
    ...flags,
    command: 'manifests',
    input: command.args,
    mode: check ? 'check' : dryRun ? 'dry-run' : 'write',
    isJson: json,
    isWatch: watch,
  };
}
