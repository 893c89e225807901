import { vi } from 'vitest';
import type { Finished } from './cluster-tests.ts';

/** A watch that is read in the background. */
export interface Recording<E> {
  /** Events so far. */
  readonly events: readonly E[];
  /** Waits until `enough` returns true for the events; rejects at once if the watch fails. */
  until(enough: (events: readonly E[]) => boolean): Promise<void>;
  /** Aborts the watch and verifies that it ends with the reason of the abort. */
  end(): Promise<void>;
}

/** Shorter than the time limit of a test, so that a failure names the missing event. */
const deadline = { timeout: 100_000, interval: 20 } as const;

/** Reads a watch until `end`, or until the end of the test that owns `onTestFinished`. */
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
