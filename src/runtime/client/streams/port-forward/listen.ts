/** Local ports that are forwarded. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TransportError } from '../../../api/errors.ts';
import type { ForwardedPort, PortForwarding, PortForwardOptions } from '../../../api/verbs/port-forward.ts';
import { messageOf } from '../../../common/callbacks.ts';
import { onAbort } from '../../../rest/abort/on-abort.ts';
import type { Forwarder } from './forwarder.ts';

/** A requested port. */
interface PortSpec {
  /** 0 for any free port. */
  readonly local: number;
  readonly remote: number | string;
}

/** Parses `8080:80`, `80` or `:80`, with the name of a port in place of the last number. */
export function parsePort(spec: string | number): PortSpec {
  const text = String(spec);
  const [first = '', second, ...more] = text.split(':');
  const remote = second ?? first;
  const local = second === undefined ? (isNumber(first) ? first : '0') : first || '0';
  const isRemote = isNumber(remote) ? isPort(remote, 1) : portName.test(remote);
  if (more.length > 0 || !isPort(local, 0) || !isRemote) {
    throw new TypeError(
      `ports must be local:remote, :remote or a port from 1 to 65535 or its name, got ${JSON.stringify(text)}`,
    );
  }
  return { local: Number(local), remote: isNumber(remote) ? Number(remote) : remote };
}

/** Names of ports in Pods and Services. */
const portName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

function isPort(text: string, least: number): boolean {
  return isNumber(text) && Number(text) >= least && Number(text) <= 65_535;
}

/** Listens on the local ports of the options until they are closed. */
export async function listenAll(forwarder: Forwarder, options: PortForwardOptions): Promise<PortForwarding> {
  const specs = options.ports.map(parsePort);
  if (specs.length === 0) throw new TypeError('ports must contain at least one port');
  await forwarder.begin();
  const listeners: Listener[] = [];
  const close = async (): Promise<void> => {
    forget?.();
    forwarder.close();
    await Promise.all(listeners.map((listener) => listener.close()));
  };
  const forget = options.signal && onAbort(options.signal, () => void close());
  try {
    for (const spec of specs) listeners.push(await startListener(forwarder, spec, options));
    options.signal?.throwIfAborted();
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: listeners.map(({ port }) => port), close };
}

/** The local addresses of one port. */
interface Listener {
  readonly port: ForwardedPort;
  close(): Promise<void>;
}

/** Listens on all addresses; of `localhost`, one of 127.0.0.1 and ::1 suffices. */
async function startListener(
  forwarder: Forwarder,
  spec: PortSpec,
  options: PortForwardOptions,
): Promise<Listener> {
  const { addresses = ['localhost'], onConnectionError = warn } = options;
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const port = { local: spec.local, remote: spec.remote };
  const connected = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    forward(socket, forwarder, spec.remote, (error) => report(onConnectionError, error, port));
  };
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(
      servers.map((server) => new Promise<void>((closed) => void server.close(() => closed()))),
    );
  };
  try {
    for (const address of addresses) {
      const group = address === 'localhost' ? ['127.0.0.1', '::1'] : [address];
      for (const server of await listenOn(group, port.local, connected)) servers.push(server);
      port.local = portOf(servers) ?? port.local;
    }
  } catch (cause) {
    await close();
    const message = `cannot listen on the local port ${port.local}: ${messageOf(cause)}`;
    throw new TransportError(message, forwarder.operation, { cause, code: codeOf(cause) });
  }
  return { port, close };
}

function portOf(servers: readonly Server[]): number | undefined {
  const address: AddressInfo | string | null | undefined = servers[0]?.address();
  return typeof address === 'object' ? address?.port : undefined;
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/** Listens on one address of a group at least, all with one port. */
async function listenOn(
  group: readonly string[],
  port: number,
  connected: (socket: Socket) => void,
): Promise<readonly Server[]> {
  const servers: Server[] = [];
  let failure: unknown;
  for (const host of group) {
    try {
      servers.push(await listening(host, portOf(servers) ?? port, connected));
    } catch (error) {
      failure ??= error;
    }
  }
  if (servers.length === 0) throw failure;
  return servers;
}

function listening(host: string, port: number, connected: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, connected);
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      // Errors of a listening server affect one connection, such as too many open files.
      server.on('error', () => undefined);
      resolve(server);
    });
  });
}

/** Connects a local socket with a port of the target. */
function forward(
  socket: Socket,
  forwarder: Forwarder,
  port: number | string,
  failed: (error: unknown) => void,
): void {
  let remote: Duplex | undefined;
  // A local connection that is reset is not an error of the port-forward.
  socket.on('error', () => undefined);
  socket.once('close', () => remote?.destroy());
  forwarder.connect(port).then(
    (stream) => {
      remote = stream;
      if (socket.destroyed) return void stream.destroy();
      stream.once('error', (error) => {
        if (!socket.destroyed) failed(error);
        socket.resetAndDestroy();
      });
      socket.pipe(stream);
      stream.pipe(socket);
    },
    (error: unknown) => {
      failed(error);
      socket.resetAndDestroy();
    },
  );
}

function warn(error: unknown): void {
  process.emitWarning(messageOf(error), { type: 'KubernetesWarning' });
}

/** An error of the caller's function becomes a process warning. */
function report(
  handle: NonNullable<PortForwardOptions['onConnectionError']>,
  error: unknown,
  port: ForwardedPort,
): void {
  try {
    handle(error, port);
  } catch (thrown) {
    warn(thrown);
  }
}
