/** Subcommands of the image `agnhost`. */
import type { ContainerAction, ProgramContainer } from '../../../src/testserver/index.ts';
import type { Streams } from '../shell/run.ts';
import { type ContainerSpec, userOf } from './container-spec.ts';
import { mounttest } from './mounttest.ts';

/** A server in a container. */
export interface Listener {
  readonly container: ProgramContainer;
  readonly command: string;
  readonly args: readonly string[];
  readonly startedAt: number;
}

export type Listeners = Map<string, Listener[]>;

const forever = 24 * 3_600_000;

/** Subcommands that serve requests until they are stopped. */
const servers = [
  'netexec',
  'test-webserver',
  'liveness',
  'grpc-health-checking',
  'nettest',
  'serve-hostname',
  'porter',
  'webhook',
  'guestbook',
  'pause',
];

/** Runs a program of an image. `undefined` if there is none with this name. */
export function agnhost(
  container: ProgramContainer,
  spec: ContainerSpec,
  words: readonly string[],
  io: Streams,
  listeners: Listeners,
): Generator<number, number> | undefined {
  const [program = '', command = '', ...args] = words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === 'curl' || name === 'wget') return fetch(words, listeners);
  if (name === 'pause') return wait();
  if (name === 'nonewprivs') return print(`Effective uid: ${effectiveUser(spec)}\n`, io);
  if (!name.startsWith('agnhost')) return undefined;
  if (command === 'mounttest') return mounttest(container, spec, args, io);
  if (command === 'entrypoint-tester') return print(`[${words.join(' ')}]\n`, io);
  if (command === 'etc-hosts') return print(spec.systemFile('/etc/hosts')?.content ?? '', io);
  if (command === 'logs-generator') return generateLogs(args, io);
  if (!servers.includes(command)) return undefined;
  if (command === 'pause') io.out('Paused\n');
  const listener = { container, command, args, startedAt: container.now() };
  listeners.set(spec.address, [...(listeners.get(spec.address) ?? []), listener]);
  return wait();
}

/** Waits for a signal, and ends within half a second. */
function* wait(): Generator<number, number> {
  try {
    for (;;) yield forever;
  } catch {
    yield 500;
    return 0;
  }
}

/** The program belongs to root, and changes to its owner where that is allowed. */
function effectiveUser(spec: ContainerSpec): number {
  return spec.security.allowPrivilegeEscalation === false ? userOf(spec).user : 0;
}

// biome-ignore lint/correctness/useYield: it takes no time.
function* print(text: string, io: Streams): Generator<number, number> {
  io.out(text);
  return 0;
}

function* generateLogs(args: readonly string[], io: Streams): Generator<number, number> {
  const option = (name: string, missing: number): number => {
    const index = args.indexOf(name);
    return index < 0 ? missing : Number.parseFloat(args[index + 1] ?? '');
  };
  const total = option('--log-lines-total', 100);
  for (let line = 0; line < total; line += 1) {
    io.out(`${line} GET /api/v1/namespaces/default/pods/x ${200 + line}\n`);
    yield 100;
  }
  return 0;
}

function* fetch(words: readonly string[], listeners: Listeners): Generator<number, number> {
  const target = words.find((each) => /^https?:/.test(each));
  if (target === undefined) return 2;
  const { hostname, port, pathname, search } = new URL(target);
  return request(hostname, Number(port === '' ? 80 : port), pathname + search, listeners) < 400 ? 0 : 1;
}

/** Handles a probe or a hook over HTTP, TCP or gRPC. Returns a status code. */
export function handleRequest(
  container: ProgramContainer,
  { address }: ContainerSpec,
  { type, spec }: ContainerAction,
  listeners: Listeners,
): number {
  // seam: the action is one of the specification of a container.
  const action = spec as { readonly host?: string; readonly port?: number | string; readonly path?: string };
  const port = Number(action.port ?? 0);
  const path = action.path ?? '/';
  const isLocal = action.host === undefined || action.host === address;
  if (!isLocal) return request(action.host ?? '', port, path, listeners);
  const own = (listeners.get(address) ?? []).filter((each) => each.container === container);
  const found = own.length > 0 ? own : (listeners.get(address) ?? []);
  if (type === 'httpGet') return found.length > 0 ? request(address, port, path, listeners) : 0;
  return found.some((each) => portsOf(each).includes(port)) ? 200 : 0;
}

/** Sends a request to the servers of a pod. Returns a status code, 599 for a refused connection. */
function request(host: string, port: number, path: string, listeners: Listeners): number {
  const listener = (listeners.get(host) ?? []).find((each) => portsOf(each).includes(port));
  if (listener === undefined) return 599;
  listener.container.log(`GET ${path}`);
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  if (listener.command === 'liveness') return liveness(listener, pathname, searchParams);
  if (pathname !== '/dial') return 200;
  const target = `/${searchParams.get('request') ?? ''}`;
  return request(searchParams.get('host') ?? '', Number(searchParams.get('port')), target, listeners);
}

function liveness({ container, startedAt }: Listener, path: string, query: URLSearchParams): number {
  const isOld = container.now() - startedAt > 10_000;
  if (path === '/healthz') return isOld ? 500 : 200;
  const target = query.get('loc') ?? '';
  return path === '/redirect' && target.startsWith('/') ? (isOld ? 500 : 200) : 302;
}

function portsOf({ command, args }: Listener): readonly number[] {
  const option = (name: string): number | undefined => {
    const index = args.findIndex((each) => each === name || each.startsWith(`${name}=`));
    if (index < 0) return undefined;
    return Number(args[index]?.split('=')[1] ?? args[index + 1]);
  };
  const port = option('--port') ?? option('--http-port');
  switch (command) {
    case 'pause':
      return [];
    case 'grpc-health-checking':
      return [port ?? 5_000, 8_080];
    case 'test-webserver':
      return [port ?? 80];
    default:
      return [port ?? 8_080];
  }
}
