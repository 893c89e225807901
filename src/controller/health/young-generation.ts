/** Memory that V8 keeps for new objects. */
import { getHeapSpaceStatistics } from 'node:v8';
import type { Logger } from '../log.ts';

const flag = '--max-semi-space-size';

/**
 * Logs at level `debug` that the space of new objects has its default limit, which takes more memory than the
 * objects of most operators; not if the process has a limit of its own.
 */
export function noteYoungGeneration(
  log: Logger,
  { execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'>,
): void {
  const flags = [...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-');
  if (flags.includes(flag)) return;
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  const committedMb = Math.round((space?.space_size ?? 0) / 1e6);
  log.debug(
    { committedMb },
    `new objects may take up to 134 MB with Node.js 24, and take ${committedMb} MB now: node ${flag}=8 keeps them below 17 MB`,
  );
}
