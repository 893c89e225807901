/** The last reconciles of each key of a controller, in bounded memory. */

import type { Wake, Wakes } from '../runs/causes.ts';
import type { ObjectName } from '../runs/key.ts';
import { idOf, type ReconcileKey } from '../runs/key.ts';
import type { Outcome } from '../runs/outcome.ts';
import { noSecrets, type SecretTexts } from '../secrecy/secret-values.ts';
import type { ReconcileRecord, RecordedCause, RecordedOutcome } from './record.ts';
import { errorText, fieldChanges, type RunNotes, resourceText, versionOf } from './run-notes.ts';

/** Limits of the records of one controller. Bytes are estimated from the number of entries. */
interface Limits {
  readonly perKey: number;
  readonly keys: number;
  readonly bytes: number;
}

const defaults: Limits = { perKey: 5, keys: 1_000, bytes: 2 * 1024 * 1024 };
const mostFields = 5;

/** A run that has ended. */
export interface EndedRecord {
  readonly key: ReconcileKey;
  readonly reconcileID: string;
  /** Times of the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempt: number;
  readonly wakes: Wakes | undefined;
  readonly notes: RunNotes;
  readonly outcome: Outcome;
}

/** Records of one key. */
export interface KeyRecords {
  /** Number of its reconciles since the start of the process, or since its records were dropped. */
  readonly total: number;
  /** The last ones, oldest first. */
  readonly records: readonly ReconcileRecord[];
}

interface Entry extends KeyRecords {
  readonly bytes: number;
}

/** Records of one controller. */
export class RecordLog {
  readonly #controller: string;
  readonly #secrets: SecretTexts;
  readonly #limits: Limits;
  /** In the order of the last reconcile. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #number = 0;

  constructor(controller: string, secrets: SecretTexts = noSecrets, limits: Partial<Limits> = {}) {
    this.#controller = controller;
    this.#secrets = secrets;
    this.#limits = { ...defaults, ...limits };
  }

  /** Number of keys with records. */
  get keys(): number {
    return this.#entries.size;
  }

  /** Estimated memory of all records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the record of a run, and returns it. `nowMs` is the time since the epoch. */
  add(run: EndedRecord, nowMs: number): ReconcileRecord {
    const id = idOf(run.key);
    const entry = this.#entries.get(id) ?? { total: 0, bytes: 0, records: [] };
    this.#number += 1;
    const record = this.#recordOf(run, entry.records, nowMs);
    const records = [...entry.records, record].slice(-this.#limits.perKey);
    const bytes = records.reduce((sum, each) => sum + bytesOf(each), 0);
    this.#bytes += bytes - entry.bytes;
    this.#entries.delete(id);
    this.#entries.set(id, { total: entry.total + 1, bytes, records });
    this.#limit();
    return record;
  }

  /** Returns the records of a key; `undefined` if there are none. */
  of(key: ReconcileKey): KeyRecords | undefined {
    return this.#entries.get(idOf(key));
  }

  /** Returns all records, newest first, at most `limit`. */
  newest(limit: number): readonly ReconcileRecord[] {
    const all = [...this.#entries.values()].flatMap(({ records }) => records);
    return all.sort((a, b) => b.number - a.number).slice(0, limit);
  }

  #recordOf(run: EndedRecord, before: readonly ReconcileRecord[], nowMs: number): ReconcileRecord {
    const { key, reconcileID, startedAt, endedAt, attempt, wakes, notes, outcome } = run;
    const durationMs = endedAt - startedAt;
    return {
      controller: this.#controller,
      key,
      number: this.#number,
      reconcileID,
      startedAt: new Date(nowMs - durationMs).toISOString(),
      queuedMs: wakes === undefined ? 0 : Math.max(0, startedAt - wakes.since),
      durationMs,
      attempt,
      causes: (wakes?.wakes ?? []).map((wake) => causeOf(wake, before, this.#secrets)),
      // Copies: an abandoned run continues.
      reads: [...notes.reads],
      writes: [...notes.writes],
      omitted: {
        causes: wakes?.omitted ?? 0,
        reads: notes.omittedReads,
        writes: notes.omittedWrites,
      },
      outcome: outcomeOf(outcome, this.#secrets),
    };
  }

  /** Drops the keys whose last reconcile is the longest ago. */
  #limit(): void {
    for (const [id, { bytes }] of this.#entries) {
      const isWithin = this.#entries.size <= this.#limits.keys && this.#bytes <= this.#limits.bytes;
      if (isWithin || this.#entries.size === 1) return;
      this.#entries.delete(id);
      this.#bytes -= bytes;
    }
  }
}

/** Returns the causes of a run as they are recorded. */
export function causesOf(wakes: Wakes | undefined, secrets: SecretTexts): readonly RecordedCause[] {
  return (wakes?.wakes ?? []).map((wake) => causeOf(wake, [], secrets));
}

function causeOf(
  { cause, count, change, isInitial }: Wake,
  earlier: readonly ReconcileRecord[],
  { mask }: SecretTexts,
): RecordedCause {
  if (change === undefined) return { ...cause, count };
  const { object, before, after } = change;
  const versions = [versionOf(before), versionOf(after)] as const;
  const writtenBy = writerOf(object, versions[1], earlier);
  return {
    ...cause,
    count,
    target: { resource: resourceText(object), namespace: object.namespace, name: object.name },
    resourceVersions: versions,
    ...(before !== undefined &&
      after !== undefined && { fields: fieldChanges(object, before, after, { limit: mostFields, mask }) }),
    ...(isInitial === true && { isInitial }),
    ...(writtenBy !== undefined && { writtenBy }),
  };
}

/** Returns the number of the reconcile that has written this version of an object. */
function writerOf(
  object: ObjectName,
  resourceVersion: string,
  records: readonly ReconcileRecord[],
): number | undefined {
  if (resourceVersion === '') return undefined;
  const resource = resourceText(object);
  return records.find(({ writes }) =>
    writes.some(
      (write) =>
        write.resourceVersion === resourceVersion &&
        write.result === 'done' &&
        write.name === object.name &&
        write.resource === resource,
    ),
  )?.number;
}

/** Returns an outcome as it is recorded. */
export function outcomeOf(outcome: Outcome, secrets: SecretTexts): RecordedOutcome {
  const { type } = outcome;
  if (type === 'success') return { type };
  if (type === 'requeueAfter') return { type, afterMs: outcome.afterMs };
  const error = errorText(outcome.error, secrets);
  const afterMs = type === 'retry' ? outcome.afterMs : undefined;
  return afterMs === undefined ? { type, error } : { type, error, afterMs };
}

/** Estimates: most strings of causes and reads are those of objects, or short. */
function bytesOf({ causes, reads, writes }: ReconcileRecord): number {
  let bytes = 500 + reads.length * 150;
  for (const { fields = [] } of causes) bytes += 250 + fields.length * 300;
  for (const { changes = [] } of writes) bytes += 250 + changes.length * 300;
  return bytes;
}
