/** The server's side of a SPDY tunnel: connections to ports, each a stream for errors and one for data. */

import { closeCodes, contentOf, type MessageSocket } from '../../request/socket.ts';
import { PortConnection } from '../port-connection.ts';
import type { ServePort } from '../port-forward.ts';
import { type ClientFrame, pong, readFrames, replyFrame, serverData, serverReset } from './frames.ts';
import { emptyBlock, HeaderReader } from './headers.ts';

/** Maximum number of open streams. */
const streamLimit = 2000;

/** A pair of streams, of which one may not have been opened yet. */
interface StreamPair {
  readonly port: number;
  readonly errors?: number;
  readonly data?: number;
}

/** Serves a tunnel until its WebSocket ends. */
export function serveTunnel(socket: MessageSocket, serve: ServePort): void {
  void new Tunnel(socket, serve).run();
}

class Tunnel {
  readonly #socket: MessageSocket;
  readonly #serve: ServePort;
  readonly #headers = new HeaderReader();
  /** Pairs of which one stream is missing, by the identifier of their request. */
  readonly #pairs = new Map<string, StreamPair>();
  readonly #connections = new Map<number, PortConnection>();
  #replies = 0;
  /** Continues reading after a handler that reads slowly: streams have no flow control of their own. */
  #wake: (() => void) | undefined;

  constructor(socket: MessageSocket, serve: ServePort) {
    this.#socket = socket;
    this.#serve = serve;
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const content = contentOf(this.#socket);
    this.#socket.onClose(() => this.#close());
    try {
      for await (const frame of readFrames(content)) await this.#handle(frame);
      this.#socket.close(closeCodes.normal);
    } catch (error) {
      this.#socket.close(closeCodes.internalError, error instanceof Error ? error.message.slice(0, 100) : '');
      this.#socket.resume();
    }
    this.#headers.close();
  }

  #close(): void {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
    this.#wake?.();
  }

  async #handle(frame: ClientFrame): Promise<void> {
    switch (frame.type) {
      case 'open':
        this.#open(frame.stream, await this.#headers.read(frame.block));
        if (frame.last) this.#connections.get(frame.stream)?.endInput();
        return;
      case 'data':
        await this.#data(frame.stream, frame.bytes, frame.last);
        return;
      case 'reset':
        this.#connections.get(frame.stream)?.close();
        this.#connections.delete(frame.stream);
        return;
      case 'ping':
        this.#socket.send(pong(frame.id));
        return;
      case 'goaway':
    }
  }

  #open(stream: number, headers: ReadonlyMap<string, string>): void {
    const [kind, port] = [headers.get('streamtype'), Number(headers.get('port'))];
    const isValid = (kind === 'error' || kind === 'data') && Number.isInteger(port) && port > 0;
    if (!isValid || port > 65_535 || this.#connections.size + this.#pairs.size >= streamLimit) {
      this.#socket.send(serverReset(stream));
      return;
    }
    this.#socket.send(replyFrame(stream, emptyBlock(this.#replies === 0)));
    this.#replies += 1;
    const id = headers.get('requestid') ?? String(kind === 'error' ? stream : stream - 2);
    const pair = { port, ...this.#pairs.get(id), [kind === 'error' ? 'errors' : 'data']: stream };
    this.#pairs.set(id, pair);
    const { errors, data } = pair;
    if (errors === undefined || data === undefined) return;
    this.#pairs.delete(id);
    this.#connect(port, errors, data);
  }

  #connect(port: number, errors: number, data: number): void {
    const connection = new PortConnection({
      send: (bytes, sent) => this.#socket.send(serverData(data, bytes, false), sent),
      resume: () => this.#wake?.(),
      end: (error) => {
        const message = error === undefined ? '' : `error forwarding port ${port}: ${error.message}`;
        if (error === undefined) this.#socket.send(serverData(data, Buffer.alloc(0), true));
        this.#socket.send(serverData(errors, Buffer.from(message), true));
        if (error !== undefined) this.#socket.send(serverReset(data));
      },
    });
    this.#connections.set(data, connection);
    connection.stream.once('close', () => this.#connections.delete(data));
    this.#serve(port, connection);
  }

  async #data(stream: number, bytes: Uint8Array, last: boolean): Promise<void> {
    const connection = this.#connections.get(stream);
    if (connection === undefined) return;
    if (!connection.push(Buffer.from(bytes))) await this.#drained();
    if (last) connection.endInput();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
