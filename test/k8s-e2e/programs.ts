/** Programs of the images that Kubernetes' end-to-end tests run, for the server in memory. */
import type {
  ContainerAction,
  ContainerExit,
  PodRule,
  ProgramContainer,
  TestServerOptions,
} from '../../src/testserver/index.ts';
import { agnhost, handleProxied, handleRequest } from './images/agnhost.ts';
import { type ContainerSpec, specOf, userOf } from './images/container-spec.ts';
import type { Listeners } from './images/servers.ts';
import { builtins } from './shell/builtins.ts';
import { Input } from './shell/input.ts';
import { Shell, type ShellHost, type Streams } from './shell/run.ts';

const capacity = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110' };

/** Returns the options of a server for these tests. Its programs reach those that share `listeners`. */
export function clusterOptions(listeners: Listeners = new Map()): TestServerOptions {
  const programs = {
    run: (container: ProgramContainer) => run(container, listeners),
    handle: (container: ProgramContainer, action: ContainerAction) => handle(container, action, listeners),
  };
  const pullError = 'the image cannot be pulled';
  const pods: readonly PodRule[] = [
    ...['*invalid*', '*:404', '*:non-existent', 'localhost/*', '*authenticated*'].map((image) => ({
      match: { image },
      pullError,
    })),
    { match: { image: '*nonroot*' }, ...programs, imageUser: 1234 },
    { ...programs, imageUser: 0 },
  ];
  const nodes = ['node-1', 'node-2'].map((name) => ({ name, capacity }));
  return { pods, events: true, nodes };
}

/** Runs the main process of a container. */
function* run(container: ProgramContainer, listeners: Listeners): Generator<number, number | ContainerExit> {
  const spec = specOf(container);
  const words = wordsOf(container);
  const io = loggedStreams(container);
  if (words.includes('test-webserver')) container.write(certificate, 'certificate');
  try {
    const code = yield* execute(container, spec, words, io, listeners);
    if (code !== notFound) return code;
    return { code, reason: 'StartError', message: `exec: "${words[0]}": executable file not found in $PATH` };
  } finally {
    io.flush();
    const { address } = spec;
    listeners.set(
      address,
      (listeners.get(address) ?? []).filter((each) => each.container !== container),
    );
  }
}

/** A file of the image `agnhost` that tests move so that a probe fails. */
const certificate = '/localhost.crt';

/** Handles a probe, a hook or a command. */
function* handle(
  container: ProgramContainer,
  action: ContainerAction,
  listeners: Listeners,
): Generator<number, number> {
  const spec = specOf(container);
  switch (action.type) {
    case 'exec': {
      const io = { input: '', source: new Input(action.stdin), out: action.stdout, error: action.stderr };
      return yield* execute(container, spec, action.command, io, listeners);
    }
    case 'httpGet':
    case 'tcpSocket':
    case 'grpc': {
      // seam: the action is one of the specification of a container.
      const { path } = action.spec as { readonly path?: string };
      if (path === certificate && container.file(path) === undefined) return 1;
      const code = handleRequest(container, spec, action, listeners);
      return code >= 200 && code < 400 ? 0 : 1;
    }
    case 'http': {
      const { code, body } = handleProxied(spec, action, listeners);
      if (code === 599) throw new Error('connection refused');
      action.stdout(body);
      return code;
    }
    default:
      return 0;
  }
}

function* execute(
  container: ProgramContainer,
  spec: ContainerSpec,
  words: readonly string[],
  io: Streams,
  listeners: Listeners,
): Generator<number, number> {
  // `sh -x -c` prints the commands that it runs, which no test reads.
  const [program = '', ...args] = words.filter((each, index) => index !== 1 || each !== '-x');
  const host = hostOf(container, spec, listeners);
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === 'sh' || name === 'bash' || name === 'ash') {
    const [flag = '', script = '', ...rest] = args;
    if (flag === '-c') return yield* new Shell(host, rest, program).main(script, io);
    const file = host.file(flag);
    if (file !== undefined) return yield* new Shell(host, args, program).main(file.content, io);
    return io.source === undefined ? 0 : yield* new Shell(host, args, program).interactive(io.source, io);
  }
  const builtin = builtins[name];
  if (builtin !== undefined) return yield* builtin(new Shell(host), args, io);
  const found = host.program(words, io);
  if (found !== undefined) return yield* found;
  io.error(`exec: "${program}": executable file not found in $PATH\n`);
  return notFound;
}

/** Exit code of a container whose program does not exist. */
const notFound = 128;

/** Returns the command of a container, or that of its image. */
function wordsOf({ image, command, args }: ProgramContainer): readonly string[] {
  if (command.length > 0) return [...command, ...args];
  if (image.includes('agnhost')) return ['/agnhost', ...(args.length > 0 ? args : ['pause'])];
  if (image.includes('httpd')) return ['httpd'];
  if (image.includes('nautilus') || image.includes('kitten')) return ['nautilus'];
  if (image.includes('nonewprivs')) return ['/nonewprivs'];
  if (image.includes('busybox')) return args.length > 0 ? args : ['sh'];
  if (image.includes('nonroot')) return args.length > 0 ? args : ['id', '-u'];
  return ['/pause'];
}

function hostOf(container: ProgramContainer, spec: ContainerSpec, listeners: Listeners): ShellHost {
  return {
    name: container.name,
    env: { HOSTNAME: spec.hostname, HOME: '/root', PATH: '/bin:/usr/bin', ...container.env },
    file: (path) => spec.systemFile(path) ?? container.file(path),
    files: (prefix) => container.files(prefix),
    write: (path, content, mode) => {
      // Output of the main process.
      if (/^\/proc\/1\/fd\/[12]$/.test(path)) container.log((content ?? '').trimEnd());
      else container.write(path, content, mode);
    },
    now: () => container.now(),
    mayWrite: (path) => spec.mayWrite(path),
    ...userOf(spec),
    sysctl: (name) => spec.sysctl(name),
    isPrivileged: spec.security.privileged === true,
    program: (words, io) => agnhost(container, spec, words, io, listeners),
  };
}

/** Returns streams that write whole lines to the log. */
function loggedStreams(container: ProgramContainer): Streams & { readonly flush: () => void } {
  let rest = '';
  const out = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) container.log(line);
  };
  const flush = (): void => {
    if (rest !== '') container.log(rest);
    rest = '';
  };
  return { input: '', source: new Input(container.stdin), out, error: out, flush };
}
