/** Writes of streams as messages of limited size. */

/** Called when the system has accepted bytes, with an error if it cannot. */
export type Sent = (error?: Error | null) => void;

/** Chunks that a writable stream of Node.js passes to `writev`. */
export type Chunks = readonly { readonly chunk: Uint8Array }[];

const ignore = (): void => undefined;

/**
 * Sends chunks as messages of at most `most` bytes, and calls `sent` after the last one. All are handed over
 * at once: waiting for each would cost an event-loop turn per message.
 */
export function writeMessages(
  chunks: Chunks,
  most: number,
  send: (bytes: Uint8Array, sent: Sent) => void,
  sent: Sent,
): void {
  let message: Uint8Array | undefined;
  for (const { chunk } of chunks) {
    for (let start = 0; start < chunk.length; start += most) {
      if (message !== undefined) send(message, ignore);
      message = chunk.length <= most ? chunk : chunk.subarray(start, start + most);
    }
  }
  if (message === undefined) sent();
  else send(message, sent);
}
