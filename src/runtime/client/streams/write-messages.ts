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
  const messages = chunks.flatMap(({ chunk }) =>
    Array.from({ length: Math.ceil(chunk.length / most) }, (_, index) =>
      chunk.subarray(index * most, (index + 1) * most),
    ),
  );
  if (messages.length === 0) sent();
  for (const [index, message] of messages.entries()) {
    send(message, index === messages.length - 1 ? sent : ignore);
  }
}
