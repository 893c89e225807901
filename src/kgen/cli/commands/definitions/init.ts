/** Command line of `kgen init`. */
import { Command, Option } from 'commander';
import { type Format, formats } from '../../../config/names.ts';
import {
  type PackageManager,
  type ProjectPart,
  packageManagers,
  projectParts,
} from '../../../project/record.ts';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen init`. */
export interface InitArguments {
  readonly command: 'init';
  /** Name of the operator. Default: that of the folder. */
  readonly name?: string;
  /** Suffix of the groups of the project. Absent for a question at a terminal. */
  readonly domain?: string;
  /** Whether only a configuration file for clients is written. */
  readonly isClient: boolean;
  /** Format of that file. Default: the format that this version of Node can run. */
  readonly format?: Format;
  /** Whether an existing configuration file is replaced, even if it has another format. */
  readonly force: boolean;
  /** Files that a project has on request. */
  readonly parts: readonly ProjectPart[];
  /** Package manager of the next steps. Default: the one that runs kgen. */
  readonly packages?: PackageManager;
  readonly mode: 'write' | 'dry-run';
}

/** The command `kgen init`. */
export const initCommand: CommandEntry<InitArguments> = {
  name: 'init',
  usage: '[options] [name]',
  about: 'writes the project of an operator, or a configuration file for clients',
  describe,
  interpret,
  run: async (parsed, console) =>
    parsed.isClient
      ? (await import('../init-client.ts')).runInitClient(parsed, console)
      : (await import('../project/project.ts')).runInit(parsed, console),
};

function describe(): Command {
  return new Command('kgen init')
    .description(
      'Writes the project of an operator into the current folder, or with --client a configuration file with each\nsetting explained, for typed clients only. Existing files are kept.',
    )
    .argument('[name]', 'name of the operator (default: that of the folder)')
    .addOption(
      new Option(
        '--domain <domain>',
        'suffix of the API groups of the project, such as example.com',
      ).conflicts('client'),
    )
    .addOption(packagesOption().conflicts('client'))
    .addOption(new Option('--dry-run', 'write nothing, list what would be written').conflicts('client'))
    .optionsGroup('Further files of a project, also of an existing one:')
    .addOption(part('agents').conflicts('client'))
    .addOption(part('ci').conflicts('client'))
    .addOption(part('devcontainer').conflicts('client'))
    .optionsGroup('A configuration file only:')
    .option('--client', 'write kgen.config.*, and no project')
    .addOption(
      new Option(
        '--format <format>',
        'of the file, with --client (default: ts, or js if this version of Node.js does not run ts); json has no comments',
      )
        .choices(formats)
        .implies({ client: true })
        .conflicts('domain'),
    )
    .addOption(
      new Option('--force', 'replace an existing file, also one of another format')
        .implies({ client: true })
        .conflicts('domain'),
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status 1 if the folder is a project already, unless files are added to it, or has a configuration file. To read a file named init, write\n./init.',
    )
    .showHelpAfterError('(kgen init --help lists the options)')
    .allowExcessArguments(false);
}

/** Returns the option `--packages`. */
export function packagesOption(): Option {
  const about = 'package manager of the project (default: the one that runs kgen)';
  return new Option('--packages <manager>', about).choices(packageManagers);
}

const partTexts: Readonly<Record<ProjectPart, string>> = {
  agents: 'AGENTS.md: folders, rules and commands for coding agents',
  ci: 'a workflow of GitHub: written files, types, tests, simulation, image, deployment to kind',
  devcontainer: 'a development container with Node.js, Docker, kubectl and Helm',
};

/** Returns the option that adds a part. */
export function part(name: ProjectPart): Option {
  return new Option(`--${name}`, partTexts[name]);
}

interface Flags extends Readonly<Partial<Record<ProjectPart, true>>> {
  readonly domain?: string;
  readonly client?: true;
  readonly format?: Format;
  readonly force?: true;
  readonly packages?: PackageManager;
  readonly dryRun?: true;
}

function interpret(command: Command): InitArguments {
  const { domain, client = false, format, force = false, packages, dryRun, ...flags } = command.opts<Flags>();
  const [name] = command.args;
  if (client && name !== undefined)
    command.error('error: a name is that of a project: omit it with --client');
  return {
    command: 'init',
    isClient: client,
    force,
    parts: projectParts.filter((part) => flags[part]),
    mode: dryRun ? 'dry-run' : 'write',
    ...(name !== undefined && { name }),
    ...(domain !== undefined && { domain }),
    ...(format !== undefined && { format }),
    ...(packages !== undefined && { packages }),
  };
}
