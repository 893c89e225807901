import type { Noted } from '../server/journal.ts';
import { keyOf, versionOf } from '../server/objects.ts';
import type { View } from '../server/view.ts';
import type { Call, Happening, Truth } from './history.ts';

/** How a source stands in the journal. */
export interface Source {
  readonly source: string;
  readonly view: View;
}

/** Between two reads of the whole state, the first of which is at `from`. */
interface Interval {
  readonly from: number;
  /** The version of the second; the end of everything where there is none. */
  readonly to: number;
  /** The client has said that it knows everything up to this version. */
  claimed: number;
}

/**
 * Changes that a registration was not told of, although nothing was lost. Between two reads of the state a client may
 * leave out changes only at the end, where the second one stands for them: what was streamed, or what it said that it
 * knew, was told without a gap. The registration must have been there from the start, and have taken all of its calls.
 */
export function skipped(
  truth: Truth,
  source: Source,
  notes: readonly Noted[],
  calls: readonly Call[],
): string[] {
  const told = new Set(calls.map(({ type, version, missed }) => (missed ? `missed ${type}` : version)));
  const events = truth.events.filter(({ view }) => view === source.view);
  return intervals(source.source, notes).flatMap((interval) => gaps(events, interval, told));
}

function intervals(source: string, notes: readonly Noted[]): readonly Interval[] {
  const found: Interval[] = [];
  let open: Interval | undefined;
  for (const note of notes) {
    if (note.source !== source) continue;
    if (note.type === 'state' || note.type === 'gone') {
      if (open !== undefined) found.push({ ...open, to: note.version });
      open = { from: note.version, to: Number.POSITIVE_INFINITY, claimed: 0 };
    } else if (note.type === 'request' && note.verb === 'watch' && open !== undefined) {
      open.claimed = Math.max(open.claimed, Number(note.version ?? 0));
    }
  }
  return open === undefined ? found : [...found, { ...open, claimed: Number.POSITIVE_INFINITY }];
}

function gaps(
  all: readonly Happening[],
  { from, to, claimed }: Interval,
  told: ReadonlySet<number | string>,
): string[] {
  const events = all.filter(({ version }) => version > from && version <= to);
  const last = new Map(events.map((event) => [keyOf(event.object), event.version]));
  const streamed = events.filter(({ version, object, type }) => {
    return told.has(version) && (type === 'DELETED' || last.get(keyOf(object)) !== version);
  });
  const known = Math.max(claimed, ...streamed.map(({ version }) => version));
  return events
    .filter((event) => event.version <= known && !told.has(event.version) && !excused(event))
    .map(({ type, object }) => `skipped: ${type} ${keyOf(object)} @${versionOf(object)}`);
}

function excused({ broken, doubtful, type }: Happening): boolean {
  return broken || (doubtful && type === 'DELETED');
}
