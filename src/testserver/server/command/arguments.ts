/** Command line of `kgen-testserver`, which `kgen serve` has, too. */
import { parseArgs } from 'node:util';
import { messageOf } from '@kgen/schema/values/thrown';

/** Parsed command line of `kgen serve`. */
export interface ServeArguments {
  /** Sources of CustomResourceDefinitions: files, folders, glob patterns and https addresses. */
  readonly crds?: readonly string[];
  /** Sources of objects, as `crds`. */
  readonly objects?: readonly string[];
  readonly namespaces?: readonly string[];
  /** Number of nodes. Default: 1. */
  readonly nodes?: number;
  readonly port?: number;
  readonly host?: string;
  /** Path of the kubeconfig. Default: a temporary file. */
  readonly kubeconfig?: string;
  /** File to which the state is written at the end. */
  readonly save?: string;
  /** File from which the state is read. */
  readonly load?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Result of `parseServeArguments`. */
export type ParsedArguments =
  | { readonly kind: 'serve'; readonly value: ServeArguments }
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Help of the command. */
export const helpText = `Usage: kgen-testserver [options]

Serves a Kubernetes API in memory with HTTPS, writes its kubeconfig, and prints the address. Ends with SIGINT.

Options:
  --crds <source>      CustomResourceDefinitions of the cluster; may be repeated
  --objects <source>   objects of the cluster; may be repeated
  --namespaces <name>  namespace in addition to those of every cluster; may be repeated
  --nodes <n>          number of nodes (default: 1)
  --port <number>      port of the API (default: a free one)
  --host <address>     address to listen on (default: 127.0.0.1)
  --kubeconfig <file>  kubeconfig to write (default: a temporary file)
  --load <file>        begin with the objects of a file that --save has written
  --save <file>        write all objects to a file at the end
  --json               print one JSON object: { url, kubeconfig, pid }
  --quiet              print the path of the kubeconfig only
  -h, --help           print this help

Sources are files, folders, glob patterns and https addresses. The kubeconfig is removed at the end. A state contains
Secrets without encryption. Exit status: 0 after SIGINT or SIGTERM, 1 for problems, 2 for an invalid command line.
`;

/** Parses a command line. */
export function parseServeArguments(argv: readonly string[]): ParsedArguments {
  try {
    const { help, nodes, port, ...rest } = valuesOf(argv);
    if (help === true) return { kind: 'help' };
    const numbers = {
      ...(nodes !== undefined && { nodes: integer('nodes', nodes, 0, 5000) }),
      ...(port !== undefined && { port: integer('port', port, 1, 65_535) }),
    };
    return { kind: 'serve', value: { ...rest, ...numbers } };
  } catch (cause) {
    return { kind: 'invalid', problem: messageOf(cause) };
  }
}

function valuesOf(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      crds: { type: 'string', multiple: true },
      objects: { type: 'string', multiple: true },
      namespaces: { type: 'string', multiple: true },
      nodes: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string' },
      kubeconfig: { type: 'string' },
      load: { type: 'string' },
      save: { type: 'string' },
      json: { type: 'boolean' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}

function integer(name: string, given: string, least: number, most: number): number {
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} must be an integer from ${least} to ${most}, got ${given}`);
}
