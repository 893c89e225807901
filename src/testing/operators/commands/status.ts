/** Exit statuses of commands. */

import { messageOf } from '@kgen/schema/values/thrown';
import type { Console } from 'kgen/commands';

/** Exit statuses, as `--help` lists them. */
export const statuses = { passed: 0, failed: 1, usage: 2 } as const;

/** Prints an error for which the operator is not the reason, and returns the exit status. */
export function refused(error: unknown, { stderr }: Console): number {
  const message = messageOf(error);
  stderr.write(`${stderr.paint('error', 'error')}: ${message}\n`);
  return statuses.usage;
}
