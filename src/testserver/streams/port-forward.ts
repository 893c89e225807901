/** Connections to ports of pods, which handlers of a test serve. */

import type { Context } from '../call/context.ts';
import type { PortForwardHandler } from '../call/stream-handlers.ts';
import { badRequest, notImplemented } from '../errors/failures.ts';
import type { ApiResponse } from '../request/request.ts';
import { closeCodes, type MessageSocket } from '../request/socket.ts';
import { checkConnect, checkScheduled, onDeleted, podOf } from './pods.ts';
import { PortConnection } from './port-connection.ts';
import { serveTunnel } from './spdy/tunnel.ts';

const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io';
const portProtocol = 'v4.channel.k8s.io';

/** Serves a connection to a port, for which a handler is called. */
export type ServePort = (port: number, connection: PortConnection) => void;

/** Handles `pods/portforward`. */
export function portForward(context: Context): ApiResponse {
  // A real server decodes the options first.
  const ports = context.request.query.getAll('ports').flatMap((list) => list.split(','));
  for (const port of ports) checkPort(port);
  checkConnect(context);
  checkScheduled(podOf(context));
  const handler = context.streams.get('portForward');
  if (handler === undefined)
    throw notImplemented('port-forward without a handler: call server.onPortForward()');
  return {
    kind: 'upgrade',
    protocols: ports.length > 0 ? [tunnelProtocol, portProtocol] : [tunnelProtocol],
    connected: (socket, protocol) => {
      const ended = new AbortController();
      const forget = onDeleted(context, () => socket.close(closeCodes.internalError, 'the pod was deleted'));
      socket.onClose(() => {
        forget();
        ended.abort();
      });
      const serve = serverOf(context, handler, ended.signal);
      if (protocol === tunnelProtocol) serveTunnel(socket, serve);
      else servePorts(socket, ports.map(Number), serve);
    },
  };
}

/** @throws {Failure} 400 for a string that is not the number of a port */
function checkPort(port: string): void {
  if (/^[1-9]\d{0,4}$/.test(port) && Number(port) < 65_536) return;
  const why = /^\d+$/.test(port) ? 'value out of range' : 'invalid syntax';
  throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: ${why}`);
}

function serverOf(
  { namespace, name, request }: Context,
  handler: PortForwardHandler,
  signal: AbortSignal,
): ServePort {
  const user = request.user.name;
  return (port, { stream }) => {
    const handle = async (): Promise<void> => handler({ namespace, pod: name, port, stream, signal, user });
    handle().catch((error: unknown) => {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    });
    stream.once('error', () => undefined);
  };
}

/** Channels per port: one for data, one for the message of an error. */
const channelsPerPort = 2;

/** Serves ports over the channels of one WebSocket, which cannot end one side of a connection. */
function servePorts(socket: MessageSocket, ports: readonly number[], serve: ServePort): void {
  const open = new Set<PortConnection>();
  const connections = ports.map((port, index) => {
    const channel = index * channelsPerPort;
    const begin = Uint8Array.of(port & 0xff, port >> 8);
    const send = (to: number, bytes: Uint8Array, sent?: (error?: Error | null) => void): void =>
      socket.send(Buffer.concat([Uint8Array.of(to), bytes]), sent);
    for (const each of [channel, channel + 1]) send(each, begin);
    const connection: PortConnection = new PortConnection({
      send: (bytes, sent) => send(channel, bytes, sent),
      resume: () => socket.resume(),
      end: (error) => {
        if (error !== undefined)
          send(channel + 1, Buffer.from(`error forwarding port ${port}: ${error.message}`));
        open.delete(connection);
        if (open.size === 0) socket.close(closeCodes.normal);
      },
    });
    open.add(connection);
    return connection;
  });
  socket.onMessage((message) => {
    const channel = message[0] ?? 0;
    const connection = channel % channelsPerPort === 0 ? connections[channel / channelsPerPort] : undefined;
    if (connection?.push(message.subarray(1)) === false) socket.pause();
  });
  socket.onClose(() => {
    for (const connection of connections) connection.close();
  });
  for (const [index, connection] of connections.entries()) serve(ports[index] ?? 0, connection);
}
