/** Command lines of the commands that work on the cluster of a project. */
import { Command } from 'commander';
import { context, count, file, image, seconds, webhookHost } from '../../options/values.ts';
import type { CommandEntry } from '../entry.ts';

/** Names of the commands. */
export type ClusterCommandName = 'install' | 'uninstall' | 'run' | 'deploy' | 'undeploy' | 'logs' | 'doctor';

/** Parsed command line of a command that works on a cluster. */
export interface ClusterArguments {
  readonly command: ClusterCommandName;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly deleteObjects?: boolean;
  readonly keepObjects?: boolean;
  /** Manifests instead of those of the project; `-` for standard input. */
  readonly source?: string;
  readonly image?: string;
  /** Limit in seconds. */
  readonly timeout?: number;
  readonly follow?: boolean;
  readonly tail?: number;
  /** Age of the oldest line in seconds. */
  readonly since?: number;
  readonly allowProtected?: boolean;
  /** Host by which the API server reaches the webhooks of this machine. */
  readonly webhookHost?: string;
}

/** Name, help and options of a command. */
interface ClusterCommand {
  readonly about: string;
  readonly description: string;
  readonly options: (command: Command) => Command;
  readonly after?: string;
}

const dryRun = (command: Command): Command =>
  command.option('--dry-run', 'change nothing, print what would be changed');
const force = (command: Command): Command =>
  command.option('--force', 'take over fields that others have changed');
const timeout = (command: Command): Command =>
  command.option('--timeout <seconds>', 'limit of each wait', seconds);
/** Adds the option of commands that serve webhooks on this machine. */
export const localWebhooks = (command: Command): Command =>
  command.option(
    '--webhook-host <host>',
    'host by which the API server reaches webhooks on this machine (default: that of a local cluster)',
    webhookHost,
  );
const deleteObjects = (command: Command): Command =>
  command.option('--delete-objects', 'delete the objects of the kinds first, while the operator runs');

const commands: Readonly<Record<ClusterCommandName, ClusterCommand>> = {
  install: {
    about: 'applies the definitions of a project to a cluster',
    description: 'Applies the CustomResourceDefinitions in config/crd, and waits until they are served.',
    options: (command) => force(dryRun(command)),
  },
  uninstall: {
    about: 'deletes the definitions of a project from a cluster',
    description:
      'Deletes the CustomResourceDefinitions in config/crd. Objects of their kinds are listed, and keep them.',
    options: (command) => timeout(deleteObjects(dryRun(command))),
  },
  run: {
    about: 'runs the operator of a project on this machine, against a cluster',
    description:
      'Runs src/main.ts with the credentials of the context. The definitions must be installed, and no deployed copy may\nrun: kgen dev --cluster pauses it. The cluster calls the webhooks of the program on this machine until it ends.',
    options: (command) => localWebhooks(dryRun(command)),
    after:
      '\nNeeds @kgen/testing. Passes SIGINT and SIGTERM on, and ends with the exit status of the operator.\n',
  },
  deploy: {
    about: 'deploys the operator of a project to a cluster, and waits for its Pods',
    description:
      'Applies config/install.yaml, or the manifests of a file, removes objects that earlier ones contained, waits until\nthe Pods are available, and applies webhooks last. Prints why Pods do not start. An interrupted deployment\ncontinues.',
    options: (command) =>
      timeout(force(dryRun(command)))
        .argument('[file]', 'manifests, such as those of an overlay; - for standard input')
        .option('--image <image>', 'image of the operator, instead of that of the manifests', image),
    after: '\nOverlays: kubectl kustomize overlays/production | kgen deploy -\n',
  },
  undeploy: {
    about: 'removes the operator of a project from a cluster',
    description:
      'Prints the plan, and removes everything that kgen deploy has applied: webhooks first, the operator, its\npermissions, definitions, and the namespace unless it contains objects of others.',
    options: (command) =>
      timeout(deleteObjects(dryRun(command)))
        .option('--keep-objects', 'keep the definitions and their objects')
        .option('--force', 'delete objects that others have changed, too'),
  },
  logs: {
    about: 'prints the logs of all Pods of the operator',
    description:
      'Prints the logs of all Pods of the deployed operator in the order of time, with their names.',
    options: (command) =>
      command
        .option('-f, --follow', 'continue until the command is interrupted')
        .option('--tail <lines>', 'last lines of each Pod (default: all)', count)
        .option('--since <seconds>', 'only lines of the last seconds', count)
        .option('--allow-protected', 'read a context that is protected'),
  },
  doctor: {
    about: 'finds problems of the deployed operator',
    description:
      'Checks the definitions, the permissions of the service account, the Pods, the webhooks and their certificates, the\nleader, and objects that wait for their deletion.',
    options: (command) => command.option('--allow-protected', 'read a context that is protected'),
  },
};

/** The commands, in the order of the help. */
export const clusterCommands: readonly CommandEntry<ClusterArguments>[] = Object.entries(commands).map(
  ([key, { about }]) => {
    const name = key as ClusterCommandName; // seam: keys of an object are strings
    return {
      name,
      usage: name === 'deploy' ? '[options] [file]' : '[options]',
      about,
      describe: () => describe(name),
      interpret: (command) => interpret(name, command),
      run: async (parsed, console) =>
        (await import('../../operators/cluster.ts')).runCluster(parsed, console),
    };
  },
);

function describe(name: ClusterCommandName): Command {
  const { description, options, after = '' } = commands[name];
  return options(new Command(`kgen ${name}`).description(description))
    .option('--context <name>', 'context of the kubeconfig (default: its own)', context)
    .option('--kubeconfig <file>', '(default: $KUBECONFIG, then ~/.kube/config)', file)
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `${after}\nRefuses contexts of protect in kgen.config. Exit status: 0 if it succeeds, 1 for problems, 2 for an invalid command\nline.`,
    )
    .showHelpAfterError(`(kgen ${name} --help lists the options)`)
    .allowExcessArguments(false);
}

function interpret(command: ClusterCommandName, parsed: Command): ClusterArguments {
  const options = parsed.opts<Omit<ClusterArguments, 'command' | 'source'>>();
  const [source] = parsed.args;
  if (options.deleteObjects && options.keepObjects)
    parsed.error('error: --delete-objects and --keep-objects exclude each other');
  return { command, ...options, ...(source !== undefined && { source }) };
}
