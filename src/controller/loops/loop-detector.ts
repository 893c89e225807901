/** Detection of keys that keep writing without a foreign change. */

import { Lru } from '../apply/lru.ts';
import { isObject, member, metadataString } from '../members.ts';
import type { ObjectName } from '../runs/key.ts';
import { type Change, changesOf, type Mask, printObject } from './changes.ts';
import { type LoopingField, type LoopReport, loopReport, unknownWriter } from './report.ts';

/** A write of a reconcile. */
export interface LoopWrite {
  readonly object: ObjectName;
  readonly fieldManager: string;
  /** Object before the write. `undefined` if the write created it. */
  readonly before: object | undefined;
  /** Response of the server. `undefined` if the write deleted the object. */
  readonly after: object | undefined;
  /** `after` in the form of `before`, if that has selected fields only. Default: `after`. */
  readonly compared?: object | undefined;
}

/** A change that an informer observed. */
export interface LoopEvent {
  readonly object: ObjectName;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

/** Options of `LoopDetector`. */
export interface LoopDetectorOptions {
  /** Number of consecutive reconciles with changes that is reported. At least 2. Default: 5. */
  readonly reconciles?: number | undefined;
  /** Period of these reconciles, in milliseconds. Default: 60,000. */
  readonly withinMs?: number | undefined;
  /** Number of keys that are observed. The least recently active are forgotten. Default: 10,000. */
  readonly capacity?: number | undefined;
  /** Hides values of Secrets in the values of changes. Default: none is known. */
  readonly mask?: Mask | undefined;
}

/**
 * Observes writes and events of keys, and reports a key once if its reconciles keep changing the same
 * fields: either without a change by another writer, or because another writer reverts each change. A key
 * that made no such change for the whole period may be reported again.
 */
export class LoopDetector {
  readonly #reconciles: number;
  readonly #withinMs: number;
  readonly #mask: Mask | undefined;
  readonly #keys: Lru<KeyState>;

  /** @throws {RangeError} an option is out of range */
  constructor({ reconciles = 5, withinMs = 60_000, capacity = 10_000, mask }: LoopDetectorOptions = {}) {
    if (!Number.isInteger(reconciles) || reconciles < 2) {
      throw new RangeError(`reconciles must be an integer >= 2, got ${reconciles}`);
    }
    if (!(withinMs > 0)) throw new RangeError(`withinMs must be > 0, got ${withinMs}`);
    this.#reconciles = reconciles;
    this.#withinMs = withinMs;
    this.#mask = mask;
    this.#keys = new Lru(capacity);
  }

