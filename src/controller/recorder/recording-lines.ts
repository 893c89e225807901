/** Lines of recordings and increments, from the states of one moment. */
import { member } from '../members.ts';
import {
  type RecordedInformer,
  type RecordedLease,
  type RecordedState,
  type RecordingHeader,
  type RecordingIncrement,
  recordingVersion,
} from './entries.ts';
import type { LineFormat } from './line-format.ts';
import type { RingEntry } from './ring.ts';

/** End of a recording or an increment. */
export interface RecordingMoment {
  readonly format: LineFormat;
  readonly instance: string;
  readonly position: number;
  readonly state: RecordedState;
}

/** Content of a recording. */
export interface RecordingParts extends RecordingMoment {
  readonly program: string;
  readonly reason: string;
  /** Maximum size of the objects, in bytes. */
  readonly maxBytes: number;
  readonly informers: readonly RecordedInformer[];
  /** Objects at the beginning, of each informer. */
  readonly states: readonly ReadonlyMap<string, object | 'omitted'>[];
  /** States of leases before the first entry. */
  readonly leases: readonly RecordedLease[];
  readonly isOmitted: (object: object) => boolean;
  readonly entries: readonly RingEntry[];
  /** Number of older entries that were dropped. */
  readonly dropped: number;
}

/** Content of an increment. */
export interface IncrementParts extends RecordingMoment {
  /** Position that it continues. */
  readonly after: number;
  readonly informers: readonly RecordedInformer[];
  readonly entries: readonly RingEntry[];
}

/** Generates the lines of a recording. Empty ones are turns between which the event loop may continue. */
export function* recordingLines(parts: RecordingParts): Generator<string, undefined, undefined> {
  const { format, informers, states, leases, isOmitted, entries, maxBytes, state } = parts;
  const objects: string[] = [];
  let bytes = 0;
  let omittedObjects = 0;
  for (const [informer, known] of states.entries()) {
    const info = informers[informer];
    for (const object of known.values()) {
      const isLeftOut = bytes > maxBytes || object === 'omitted' || isOmitted(object);
      const line = isLeftOut
        ? ''
        : format.lineOf({ type: 'object', informer, object: format.shown(object, info) });
      bytes += line.length;
      if (isLeftOut || bytes > maxBytes) omittedObjects += 1;
      else objects.push(line);
      yield '';
    }
  }
  const from = timeOf(entries[0]) ?? state.at;
  yield JSON.stringify(headerOf(parts, from, omittedObjects));
  for (const informer of informers) yield JSON.stringify(informer);
  for (const lease of leases) yield JSON.stringify({ ...lease, at: from });
  for (const line of objects) yield format.masked(line);
  for (const { line } of entries) yield format.masked(line);
  yield JSON.stringify(state);
  yield JSON.stringify({ type: 'end of recording', entries: leases.length + entries.length + 1 });
}

function headerOf(parts: RecordingParts, from: number, omittedObjects: number): RecordingHeader {
  const { format, instance, position, program, reason, dropped, state } = parts;
  return {
    ...{ type: 'kgen recording', version: recordingVersion, instance, position, program, reason },
    from: new Date(from).toISOString(),
    to: new Date(state.at).toISOString(),
    ...{ secrets: format.hasSecrets, dropped, omittedObjects },
  };
}

/** Generates the lines of an increment. */
export function* incrementLines(parts: IncrementParts): Generator<string, undefined, undefined> {
  const { format, instance, after, position, informers, entries, state } = parts;
  const { at } = state;
  const type = 'kgen recording increment';
  const first: RecordingIncrement = { type, version: recordingVersion, instance, after, position, at };
  yield JSON.stringify(first);
  for (const informer of informers) yield JSON.stringify(informer);
  for (const { line } of entries) yield format.masked(line);
  yield JSON.stringify(state);
}

function timeOf(entry: RingEntry | undefined): number | undefined {
  const at: unknown = entry && member(JSON.parse(entry.line), 'at');
  return typeof at === 'number' ? at : undefined;
}
