/** Command line of `kgen migrate`. */
import { Command } from 'commander';
import { context, count, file } from '../../options/values.ts';
import type { CommandEntry } from '../entry.ts';

/** Parsed command line of `kgen migrate`. */
export interface MigrateArguments {
  readonly command: 'migrate';
  /** `GROUP/KIND` each; empty for all. */
  readonly kinds: readonly string[];
  /** Whether all definitions with old stored versions are migrated. */
  readonly all?: boolean;
  readonly dryRun?: boolean;
  /** Writes per second. Absent for the default. */
  readonly rate?: number;
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** The command `kgen migrate`. */
export const migrateCommand: CommandEntry<MigrateArguments> = {
  name: 'migrate',
  usage: '[options] [GROUP/KIND...]',
  about: 'writes stored objects again in the storage version',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../migrate/migrate.ts')).runMigrate(parsed, console),
};

function describe(): Command {
  return new Command('kgen migrate')
    .description(
      'Writes all objects of custom resources again in the storage version, and removes the old versions from\nstatus.storedVersions of their definitions, which can then drop them. An interrupted migration continues.',
    )
    .argument('[GROUP/KIND...]', 'kinds, such as cache.example.com/RedisCluster')
    .option('--all', 'all kinds of the cluster with objects in an old version')
    .option('--dry-run', 'write nothing, and count the objects')
    .option('--rate <n>', 'writes per second (default: 100)', count)
    .option('--context <name>', 'context of the kubeconfig (default: its own)', context)
    .option('--kubeconfig <file>', '(default: $KUBECONFIG, then ~/.kube/config)', file)
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is migrated, 1 if objects cannot be written or the cluster cannot be read, 2 for an invalid\ncommand line.',
    )
    .showHelpAfterError('(kgen migrate --help lists the options)');
}

function interpret(command: Command): MigrateArguments {
  const options = command.opts<Omit<MigrateArguments, 'command' | 'kinds'>>();
  const [kinds, isAll] = [command.args, options.all === true];
  if (isAll === kinds.length > 0) command.error('error: name kinds as GROUP/KIND, or pass --all');
  const invalid = kinds.find((kind) => !/^[^/]+\/[^/]+$/.test(kind));
  if (invalid !== undefined) command.error(`error: ${JSON.stringify(invalid)} is not GROUP/KIND`);
  return { command: 'migrate', kinds, ...options };
}
