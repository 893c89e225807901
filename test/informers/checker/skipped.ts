import type { Noted } from '../server/journal.ts';
import { keyOf, versionOf } from '../server/objects.ts';
import type { View } from '../server/view.ts';
import type { Call, Happening, Truth } from './history.ts';

/** State of a source in the journal. */
export interface Source {
  readonly source: string;
  readonly view: View;
}

/** Interval between two lists, the first of which is at `from`. */
interface Interval {
  readonly from: number;
  /** Version of the second list, or the end of the history. */
  readonly to: number;
  /** Version up to which the client claimed to have all changes, by resuming from it. */
  claimed: number;
}

/**
 * Returns changes that a registration did not receive although none was lost. Between two lists a client may
 * omit changes only at the end, where the second list replaces them: streamed changes, and those up to a
 * version from which it resumed, must be delivered without a gap. The registration must exist from the start
 * and must not delay calls.
 */
export function skipped(
  truth: Truth,
  source: Source,
  notes: readonly Noted[],
  calls: readonly Call[],
): string[] {
  const reported = new Set(calls.map(({ type, version, missed }) => (missed ? `missed ${type}` : version)));
  const events = truth.events.filter(({ view }) => view === source.view);
  return intervals(source.source, notes).flatMap((interval) => gaps(events, interval, reported));
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
  reported: ReadonlySet<number | string>,
): string[] {
  const events = all.filter(({ version }) => version > from && version <= to);
  const last = new Map(events.map((event) => [keyOf(event.object), event.version]));
  const streamed = events.filter(({ version, object, type }) => {
    return reported.has(version) && (type === 'DELETED' || last.get(keyOf(object)) !== version);
  });
  const known = Math.max(claimed, ...streamed.map(({ version }) => version));
  return events
    .filter((event) => event.version <= known && !reported.has(event.version) && !excused(event))
    .map(({ type, object }) => `skipped: ${type} ${keyOf(object)} @${versionOf(object)}`);
}

function excused({ broken, doubtful, type }: Happening): boolean {
  return broken || (doubtful && type === 'DELETED');
}
