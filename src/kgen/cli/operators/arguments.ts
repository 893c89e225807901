/** Command lines of the commands that run operators of a project. */
import { Command, Option } from 'commander';
import type { CommandEntry } from '../commands/entry.ts';
import { count, exportName, file, reportFiles, seedNumber, sources } from '../options/values.ts';

/** A module that exports an operator. */
interface OperatorModule {
  /** Path of the module, as on the command line. */
  readonly file: string;
  /** Name of the exported function. Default: the default export, or the only function. */
  readonly export?: string;
}

/** Parsed command line of `kgen simulate`. */
export interface SimulateArguments extends OperatorModule {
  readonly command: 'simulate';
  /** Sources of CustomResourceDefinitions: files, folders, glob patterns and https addresses. */
  readonly crds?: readonly string[];
  /** Number of schedules. */
  readonly seeds?: number;
  /** The first schedule. */
  readonly from?: number;
  /** The only schedule. */
  readonly seed?: number;
  /** File of a saved schedule. */
  readonly schedule?: string;
  /** Maximum number of objects of a schedule. */
  readonly objects?: number;
  /** Maximum number of faults, changes and deletions of a schedule. */
  readonly steps?: number;
  /** Number of processes. */
  readonly jobs?: number;
  /** Whether the simulation continues after a failure. */
  readonly continue?: boolean;
  /** Files to write, in the format of their extensions. */
  readonly report?: readonly string[];
}

/** Parsed command line of `kgen replay`. */
export interface ReplayArguments extends OperatorModule {
  readonly command: 'replay';
  /** Path of the recording. */
  readonly recording: string;
}

/** The command `kgen simulate`. */
export const simulateCommand: CommandEntry<SimulateArguments> = {
  name: 'simulate',
  usage: '[options] <file>',
  about: 'runs an operator under schedules of faults',
  describe: describeSimulate,
  interpret: interpretSimulate,
  run: async (parsed, console) => (await import('./run.ts')).runOperator(parsed, console),
};

function describeSimulate(): Command {
  const command = new Command('kgen simulate')
    .description(
      'Runs an operator on an API server in memory, in virtual time, with one schedule of faults for each seed, and\nprints what happened with the first schedule with which it fails, which is saved in the folder schedules.',
    )
    .argument('<file>', 'module that exports a function which builds the manager')
    .option('--crds <source>', 'CustomResourceDefinitions of the cluster; may be repeated', sources)
    .option('--seeds <n>', 'number of schedules (default: 100)', count)
    .option('--from <n>', 'the first schedule (default: 1)', count)
    .addOption(
      new Option('--seed <n>', 'only the schedule of this seed')
        .argParser(seedNumber)
        .conflicts(['seeds', 'from', 'schedule']),
    )
    .addOption(
      new Option('--schedule <file>', 'only a saved schedule: schedules/CHECK-SEED.json')
        .argParser(file)
        .conflicts(['seeds', 'from']),
    )
    .option('--objects <n>', 'maximum number of objects of a schedule (default: 3)', count)
    .option('--steps <n>', 'maximum number of other events of a schedule (default: 8)', count)
    .option('--jobs <n>', 'number of processes (default: one for each core, and for each 25 seeds)', count)
    .option('--continue', 'collect the distinct failures of all schedules, and print a table of them')
    .option('--report <file>', 'write a report: .txt, .json or .html; may be repeated', reportFiles);
  return withModule(command).addHelpText(
    'after',
    `${needs}
The module may also export \`simulation\`, options of \`simulate\` without its listeners: the command line takes
precedence.

Exit status: 0 if every schedule has passed, 1 if one has failed or a process has ended, 2 for an invalid
command line or module.`,
  );
}

/** The command `kgen replay`. */
export const replayCommand: CommandEntry<ReplayArguments> = {
  name: 'replay',
  usage: '[options] <recording> <file>',
  about: 'runs an operator on a recording',
  describe: describeReplay,
  interpret: interpretReplay,
  run: async (parsed, console) => (await import('./run.ts')).runOperator(parsed, console),
};

function describeReplay(): Command {
  const command = new Command('kgen replay')
    .description(
      'Runs an operator on a recording of the flight recorder of its manager, up to the first difference.',
    )
    .argument('<recording>', 'file that the manager has written')
    .argument('<file>', 'module that exports a function which builds the manager');
  return withModule(command).addHelpText(
    'after',
    `${needs}

Exit status: 0 if everything is as recorded, 1 if not, 2 for an invalid command line, module or recording.`,
  );
}

const needs = '\nThe project of the module needs @kgen/testing. Modules are JavaScript or TypeScript.';

function withModule(command: Command): Command {
  return command
    .option('--export <name>', 'the function (default: the default export, or the only function)', exportName)
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError(`(${command.name()} --help lists the options)`)
    .allowExcessArguments(false);
}

function interpretSimulate(command: Command): SimulateArguments {
  const [file = ''] = command.args;
  return { command: 'simulate', file, ...command.opts<Omit<SimulateArguments, 'command' | 'file'>>() };
}

function interpretReplay(command: Command): ReplayArguments {
  const [recording = '', file = ''] = command.args;
  return { command: 'replay', recording, file, ...command.opts<Pick<ReplayArguments, 'export'>>() };
}
