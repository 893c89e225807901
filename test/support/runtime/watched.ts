/** Watches of scripted sources. */
import type { BookmarkEvent, WatchEvent } from '../../../src/runtime/api/watch-events.ts';
import { FakeClock } from './fake-clock.ts';
import { ScriptedSource, type Thing } from './scripted-source.ts';

/** Creates a source with these responses, on a separate clock. */
export function world(...responses: ConstructorParameters<typeof ScriptedSource>) {
  const clock = new FakeClock();
  const environment = { clock, random: () => 0 };
  return { clock, environment, source: new ScriptedSource(...responses) };
}

/** Returns an event in short form. */
export const short = ({ type, object }: WatchEvent<Thing> | BookmarkEvent): string =>
  `${type} ${object.metadata.resourceVersion}`;

/** Collects events until the watch ends; returns them and its error, or `'no error'`. */
export function follow(watched: AsyncIterable<WatchEvent<Thing> | BookmarkEvent>) {
  const seen: string[] = [];
  const end = (async () => {
    for await (const event of watched) seen.push(short(event));
    return 'no error';
  })().catch((error: unknown) => error);
  return { seen, end };
}
