/** Subcommands of the image `agnhost`. */
import type { ContainerAction, ProgramContainer } from '../../../src/testserver/index.ts';
import type { Streams } from '../shell/run.ts';
import { type ContainerSpec, userOf } from './container-spec.ts';
import { mounttest } from './mounttest.ts';
import { testPort } from './ports.ts';
import { type Listener, type Listeners, portsOf, request, type ServerResponse } from './servers.ts';

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
  if (name === 'curl' || name === 'wget') return fetch(words, io, listeners);
  if (name === 'pause') return wait();
  if (name === 'nonewprivs') return print(`Effective uid: ${effectiveUser(spec)}\n`, io);
  if (name === 'netstat') return netstat(spec, io, listeners);
  if (name === 'httpd' || name === 'nautilus')
    return serve({ container, command: name, args, startedAt: container.now() }, spec, listeners);
  if (!name.startsWith('agnhost')) return undefined;
  if (command === 'mounttest') return mounttest(container, spec, args, io);
  if (command === 'entrypoint-tester') return print(`[${words.join(' ')}]\n`, io);
  if (command === 'etc-hosts') return print(spec.systemFile('/etc/hosts')?.content ?? '', io);
  if (command === 'logs-generator') return generateLogs(args, io);
  if (command === 'port-forward-tester') {
    const listener = { container, command, args, startedAt: container.now() };
    return testPort(container, (accept) => listen({ ...listener, accept }, spec, listeners), io);
  }
  if (!servers.includes(command)) return undefined;
  if (command === 'pause') io.out('Paused\n');
  return serve({ container, command, args, startedAt: container.now() }, spec, listeners);
}

function serve(listener: Listener, spec: ContainerSpec, listeners: Listeners): Generator<number, number> {
  listen(listener, spec, listeners);
  return wait();
}

function listen(listener: Listener, { address }: ContainerSpec, listeners: Listeners): void {
  listeners.set(address, [...(listeners.get(address) ?? []), listener]);
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

/** Prints lines about different namespaces, evenly over the duration. */
function* generateLogs(args: readonly string[], io: Streams): Generator<number, number> {
  const option = (name: string, missing: number): number => {
    const index = args.findIndex((each) => each === name || each.startsWith(`${name}=`));
    if (index < 0) return missing;
    return Number.parseFloat(args[index]?.split('=')[1] ?? args[index + 1] ?? '');
  };
  const total = option('--log-lines-total', 100);
  const delay = (option('--run-duration', 10) * 1_000) / total;
  for (let line = 0; line < total; line += 1) {
    const namespace = ['kube-system', 'default', 'ns'][line % 3];
    io.out(`${line} GET /api/v1/namespaces/${namespace}/pods/x ${200 + line}\n`);
    yield delay;
  }
  return 0;
}

/** Lists the ports of the pod. */
function netstat({ address }: ContainerSpec, io: Streams, listeners: Listeners): Generator<number, number> {
  const ports = (listeners.get(address) ?? []).flatMap(portsOf);
  return print(ports.map((port) => `tcp  0  0 :::${port}  :::*  LISTEN\n`).join(''), io);
}

function* fetch(words: readonly string[], io: Streams, listeners: Listeners): Generator<number, number> {
  const target = words.find((each) => /^https?:/.test(each));
  if (target === undefined) return 2;
  const { hostname, port, pathname, search } = new URL(target);
  const sent = { port: Number(port === '' ? 80 : port), path: pathname + search };
  const { code, body } = request(hostname, sent, listeners);
  if (code < 400) io.out(body);
  return code < 400 ? 0 : 1;
}

/** Handles a request to a port of a container. */
export function handleProxied(
  { address }: ContainerSpec,
  { spec }: ContainerAction,
  listeners: Listeners,
): ServerResponse {
  // seam: the action is a request.
  const { port, path, method } = spec as {
    readonly port: number;
    readonly path: string;
    readonly method: string;
  };
  return request(address, { port, path, method }, listeners);
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
  if (!isLocal) return request(action.host ?? '', { port, path }, listeners).code;
  const own = (listeners.get(address) ?? []).filter((each) => each.container === container);
  const found = own.length > 0 ? own : (listeners.get(address) ?? []);
  if (type === 'httpGet') return found.length > 0 ? request(address, { port, path }, listeners).code : 0;
  return found.some((each) => portsOf(each).includes(port)) ? 200 : 0;
}
