/** Command line of `kgen serve`. */
import { Command } from 'commander';
import type { CommandEntry } from '../commands/entry.ts';
import { file, name, names, nodes, port, sources } from '../options/values.ts';

/** Parsed command line of `kgen serve`: that of `kgen-testserver`. */
export interface ServeArguments {
  readonly command: 'serve';
  readonly crds?: readonly string[];
  readonly objects?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly nodes?: number;
  readonly port?: number;
  readonly host?: string;
  readonly kubeconfig?: string;
  readonly load?: string;
  readonly save?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The command `kgen serve`. */
export const serveCommand: CommandEntry<ServeArguments> = {
  name: 'serve',
  usage: '[options]',
  about: 'serves a Kubernetes API in memory for kubectl and other programs',
  describe,
  interpret: (command) => ({ command: 'serve', ...command.opts<Omit<ServeArguments, 'command'>>() }),
  run: async (parsed, console) => (await import('./serve.ts')).runServe(parsed, console),
};

function describe(): Command {
  return new Command('kgen serve')
    .description(
      'Serves a Kubernetes API in memory with HTTPS, writes its kubeconfig, and prints the address. Ends with SIGINT.',
    )
    .option('--crds <source>', 'CustomResourceDefinitions of the cluster; may be repeated', sources)
    .option('--objects <source>', 'objects of the cluster; may be repeated', sources)
    .option('--namespaces <name>', 'namespace in addition to those of every cluster; may be repeated', names)
    .option('--nodes <n>', 'number of nodes (default: 1)', nodes)
    .option('--port <number>', 'port of the API (default: a free one)', port)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)', name)
    .option('--kubeconfig <file>', 'kubeconfig to write (default: a temporary file)', file)
    .option('--load <file>', 'begin with the objects of a file that --save has written', file)
    .option('--save <file>', 'write all objects to a file at the end', file)
    .option('--json', 'print one JSON object: { url, kubeconfig, pid }')
    .option('--quiet', 'print the path of the kubeconfig only')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nSources are files, folders, glob patterns and https addresses. The kubeconfig is removed at the end. A state contains\nSecrets without encryption. Exit status: 0 after SIGINT or SIGTERM, 1 for problems, 2 for an invalid command line.\nNeeds @kgen/testserver, whose command kgen-testserver is the same.',
    )
    .showHelpAfterError('(kgen serve --help lists the options)')
    .allowExcessArguments(false);
}
