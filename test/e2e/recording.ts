import { vi } from 'vitest';
import type { Finished } from './env.ts';

/** A watch that is followed in the background. */
export interface Recording<E> {
  /** What it has seen so far. */
  readonly events: readonly E[];
  /** Waits until `enough` holds for what was seen; rejects at once when the watch fails. */
  until(enough: (events: readonly E[]) => boolean): Promise<void>;
  /** Aborts the watch and checks that it ends with the reason of the abort. */
  end(): Promise<void>;
}

/** Shorter than tests may take, so that what is missing is named. */
const deadline = { timeout: 100_000, interval: 20 } as const;

/** Follows a watch until `end`, or until the test is over whose `onTestFinished` is handed in. */
export function record<E>(finished: Finished, open: (signal: AbortSignal) => AsyncIterable<E>): Recording<E> {
  const abort = new AbortController();
  const events: E[] = [];
  const followed = follow(open(abort.signal), events);
  // `until` and `end` reject with the failure, if they are called.
  followed.catch(() => undefined);
  finished(() => abort.abort());
  return {
    events,
    until: async (enough) => {
      const wait = vi.waitFor(() => {
        if (!enough(events)) throw new Error(`not yet: ${JSON.stringify(events.map(nameOf))}`);
      }, deadline);
      await Promise.race([wait, followed.then(() => wait)]);
    },
    end: async () => {
      abort.abort();
      await followed;
    },
  };
}

async function follow<E>(source: AsyncIterable<E>, events: E[]): Promise<void> {
  for await (const event of source) events.push(event);
}

function nameOf(event: unknown): unknown {
  if (!(event instanceof Object) || !('type' in event) || !('object' in event)) return event;
  const { object } = event;
  return [event.type, object instanceof Object && 'metadata' in object ? object.metadata : object];
}
