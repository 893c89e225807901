/** Helpers of tests that run against a server. */
import { randomBytes } from 'node:crypto';

/** Registers a callback for the end of a test: the `onTestFinished` of vitest's test context. */
export type Finished = (end: () => void | Promise<void>) => void;

/** Time limit of asynchronous effects, far longer than any of them takes. */
export const deadline = { timeout: 150_000, interval: 20 } as const;

/** Returns a unique name. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}
