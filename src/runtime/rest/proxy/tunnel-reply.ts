/** Reader of the replies of a proxy before its tunnel is open. */
import type { Socket } from 'node:net';
import { messageOf } from '../../common/callbacks.ts';
import type { ProxyServer } from './proxy.ts';
import { ProxyError } from './proxy-error.ts';

/** The other end of a tunnel. */
export interface TunnelTarget {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Returns the error of a failed connection to a proxy, which names the proxy. */
export function proxyFailure(error: unknown, { label }: ProxyServer): ProxyError {
  if (error instanceof ProxyError) return error;
  const message = `the proxy ${label} cannot be reached: ${messageOf(error)}`;
  return new ProxyError('PROXY_UNREACHABLE', message, { cause: error });
}

/** A reply that was parsed from the beginning of some bytes. */
export interface Reply<T> {
  readonly value: T;
  readonly length: number;
}

/** Waits until `event`, or the end of the connection. All listeners are removed. */
export function untilEvent(socket: Socket, proxy: ProxyServer, event: string): Promise<void> {
  const over = new ProxyError('PROXY_CLOSED', `the proxy ${proxy.label} closed the connection`);
  if (socket.destroyed || socket.readableEnded) {
    return Promise.reject(socket.errored ? proxyFailure(socket.errored, proxy) : over);
  }
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, arrived).off('error', failed).off('close', closed).off('end', closed);
      act();
    };
    const arrived = (): void => settle(resolve);
    const failed = (error: unknown): void => settle(() => reject(proxyFailure(error, proxy)));
    const closed = (): void => settle(() => reject(over));
    socket.on(event, arrived).on('error', failed).on('close', closed).on('end', closed);
  });
}

/** Reads until `parse` returns a reply; bytes after the reply are left in the socket. */
export async function readReply<T>(
  socket: Socket,
  proxy: ProxyServer,
  parse: (bytes: Buffer) => Reply<T> | undefined,
): Promise<T> {
  for (let bytes = Buffer.alloc(0); ; ) {
    const chunk: unknown = socket.read();
    if (!Buffer.isBuffer(chunk)) {
      await untilEvent(socket, proxy, 'readable');
      continue;
    }
    bytes = Buffer.concat([bytes, chunk]);
    const reply = parse(bytes);
    if (reply === undefined) continue;
    if (reply.length < bytes.length) socket.unshift(bytes.subarray(reply.length));
    return reply.value;
  }
}
