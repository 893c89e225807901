/**
 * Messages of containers that have ended.
 * @see https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/
 */

import { type Json, text } from '@kgen/schema/values/json';
import type { LogLine } from '../../../call/stream-handlers.ts';
import type { FileSystem } from '../files/file-system.ts';

/** End of a run. Times are in milliseconds since the epoch. */
export interface ContainerEnd {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly code: number;
  readonly reason: string;
  readonly message: string | undefined;
  /** Index of the run. */
  readonly run: number;
}

/** Last state of a container that all containers of its pod restart with, which hides its own end. */
export const removed = {
  reason: 'RestartingAllContainers',
  message: 'The container is removed because RestartAllContainers in place',
} as const;

const longestMessage = 4_096;
const longestTail = 2_048;
const mostTailLines = 80;

/** Returns the message that a container has written, or the end of its log if its policy allows that. */
export function terminationMessage(
  container: Json,
  files: FileSystem | undefined,
  lines: readonly LogLine[],
  code: number,
): string | undefined {
  const path = text(container, 'terminationMessagePath') || '/dev/termination-log';
  const written = files?.read(path)?.content;
  if (written !== undefined && written !== '') return written.slice(0, longestMessage);
  if (code === 0 || text(container, 'terminationMessagePolicy') !== 'FallbackToLogsOnError') return undefined;
  const tail = lines.slice(-mostTailLines).map((line) => (typeof line === 'string' ? line : line.text));
  return tail.length === 0 ? undefined : tail.join('\n').slice(-longestTail);
}
