/** Effects of the command line as values, so that a run can be tested without a process. */
import type { Readable } from 'node:stream';
import type { Paint } from './colors.ts';
import type { Interruption } from './thread/interruption.ts';

/** Streams, folder and clock of a run of the command line. */
export interface Console {
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since an arbitrary point in time. */
  readonly now: () => number;
  /** Interruption of the run by SIGINT or SIGTERM. Absent if signals end the process directly. */
  readonly interruption?: Interruption;
  /** Calls a function for each SIGINT and SIGTERM, which then do not end the process. Absent in a thread. */
  readonly onSignal?: (handle: (signal: EndSignal) => void) => void;
}

/** A signal that ends the process. */
export type EndSignal = 'SIGINT' | 'SIGTERM';

/** An output stream. */
export interface Output {
  readonly write: (text: string) => void;
  /** Whether the stream is a terminal, which shows a table and questions. */
  readonly isTerminal: boolean;
  /** Whether a line can be replaced: on a terminal, unless TERM is `dumb`. */
  readonly hasCursor: boolean;
  /** Adds colors if they are enabled. */
  readonly paint: Paint;
}
