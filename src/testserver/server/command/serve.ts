/** The command `kgen serve`: a server in memory for programs outside of this process. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '@kgen/schema/values/thrown';
import { parseSnapshot, serializeSnapshot } from '../snapshot.ts';
import { startObservedServer, type TestServer } from '../testserver.ts';
import type { ServeArguments } from './arguments.ts';
import { checkKubeconfig, type WrittenKubeconfig, writeKubeconfig } from './kubeconfig-file.ts';
import { checkState, writeOwnerFile } from './owner-file.ts';

/** Streams, folder and signals of the process. */
export interface ServeConsole {
  readonly cwd: string;
  readonly stdout: { readonly write: (text: string) => unknown };
  readonly stderr: { readonly write: (text: string) => unknown };
  /** Calls a function for each SIGINT and SIGTERM, which then do not end the process. */
  readonly onSignal?: (handle: () => void) => void;
}

const status = { ok: 0, problems: 1, usage: 2 } as const;

/** Serves until a signal arrives, and returns the exit status. A second signal ends the process at once. */
export async function serve(options: ServeArguments, console: ServeConsole): Promise<number> {
  const { stdout, stderr } = console;
  const conflict = conflictOf(options);
  if (conflict !== undefined) {
    stderr.write(`error: ${conflict}\n`);
    return status.usage;
  }
  const signal = firstSignal(console);
  try {
    const { server, kubeconfig } = await open(options, console);
    try {
      stdout.write(`${readyLine(options, server.url, kubeconfig.path)}\n`);
      await signal.arrives;
      await save(server, options, console);
    } finally {
      kubeconfig.remove();
      await server.stop();
    }
    return status.ok;
  } catch (cause) {
    stderr.write(`error: ${messageOf(cause)}\n`);
    return status.problems;
  } finally {
    signal.release();
  }
}

/** Options whose objects a state replaces. */
const initial = ['crds', 'objects', 'namespaces', 'nodes'] as const;

function conflictOf(options: ServeArguments): string | undefined {
  const empty = Object.entries(options).find(([, value]) => [value].flat().includes(''));
  if (empty !== undefined) return `--${empty[0]} must not be an empty string`;
  if (options.json && options.quiet) return '--json and --quiet exclude each other';
  const replaced = initial.find((name) => options.load !== undefined && options[name] !== undefined);
  return replaced === undefined
    ? undefined
    : `--load contains all objects, --${replaced} would have no effect: create further objects with kubectl`;
}

/** Waits for the first signal. The next one ends the process. */
function firstSignal({ onSignal }: ServeConsole): {
  readonly arrives: Promise<void>;
  readonly release: () => void;
} {
  let begin = (): void => {};
  let isEnding = false;
  const arrives = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const handle = (): void => {
    if (isEnding) process.exit(status.problems);
    isEnding = true;
    begin();
  };
  onSignal?.(handle);
  // The terminal was closed.
  process.on('SIGHUP', handle);
  return { arrives, release: () => process.off('SIGHUP', handle) };
}

interface Opened {
  readonly server: TestServer;
  readonly kubeconfig: WrittenKubeconfig;
}

/** @throws {Error} names the file, the source or the port, and the remedy */
async function open(options: ServeArguments, { cwd, stderr }: ServeConsole): Promise<Opened> {
  const { crds, objects, namespaces, nodes = 1, host = '127.0.0.1', port } = options;
  const file = options.kubeconfig === undefined ? undefined : resolve(cwd, options.kubeconfig);
  if (file !== undefined) checkKubeconfig(file);
  if (options.save !== undefined) checkState(resolve(cwd, options.save));
  const snapshot = options.load === undefined ? undefined : stateIn(resolve(cwd, options.load));
  const { server } = await startObservedServer(
    {
      https: true,
      ...(crds && { crds }),
      ...(objects && { objects }),
      ...(namespaces && { namespaces }),
      nodes: nodes === 1 ? ['test-node'] : Array.from({ length: nodes }, (_, index) => `node-${index + 1}`),
    },
    { host, port },
  ).catch((cause: unknown) => {
    throw portProblem(cause, host, port) ?? cause;
  });
  try {
    if (snapshot !== undefined) server.restore(snapshot);
    const kubeconfig = writeKubeconfig(file, server.kubeconfig);
    if (!/^(127\.|localhost$|::1$)/.test(host))
      stderr.write(`warning: other machines reach ${host}; the kubeconfig contains the token of requests\n`);
    return { server, kubeconfig };
  } catch (cause) {
    await server.stop();
    throw cause;
  }
}

function stateIn(path: string): ReturnType<typeof parseSnapshot> {
  try {
    return parseSnapshot(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`cannot load ${path}: ${messageOf(cause)}`, { cause });
  }
}

const portProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port: choose another --port, or omit it for a free one',
  EACCES: 'the port is reserved: choose one of at least 1024',
  EADDRNOTAVAIL: 'this machine does not have the address: choose another --host',
  ENOTFOUND: 'the name has no address: choose another --host',
};

function portProblem(cause: unknown, host: string, port = 0): Error | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const advice = portProblems[code];
  return advice === undefined ? undefined : new Error(`cannot listen on ${host}, port ${port}: ${advice}`);
}

function readyLine({ json, quiet }: ServeArguments, url: string, kubeconfig: string): string {
  if (json) return JSON.stringify({ url, kubeconfig, pid: process.pid });
  return quiet ? kubeconfig : `${url}  export KUBECONFIG=${quoted(kubeconfig)}`;
}

/** Returns a word of a shell. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** @throws {Error} the file cannot be written */
async function save(server: TestServer, options: ServeArguments, console: ServeConsole): Promise<void> {
  if (options.save === undefined) return;
  writeOwnerFile(resolve(console.cwd, options.save), serializeSnapshot(server.snapshot()));
  if (!options.json && !options.quiet) console.stdout.write(`saved ${options.save}\n`);
}
