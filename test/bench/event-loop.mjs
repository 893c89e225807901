import { readFileSync } from 'node:fs';

/** Source of event-loop-watch.mjs for programs of the bench: it declares `watched(work)`. */
export const watchingEventLoop = readFileSync(
  new URL('event-loop-watch.mjs', import.meta.url),
  'utf8',
).replace('export async', 'async');