  /** Records a write of the current reconcile of a key. A write that changed nothing has no effect. */
  write(key: string, write: LoopWrite): void {
    const changes = changesOf(write.object, write.before, write.compared ?? write.after, this.#mask);
    const version = metadataString(write.after, 'resourceVersion');
    if (changes.length === 0) return;
    const state = this.#keys.get(key) ?? initialState;
    const own = version === undefined ? state.own : [...state.own, version].slice(-bufferSize);
    const runWrites = [...state.writes, { ...write, changes }].slice(-bufferSize);
    this.#keys.set(key, { ...state, own, writes: runWrites });
  }

  /** Records an event that causes a reconcile of a key. Keys without writes are not observed. */
  event(key: string, event: LoopEvent): void {
    const state = this.#keys.get(key);
    if (state === undefined) return;
    const changes = changesOf(event.object, event.before, event.after, this.#mask);
    if (changes.length === 0) return;
    const observed = { ...event, changes };
    this.#keys.set(key, { ...state, events: [...state.events, observed].slice(-bufferSize) });
  }

  /**
   * Records the end of a reconcile, and returns a report if the key is in a loop that was not yet reported.
   * `now` is the time of a monotonic clock in milliseconds.
   */
  reconciled(key: string, now: number): LoopReport | undefined {
    const state = this.#keys.get(key);
    if (state === undefined) return undefined;
    const foreign = state.events.filter(({ after }) => !isOwn(state, after));
    const since = now - this.#withinMs;
    const flips = flipsAfter(state, foreign, now, since);
    const streak = streakAfter(state, foreign, now).filter(({ at }) => at >= since);
    const report = this.#report(key, flips, streak);
    const isReported = state.reportedAt !== undefined && state.reportedAt >= since;
    const reportedAt = report ? now : isReported ? state.reportedAt : undefined;
    this.#keys.set(key, { ...state, writes: [], events: [], flips, streak, reportedAt });
    return isReported ? undefined : report;
  }

  #report(key: string, flips: Flips, streak: readonly Run[]): LoopReport | undefined {
    const flipping = [...flips.values()].filter(({ times }) => times.length >= this.#reconciles);
    const [first] = flipping;
    if (first !== undefined) return twoWriters(key, flipping, first);
    const runs = streak.slice(-this.#reconciles);
    return runs.length < this.#reconciles ? undefined : selfLoop(key, runs);
  }
}

/** Versions, writes and events that are kept of one key. */
const bufferSize = 32;

interface Changed {
  readonly object: ObjectName;
  readonly after: object | undefined;
  readonly changes: readonly Change[];
}

interface OwnWrite extends Changed {
  readonly fieldManager: string;
}

/** Changes of one reconcile. */
interface Run {
  readonly at: number;
  readonly writes: readonly OwnWrite[];
}

/** A field that two writers change in turn. */
interface Flip {
  readonly object: ObjectName;
  readonly path: string;
  readonly writer: string;
  readonly own: Change;
  /** Change of another writer after that of the controller. */
  readonly reverted: Change | undefined;
  readonly other: { readonly writer: string; readonly value: string } | undefined;
  /** Times at which the controller wrote the value again. */
  readonly times: readonly number[];
}

type Flips = ReadonlyMap<string, Flip>;

interface KeyState {
  /** Versions of own writes. */
  readonly own: readonly string[];
  readonly writes: readonly OwnWrite[];
  readonly events: readonly Changed[];
  readonly flips: Flips;
  readonly streak: readonly Run[];
  readonly reportedAt: number | undefined;
}

const initialState: KeyState = {
  own: [],
  writes: [],
  events: [],
  flips: new Map(),
  streak: [],
  reportedAt: undefined,
};

/** Returns whether an event shows an own write. Its response may arrive after the event. */
function isOwn(state: KeyState, after: object | undefined): boolean {
  const version = metadataString(after, 'resourceVersion');
  return version !== undefined && state.own.includes(version);
}

/**
 * Returns the consecutive reconciles with changes. A foreign change is a reason to write: the count
 * restarts.
 */
function streakAfter(state: KeyState, foreign: readonly Changed[], now: number): readonly Run[] {
  if (state.writes.length === 0) return [];
  const before = foreign.length > 0 ? [] : state.streak;
  return [...before, { at: now, writes: state.writes }].slice(-bufferSize);
}

function flipsAfter(state: KeyState, foreign: readonly Changed[], now: number, since: number): Flips {
  const flips = new Map(state.flips);
  for (const { object, after, changes } of foreign) {
    for (const change of changes) {
      const flip = flips.get(fieldId(object, change));
      if (flip === undefined || flip.own.digest === change.digest) continue;
      const other = { writer: writerOf(after, flip.writer), value: change.value };
      flips.set(fieldId(object, change), { ...flip, reverted: change, other });
    }
  }
  for (const { object, fieldManager, changes, after } of state.writes) {
    for (const change of changes) {
      const flip = flips.get(fieldId(object, change));
      const isAgain = flip?.own.digest === change.digest && flip.reverted !== undefined;
      const times = isAgain ? [...flip.times.filter((at) => at >= since), now] : [];
      const next = { object, path: change.path, writer: fieldManager, own: change, reverted: undefined };
      const other = namedBy(flip?.other, after, fieldManager);
      flips.set(fieldId(object, change), { ...next, other, times: times.slice(-bufferSize) });
    }
  }
  return new Map([...flips].slice(-mostFields));
}

/** Informers remove `managedFields`; responses to own writes contain them. */
function namedBy(other: Flip['other'], response: object | undefined, own: string): Flip['other'] {
  return other?.writer === unknownWriter ? { ...other, writer: writerOf(response, own) } : other;
}

/** Fields of one key that are compared. */
const mostFields = 200;

function fieldId(object: ObjectName, { path }: Change): string {
  return `${printObject(object)} ${path}`;
}

/** Returns the manager of the newest change of an object, other than the own one. */
function writerOf(object: object | undefined, own: string): string {
  const entries = member(member(object, 'metadata'), 'managedFields');
  const others = (Array.isArray(entries) ? entries : [])
    .filter((entry) => isObject(entry) && member(entry, 'manager') !== own)
    .map((entry) => [String(member(entry, 'time') ?? ''), String(member(entry, 'manager'))] as const)
    .sort(([a], [b]) => (a < b ? 1 : -1));
  return others[0]?.[1] ?? unknownWriter;
}

function twoWriters(key: string, flipping: readonly Flip[], first: Flip): LoopReport {
  const { object, writer, other } = first;
  const fields = flipping
    .filter((flip) => printObject(flip.object) === printObject(object))
    .map((flip): LoopingField => ({ path: flip.path, values: [flip.own.value, flip.other?.value ?? ''] }));
  return loopReport({
    kind: 'two writers',
    key,
    object,
    writers: [writer, other?.writer ?? unknownWriter],
    fields: fields.slice(0, 20),
    reconciles: first.times.length,
  });
}

/** Returns a report if some fields change in all of these reconciles. Otherwise the key makes progress. */
function selfLoop(key: string, runs: readonly Run[]): LoopReport | undefined {
  const [last, before] = [runs.at(-1), runs.at(-2)];
  for (const { object, fieldManager, changes } of last?.writes ?? []) {
    const fields = changes
      .filter((change) => runs.every((run) => changeIn(run, object, change) !== undefined))
      .map((change): LoopingField => {
        const other = before && changeIn(before, object, change);
        return { path: change.path, values: [change.value, other?.value ?? ''] };
      });
    if (fields.length > 0) {
      return loopReport({
        kind: 'self',
        key,
        object,
        writers: [fieldManager],
        fields,
        reconciles: runs.length,
      });
    }
  }
  return undefined;
}

function changeIn(run: Run, object: ObjectName, change: Change): Change | undefined {
  const id = fieldId(object, change);
  return run.writes
    .flatMap((write) => write.changes.map((each) => ({ each, id: fieldId(write.object, each) })))
    .find((found) => found.id === id)?.each;
}
