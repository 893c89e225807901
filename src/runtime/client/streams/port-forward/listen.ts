/** Local ports that are forwarded. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TransportError } from '../../../api/errors.ts';
import type { ForwardedPort, PortForwarding, PortForwardOptions } from '../../../api/verbs/port-forward.ts';
import { messageOf } from '../../../common/callbacks.ts';
import { errorCodeOf } from '../../../common/error-code.ts';
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
  if (specs.length === 0) throw new TypeError('port-forward: ports must contain at least one port');
  await forwarder.begin(specs.map(({ remote }) => remote));
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

/** Number of free ports that are tried, if the system selects one that is in use on another address. */
const mostPorts = 20;

async function startListener(
  forwarder: Forwarder,
  spec: PortSpec,
  options: PortForwardOptions,
): Promise<Listener> {
  const { addresses = ['localhost'], onConnectionError = warn } = options;
  const sockets = new Set<Socket>();
  let port: ForwardedPort = { ...spec, addresses: [] };
  const connected = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    forward(socket, forwarder, spec.remote, (error) => report(onConnectionError, error, port));
  };
  const servers = await listenOnAll(addresses, spec.local, connected).catch((cause: unknown) => {
    const message = `cannot listen on the local port ${spec.local}: ${messageOf(cause)}`;
    throw new TransportError(message, forwarder.operation, { cause, code: errorCodeOf(cause) });
  });
  port = {
    local: addressOf(servers[0])?.port ?? spec.local,
    remote: spec.remote,
    addresses: servers.flatMap((server) => addressOf(server)?.address ?? []),
  };
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await closeAll(servers);
  };
  return { port, close };
}

function addressOf(server: Server | undefined): AddressInfo | undefined {
  const address: AddressInfo | string | null | undefined = server?.address();
  return typeof address === 'object' && address !== null ? address : undefined;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map((server) => new Promise<void>((closed) => void server.close(() => closed()))),
  );
}

/** Listens on all addresses with one port. A free port of the first address may be in use on another one. */
async function listenOnAll(
  addresses: readonly string[],
  port: number,
  connected: (socket: Socket) => void,
): Promise<readonly Server[]> {
  for (let tries = 1; ; tries += 1) {
    const servers: Server[] = [];
    try {
      for (const address of addresses) {
        const group = address === 'localhost' ? ['127.0.0.1', '::1'] : [address];
        for (const host of group) {
          const local = addressOf(servers[0])?.port ?? port;
          const server = await listening(host, local, connected).catch((error: unknown) => {
            if (group.length > 1 && isMissingFamily(error)) return undefined;
            throw error;
          });
          if (server !== undefined) servers.push(server);
        }
      }
      if (servers.length === 0) throw new Error('this machine has neither 127.0.0.1 nor ::1');
      return servers;
    } catch (error) {
      await closeAll(servers);
      const isRetried = port === 0 && servers.length > 0 && errorCodeOf(error) === 'EADDRINUSE';
      if (!isRetried || tries >= mostPorts) throw error;
    }
  }
}

/** Returns whether the machine does not have the family of an address. Any other failure is an error. */
function isMissingFamily(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCodeOf(error) ?? '');
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
  failed: (error: Error) => void,
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
      failed(error instanceof Error ? error : new Error(messageOf(error), { cause: error }));
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
  error: Error,
  port: ForwardedPort,
): void {
  try {
    handle(error, port);
  } catch (thrown) {
    warn(thrown);
  }
}
