/** Connections to the ports of one pod: many on one tunnel, or one per WebSocket with the older protocol. */
import type { Duplex } from 'node:stream';
import { TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import type { APIRequest } from '../../../api/transport.ts';
import type { RESTClient } from '../../../rest/client.ts';
import { type ChannelEvent, noMessage, readChannel } from '../exec/channels.ts';
import { SpdySession, type SpdyStreamEvents } from '../spdy/session.ts';
import { WebSocketConnection } from '../websocket/connection.ts';
import { isProtocolFailure, openWebSocket } from '../websocket/open.ts';
import { PortStream } from './port-stream.ts';

/** Connections to one pod. */
export interface PodLink {
  /** Whether further connections can be opened without waiting for a slow one. */
  readonly usable: boolean;
  /** Opens a connection to a port. */
  connect(port: number): Promise<Duplex>;
  /** Closes all connections. */
  close(error: Error): void;
}

const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io';
const legacyProtocol = 'v4.channel.k8s.io';
/** Milliseconds within which the server must accept a connection, as in client-go. */
const acceptMs = 30_000;

/**
 * Opens connections to a pod: a tunnel, or the older protocol if the server does not support tunnels. With
 * the latter, the first connection opens the first WebSocket.
 * @param requestOf returns the request of a connection to a port, or of a tunnel
 */
export async function openLink(
  rest: RESTClient,
  requestOf: (port: number | undefined) => APIRequest,
): Promise<PodLink> {
  const request = requestOf(undefined);
  const { operation } = request;
  try {
    const { connection } = await openWebSocket(rest, request, [tunnelProtocol]);
    const session = new SpdySession(connection, { operation });
    return new Tunnel(session, operation);
  } catch (error) {
    if (!isProtocolFailure(error)) throw error;
    return new LegacyLink(rest, requestOf, operation);
  }
}

class Tunnel implements PodLink {
  readonly #session: SpdySession;
  readonly #operation: RequestOperation;
  #requests = 0;

  constructor(session: SpdySession, operation: RequestOperation) {
    this.#session = session;
    this.#operation = operation;
  }

  get usable(): boolean {
    return this.#session.usable && !this.#session.stalled;
  }

  connect(port: number): Promise<Duplex> {
    const headers = { port: String(port), requestid: String(this.#requests) };
    this.#requests += 1;
    return new TunnelConnection(this.#session, this.#operation, headers).accepted;
  }

  close(error: Error): void {
    this.#session.close(error);
  }
}

/** A connection on a tunnel: a stream for the messages of errors, and then one for the data. */
class TunnelConnection {
  /** The stream of the data, when the server has accepted both. */
  readonly accepted: Promise<Duplex>;
  readonly #made: PortStream;
  readonly #timer: NodeJS.Timeout;
  #settle: { resolve(stream: Duplex): void; reject(error: Error): void };
  #replies = 0;

  constructor(session: SpdySession, operation: RequestOperation, headers: Readonly<Record<string, string>>) {
    this.#settle = { resolve: () => undefined, reject: () => undefined };
    this.accepted = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    const late = `the server did not accept a connection to port ${headers['port']} in time`;
    this.#timer = setTimeout(() => this.#made.stream.destroy(new TransportError(late, operation)), acceptMs);
    const errors = session.open({ streamtype: 'error', ...headers }, this.#errorEvents());
    errors.end();
    const data = session.open({ streamtype: 'data', ...headers }, this.#dataEvents());
    const close = (): void => {
      clearTimeout(this.#timer);
      errors.reset();
      data.reset();
    };
    const setFull = (full: boolean): void => session.setFull(this, full);
    const failed = (error: Error): void => this.#settle.reject(error);
    this.#made = new PortStream({ send: data.send, end: data.end, close, setFull, failed }, operation);
    this.#made.stream.on('error', (error) => this.#settle.reject(error));
  }

  #errorEvents(): SpdyStreamEvents {
    return {
      replied: () => this.#replied(),
      data: (bytes, last) => {
        this.#made.error(bytes);
        if (last) this.#made.endErrors();
      },
      // A reset may overtake the message that explains it.
      failed: (_error, isOver) => {
        if (isOver) this.#made.endErrors();
      },
    };
  }

  #dataEvents(): SpdyStreamEvents {
    return {
      replied: () => this.#replied(),
      data: (bytes, last) => {
        if (bytes.length > 0) this.#made.data(bytes);
        if (last) this.#made.end();
        // Servers send data and replies concurrently: without a reader, data would stop the replies that
        // follow it.
        this.#accept();
      },
      failed: (error) => this.#made.end(error),
    };
  }

  #replied(): void {
    this.#replies += 1;
    if (this.#replies === 2) this.#accept();
  }

  #accept(): void {
    clearTimeout(this.#timer);
    this.#settle.resolve(this.#made.stream);
  }
}

class LegacyLink implements PodLink {
  readonly usable = true;
  readonly #rest: RESTClient;
  readonly #requestOf: (port: number) => APIRequest;
  readonly #operation: RequestOperation;
  readonly #open: Set<Duplex> = new Set();

  constructor(rest: RESTClient, requestOf: (port: number) => APIRequest, operation: RequestOperation) {
    this.#rest = rest;
    this.#requestOf = requestOf;
    this.#operation = operation;
  }

  async connect(port: number): Promise<Duplex> {
    const { connection } = await openWebSocket(this.#rest, this.#requestOf(port), [legacyProtocol]);
    const stream = legacyStream(connection, this.#operation);
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
    return stream;
  }

  close(error: Error): void {
    for (const stream of this.#open) stream.destroy(error);
  }
}

const dataChannel = 0;
/** Bytes of the port number with which the server begins each channel. */
const portBytes = 2;
/** Milliseconds without data after the end of the client's data, which this protocol cannot send. */
const halfClosedMs = 30_000;

/** Returns the stream of a WebSocket with one port. */
function legacyStream(connection: Duplex, operation: RequestOperation): Duplex {
  let state = noMessage;
  let lingering: NodeJS.Timeout | undefined;
  const skipped = new Map<number, number>();
  const socket = new WebSocketConnection(
    connection,
    {
      part: (bytes, last) => {
        const step = readChannel(state, bytes, last);
        state = step.state;
        lingering?.refresh();
        if (step.event !== undefined) handle(step.event);
      },
      closed: (end) => {
        made.endErrors();
        made.end('error' in end ? end.error : undefined);
      },
    },
    { operation, timing: { pingMs: 10_000 } },
  );
  const made = new PortStream(
    {
      send: (bytes, sent) => socket.send([dataChannel], bytes, sent),
      end: (sent) => {
        lingering = setTimeout(() => socket.close(), halfClosedMs);
        sent();
      },
      close: () => {
        clearTimeout(lingering);
        socket.close();
      },
      setFull: (full) => (full ? socket.pause() : socket.resume()),
    },
    operation,
  );
  const handle = (event: ChannelEvent): void => {
    if (!('channel' in event) || event.channel > 1) {
      socket.destroy(new TransportError('the server sent a message on an unknown channel', operation));
      return;
    }
    const before = skipped.get(event.channel) ?? 0;
    const bytes = event.bytes.subarray(Math.max(0, portBytes - before));
    skipped.set(event.channel, Math.min(portBytes, before + event.bytes.length));
    if (bytes.length === 0) return;
    if (event.channel === dataChannel) made.data(bytes);
    else made.error(bytes);
  };
  return made.stream;
}
