/** Command line of `kgen new`, which `npm create kgen` runs. */
import { Command } from 'commander';
import { type PackageManager, type ProjectPart, projectParts } from '../../../project/record.ts';
import type { CommandEntry } from '../entry.ts';
import { packagesOption, part } from './init.ts';

/** Parsed command line of `kgen new`. */
export interface NewArguments {
  readonly command: 'new';
  /** Folder, whose last part is the name of the operator. Absent for a question at a terminal. */
  readonly folder?: string;
  /** Suffix of the groups of the project. Absent for a question at a terminal. */
  readonly domain?: string;
  /** Files that a project has on request. */
  readonly parts: readonly ProjectPart[];
  /** Package manager that installs the packages. Default: the one that runs kgen. */
  readonly packages?: PackageManager;
  /** Whether the packages are installed. */
  readonly install: boolean;
  readonly mode: 'write' | 'dry-run';
}

/** The command `kgen new`. */
export const newCommand: CommandEntry<NewArguments> = {
  name: 'new',
  usage: '[options] [folder]',
  about: 'makes a folder with the project of an operator, and installs its packages',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../project/new-project.ts')).runNew(parsed, console),
};

function describe(): Command {
  return new Command('kgen new')
    .description(
      'Makes a folder, writes the project of an operator into it as kgen init does, and installs its packages.\nnpm create kgen@latest runs this command.',
    )
    .argument('[folder]', 'folder of the project, absent or empty; its last part is the name of the operator')
    .option('--domain <domain>', 'suffix of the API groups of the project, such as example.com')
    .addOption(packagesOption())
    .option('--no-install', 'do not install the packages')
    .option('--dry-run', 'write nothing, list what would be written')
    .optionsGroup('Further files:')
    .addOption(part('agents'))
    .addOption(part('ci'))
    .addOption(part('devcontainer'))
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status 1 if the packages cannot be installed; 2 if the folder is not empty.',
    )
    .showHelpAfterError('(kgen new --help lists the options)')
    .allowExcessArguments(false);
}

interface Flags extends Readonly<Partial<Record<ProjectPart, true>>> {
  readonly domain?: string;
  readonly packages?: PackageManager;
  readonly install: boolean;
  readonly dryRun?: true;
}

function interpret(command: Command): NewArguments {
  const { domain, packages, install, dryRun, ...flags } = command.opts<Flags>();
  const [folder] = command.args;
  return {
    command: 'new',
    install,
    parts: projectParts.filter((name) => flags[name]),
    mode: dryRun ? 'dry-run' : 'write',
    ...(folder !== undefined && { folder }),
    ...(domain !== undefined && { domain }),
    ...(packages !== undefined && { packages }),
  };
}
