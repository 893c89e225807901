import type { Readable } from 'node:stream';
import type { Paint } from './colors.ts';

/** The world around a run. */
export interface Console {
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since some fixed point. */
  readonly now: () => number;
}

/** A stream to people or machines. */
export interface Output {
  readonly write: (text: string) => void;
  /** Whether people look at it: then there is progress, and a table. */
  readonly isTerminal: boolean;
  /** Colours where they are wanted. */
  readonly paint: Paint;
}
