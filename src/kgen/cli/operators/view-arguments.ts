/** Command line of `kgen view`. */
import { Command, InvalidArgumentError } from 'commander';
import type { ManagerTarget } from '../../project/local/manager-pod.ts';
import type { CommandEntry } from '../commands/entry.ts';
import { context, file, name, port } from '../options/values.ts';

/** Parsed command line of `kgen view`. */
export interface ViewArguments {
  readonly command: 'view';
  /** Path of a recording or of a document, as on the command line; absent for a manager. */
  readonly file?: string;
  /** File to which the page is written, in place of serving it. */
  readonly out?: string;
  readonly manager?: NamedManager;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly port?: number;
  readonly serviceAccount?: string;
}

/** A manager on the command line. */
export type NamedManager = Omit<ManagerTarget, 'namespace'>;

/** The command `kgen view`. */
export const viewCommand: CommandEntry<ViewArguments> = {
  name: 'view',
  usage: '[options] [file]',
  about: 'shows a recording, or a running operator, on a page',
  describe,
  interpret,
  run: async (parsed, console) => (await import('./view.ts')).runView(parsed, console),
};

function describe(): Command {
  return new Command('kgen view')
    .description(
      'Serves a page with a recording of the flight recorder on 127.0.0.1, and prints its address. Only this address,\nwhich contains a token, opens it. With --manager, the page shows an operator in a cluster while it runs, through a\nport-forward. Ends with SIGINT.',
    )
    .argument('[file]', 'recording, or a document in the format of docs/view.md')
    .option(
      '--manager <target>',
      'running operator: deployment/NAME, pod/NAME or the name of a Deployment',
      target,
    )
    .option('-n, --namespace <name>', 'namespace of the operator (default: that of the context)', name)
    .option('--context <name>', 'context of the kubeconfig (default: its own)', context)
    .option('--kubeconfig <file>', 'kubeconfig (default: KUBECONFIG, or ~/.kube/config)', file)
    .option('--port <number>', 'port of the metrics (default: the port metrics of the Pod, or 8443)', port)
    .option('--service-account <name>', 'account whose token the operator receives (default: its own)', name)
    .option('--out <file>', 'write the page to a file instead, which contains the recording', file)
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nThe Manager of the operator needs metrics: { recording: true }. The page changes nothing in the cluster, and values\nof Secrets are not on it. Exit status 1 if the file is invalid or the operator cannot be read, 2 for an invalid\ncommand line.',
    )
    .showHelpAfterError('(kgen view --help lists the options)')
    .allowExcessArguments(false);
}

function interpret(command: Command): ViewArguments {
  const [path] = command.args;
  const options = command.opts<Omit<ViewArguments, 'command' | 'file'>>();
  const { manager, out: _, ...ofManager } = options;
  const [first] = Object.keys(ofManager);
  if (path !== undefined && manager !== undefined)
    command.error('error: pass a file, or --manager, not both');
  if (path === undefined && manager === undefined)
    command.error('error: pass the file of a recording, or --manager');
  if (manager === undefined && first !== undefined) {
    const option = first.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.error(`error: --${option} is an option of kgen view --manager`);
  }
  return { command: 'view', ...(path !== undefined && { file: path }), ...options };
}

/** Parses a target as kubectl does. */
function target(text: string): NamedManager {
  const [, kind = 'deployment', object = ''] = /^(?:([a-z]+)\/)?([a-z0-9][-a-z0-9.]*)$/.exec(text) ?? [];
  const found = kinds.get(kind);
  if (found === undefined || object === '')
    throw new InvalidArgumentError('Give deployment/NAME, pod/NAME or the name of a Deployment.');
  return { kind: found, name: object };
}

const kinds: ReadonlyMap<string, NamedManager['kind']> = new Map([
  ...['deployment', 'deployments', 'deploy'].map((each) => [each, 'deployment'] as const),
  ...['pod', 'pods', 'po'].map((each) => [each, 'pod'] as const),
]);
