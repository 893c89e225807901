/** Command line of `kgen build`. */
import { Command } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen build`. */
export interface BuildArguments {
  readonly command: 'build';
  /** Module that runs the operator. Default: `src/main.ts`. */
  readonly entry?: string;
  /** Folder of the result. */
  readonly out: string;
  /** Whether the result is an executable instead of the files of an image. */
  readonly isSingle: boolean;
  readonly mode: 'write' | 'dry-run';
}

/** The command `kgen build`. */
export const buildCommand: CommandEntry<BuildArguments> = {
  name: 'build',
  usage: '[options] [program]',
  about: 'bundles an operator into one file for an image, or an executable',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../build.ts')).runBuild(parsed, console),
};

function describe(): Command {
  return new Command('kgen build')
    .description(
      'Bundles the operator of the project in the current folder with its packages into one file, and writes a\nDockerfile for it. The program and the licences are in app, the source map, which is not part of the image, in\nmaps.',
    )
    .argument('[program]', 'module that runs the operator (default: src/main.ts)')
    .option('--out <folder>', 'folder of the result', 'dist')
    .option('--single', 'one executable with Node.js in it; needs Node 24 or later')
    .option('--dry-run', 'write nothing, list what would be written')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nNeeds rolldown, which @kgen/testing contains; --single with Node 24 needs postject. Exit status: 0 if all is written;\n1 if there are errors, in which case nothing is written; 2 for an invalid command line.',
    )
    .showHelpAfterError('(kgen build --help lists the options)')
    .allowExcessArguments(false);
}

interface Flags {
  readonly out: string;
  readonly single?: true;
  readonly dryRun?: true;
}

function interpret(command: Command): BuildArguments {
  const { out, single = false, dryRun } = command.opts<Flags>();
  const [entry] = command.args;
  const mode = dryRun ? 'dry-run' : 'write';
  return { command: 'build', out, isSingle: single, mode, ...(entry !== undefined && { entry }) };
}
