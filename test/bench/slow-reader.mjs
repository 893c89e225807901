// A reader that is slower than the writer of a stream.
import { setTimeout } from 'node:timers/promises';

/** Pause after each MiB: at most 40 MB/s. */
const pauseMs = 25;

/** Reads a stream, calls `paused` before each pause, and returns the number of bytes. */
export async function readSlowly(stream, paused = () => undefined) {
  let received = 0;
  let untilPause = 2 ** 20;
  for await (const part of stream) {
    received += part.length;
    untilPause -= part.length;
    if (untilPause > 0) continue;
    untilPause = 2 ** 20;
    paused();
    await setTimeout(pauseMs);
  }
  return received;
}
