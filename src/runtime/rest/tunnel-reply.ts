/** Reading what a proxy says before its tunnel is there. */
import type { Socket } from 'node:net';
import { messageOf } from '../callbacks.ts';
import type { ProxyServer } from './proxy.ts';
import { ProxyError } from './proxy-error.ts';

/** The other end of a tunnel, as the proxy is told it. */
export interface TunnelTarget {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The end of a connection to a proxy, in words that name it. */
export function proxyFailure(error: unknown, { label }: ProxyServer): ProxyError {
  if (error instanceof ProxyError) return error;
  const message = `the proxy ${label} cannot be reached: ${messageOf(error)}`;
  return new ProxyError('PROXY_UNREACHABLE', message, { cause: error });
}

/** A reply that was found at the beginning of some bytes. */
export interface Reply<T> {
  readonly value: T;
  readonly length: number;
}

/** Waits until `event`, or the end of the connection. Nothing of it listens afterwards. */
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

/** Reads until `parse` finds a reply; what comes after it stays to be read. */
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
