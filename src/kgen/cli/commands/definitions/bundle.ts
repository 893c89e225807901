/** Command line of `kgen bundle`. */
import { Command, Option } from 'commander';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen bundle`. */
export interface BundleArguments {
  readonly command: 'bundle';
  /** Absent for that of package.json. */
  readonly version?: string;
  readonly mode: 'write' | 'check' | 'dry-run';
}

/** The command `kgen bundle`. */
export const bundleCommand: CommandEntry<BundleArguments> = {
  name: 'bundle',
  usage: '[options]',
  about: 'writes the bundle of the operator for the Operator Lifecycle Manager',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../bundle.ts')).runBundle(parsed, console),
};

function describe(): Command {
  return new Command('kgen bundle')
    .description(
      'Writes bundle/ from config and samples: the ClusterServiceVersion, the definitions, annotations and a Dockerfile.\nSettings are bundle in kgen.config.',
    )
    .option('--version <version>', 'version of the bundle (default: that of package.json)')
    .addOption(
      new Option(
        '--check',
        'write nothing, report files that differ and tests of the scorecard that fail',
      ).conflicts('dryRun'),
    )
    .option('--dry-run', 'write nothing, list what would be written')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nRun kgen first, which writes config. Exit status: 0 if all is written, or up to date with --check; 1 if there are\nerrors, in which case nothing is written; 2 for an invalid command line.',
    )
    .showHelpAfterError('(kgen bundle --help lists the options)')
    .allowExcessArguments(false);
}

interface Flags extends Pick<BundleArguments, 'version'> {
  readonly check?: true;
  readonly dryRun?: true;
}

function interpret(command: Command): BundleArguments {
  const { version, check, dryRun } = command.opts<Flags>();
  return {
    command: 'bundle',
    ...(version !== undefined && { version }),
    mode: check ? 'check' : dryRun ? 'dry-run' : 'write',
  };
}
