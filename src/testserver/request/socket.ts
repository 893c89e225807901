/** WebSockets of the server, on the library `ws`, which is loaded for the first of them. */
import type { IncomingMessage } from 'node:http';
import { type Duplex, Readable } from 'node:stream';

/** Close codes of RFC 6455. */
export const closeCodes = { normal: 1000, unsupportedData: 1003, internalError: 1011 } as const;

/** Maximum bytes of a received message, equal to that of a real API server. */
const messageLimit = 32 * 1024 * 1024;

/** An accepted WebSocket. */
export interface MessageSocket {
  /** Sends a binary message. `sent` is called when the system has accepted it. */
  send(bytes: Uint8Array, sent?: (error?: Error | null) => void): void;
  /** Stops receiving, so that the client has to wait. */
  pause(): void;
  resume(): void;
  /** Closes the connection after the messages that were sent. */
  close(code: number, reason?: string): void;
  /** Sets the listener of messages. They are binary. */
  onMessage(listener: (bytes: Buffer) => void): void;
  /** Adds a listener of the end of the connection. */
  onClose(listener: () => void): void;
}

/** A connection that its client wants to upgrade. */
export interface UpgradableConnection {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that the client sent after the request. */
  readonly head: Buffer;
}

/**
 * Accepts a WebSocket with a subprotocol. `connected` is called before the first message can arrive.
 * Rejects if the handshake is invalid; the client has its response then.
 */
export async function acceptSocket(
  { request, socket, head }: UpgradableConnection,
  protocol: string,
  connected: (socket: MessageSocket) => void,
): Promise<void> {
  const { WebSocketServer } = await import('ws');
  const options = { noServer: true, clientTracking: false, perMessageDeflate: false };
  const server = new WebSocketServer({ ...options, maxPayload: messageLimit });
  // The name of a tunnel protocol has a slash, which `ws` refuses.
  delete request.headers['sec-websocket-protocol'];
  if (protocol !== '') server.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error('the handshake of the WebSocket failed')));
    server.handleUpgrade(request, socket, head, (accepted) => {
      // An error is followed by the end of the connection.
      accepted.on('error', () => undefined);
      connected({
        send: (bytes, sent) => accepted.send(bytes, { binary: true }, sent),
        pause: () => accepted.pause(),
        resume: () => accepted.resume(),
        close: (code, reason) => accepted.close(code, reason),
        onMessage: (listener) => {
          accepted.on('message', (data: Buffer, isBinary) => {
            if (isBinary) listener(data);
            else accepted.close(closeCodes.unsupportedData, 'messages must be binary');
          });
        },
        onClose: (listener) => accepted.once('close', listener),
      });
      resolve();
    });
  });
}

/** Returns the content of all messages as one stream. */
export function contentOf(socket: MessageSocket): Readable {
  const stream = new Readable({ read: () => socket.resume() });
  socket.onMessage((bytes) => {
    if (!stream.push(bytes)) socket.pause();
  });
  socket.onClose(() => stream.push(null));
  return stream;
}
