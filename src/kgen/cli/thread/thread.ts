/**
 * The thread of a run. The main thread has nothing else to do, so that it reacts to signals at any time.
 */
import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { coloured, plain } from '../colors.ts';
import type { Output } from '../console.ts';
import { run } from '../run.ts';
import { useCompileCache } from './compile-cache.ts';
import { Interruption, type InterruptionFlags } from './interruption.ts';

/** Data of the main thread. */
export interface ThreadData {
  readonly argv: readonly string[];
  readonly flags: InterruptionFlags;
  readonly stdout: StreamFacts;
  readonly stderr: StreamFacts;
}

interface StreamFacts {
  readonly isTerminal: boolean;
  readonly hasCursor: boolean;
  readonly isColoured: boolean;
}

/** Message to the main thread: a string for a stream, a request for standard input, or the exit status. */
export type ThreadMessage =
  | { readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly needsInput: true }
  | { readonly exitCode: number };

/** Message from the main thread: a part of standard input, or its end. */
export type InputMessage =
  | { readonly chunk: Uint8Array }
  | { readonly end: true }
  /** Errors lose their codes between threads. */
  | { readonly failure: { readonly message: string; readonly code?: unknown } };

// seam: the main thread passes this type
const { argv, flags, ...streams } = workerData as ThreadData;

useCompileCache();
const exitCode = await run(argv, {
  cwd: process.cwd(),
  stdin: standardInput(),
  stdout: output('stdout'),
  stderr: output('stderr'),
  now: () => performance.now(),
  interruption: new Interruption(flags),
});
post({ exitCode });

function output(stream: 'stdout' | 'stderr'): Output {
  const { isTerminal, hasCursor, isColoured } = streams[stream];
  const paint = isColoured ? coloured : plain;
  return { isTerminal, hasCursor, paint, write: (text) => post({ stream, text }) };
}

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** Standard input, which the main thread reads: this thread could not be ended while it waits for input. */
function standardInput(): Readable {
  let isRequested = false;
  const stream = new Readable({
    read: () => {
      if (isRequested) return;
      isRequested = true;
      post({ needsInput: true });
      parentPort?.on('message', (message: InputMessage) => {
        if ('chunk' in message) return void stream.push(message.chunk);
        parentPort?.unref();
        if ('failure' in message)
          stream.destroy(Object.assign(new Error(message.failure.message), message.failure));
        else stream.push(null);
      });
    },
  });
  return Object.assign(stream, { fd: 0 });
}
