/** Command line of `kgen dev`. */
import { Command } from 'commander';
import { context, file } from '../../options/values.ts';
import type { CommandEntry } from '../entry.ts';
import { localWebhooks } from './cluster.ts';

/** Parsed command line of `kgen dev`. */
export interface DevArguments {
  readonly command: 'dev';
  /** Whether the operator runs against a cluster, in place of the server in memory. */
  readonly cluster?: boolean;
  readonly context?: string;
  readonly kubeconfig?: string;
  /** Whether samples are applied to the cluster. */
  readonly samples?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  /** Host by which the API server reaches the webhooks of this machine. */
  readonly webhookHost?: string;
}

/** The command `kgen dev`. */
export const devCommand: CommandEntry<DevArguments> = {
  name: 'dev',
  usage: '[options]',
  about: 'runs the operator of a project in memory or against a cluster, and again after each change',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../dev.ts')).runDev(parsed, console),
};

function describe(): Command {
  const command = new Command('kgen dev')
    .description(
      'Runs the operator of the project in the current folder on an API server in memory, with its definitions, its\nsamples, and the permissions of its service account. After a change of a file, everything is written again and\nthe operator restarts; the objects remain.',
    )
    .option(
      '--cluster',
      'run it against a cluster, with its credentials; the deployed operator pauses meanwhile',
    )
    .option('--context <name>', 'context of the kubeconfig (default: its own)', context)
    .option('--kubeconfig <file>', '(default: $KUBECONFIG, then ~/.kube/config)', file)
    .option('--samples', 'apply the samples to the cluster')
    .option('--force', 'take over fields of definitions that others have changed')
    .option('--dry-run', 'change nothing, print what would be changed in the cluster');
  return localWebhooks(command)
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nNeeds @kgen/testing. kubectl uses the printed kubeconfig. Ends with SIGINT. --cluster refuses contexts of protect\nin kgen.config. Exit status 1 if the folder is not a project, 2 for an invalid command line.',
    )
    .showHelpAfterError('(kgen dev --help lists the options)')
    .allowExcessArguments(false);
}

function interpret(parsed: Command): DevArguments {
  const options = parsed.opts<Omit<DevArguments, 'command'>>();
  const [other] = Object.keys(options).filter((name) => name !== 'cluster');
  const option = other?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (options.cluster !== true && option !== undefined)
    parsed.error(`error: --${option} is an option of kgen dev --cluster`);
  return { command: 'dev', ...options };
}
